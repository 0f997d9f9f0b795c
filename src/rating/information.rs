//! The information of the games, and the covariances that follow from it (definitions 9 and 10). A block for each group;
//! what binds the groups together is the first side's advantage, a single row beside the blocks.

use super::fit::{Advantage, Likelihood, Values, chances};
use super::groups::Groups;
use super::linear::{Factor, Square, dot};
use crate::standings::{Encounter, Encounters, Score};

/// The information at some ratings, factored. The last bot of each group is left out of its block: only differences are
/// known, and the mean is made 0 afterwards.
#[derive(Debug)]
pub(super) struct Information {
    /// Of the groups with two bots or more, in their order.
    blocks: Vec<Block>,
    /// What is known of the first side's advantage while all ratings are free; none when it is not estimated.
    first_side: Option<f64>,
}

#[derive(Debug)]
struct Block {
    factor: Factor,
    /// How the ratings of the group, the last bot's too, would answer to a change of the advantage.
    lever: Vec<f64>,
}

/// Variances and covariances inside groups. The ratings have mean 0 in each group.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Covariance {
    /// Of the groups with two bots or more, in their order; bots in the group's order.
    blocks: Vec<Square>,
    /// Of the first side's advantage; 0 when that is fixed.
    pub(super) first_side: f64,
}

impl Information {
    /// None if it is singular, as far as rounding shows. `damping` adds that part of the largest diagonal cell to all
    /// others.
    pub(super) fn of(likelihood: &Likelihood, at: &Values, damping: f64) -> Option<Information> {
        let groups = likelihood.groups;
        let place = places(groups);
        let mut squares: Vec<Square> = fitted(groups).map(|bots| Square::zeros(bots.len() - 1)).collect();
        let mut sides: Vec<Vec<f64>> = fitted(groups).map(|bots| vec![0.0; bots.len() - 1]).collect();
        let mut first_side = 0.0;
        for meeting in &likelihood.meetings {
            let group = groups.of[meeting.a];
            let [of_a, of_b] =
                [(meeting.a, meeting.b, 0), (meeting.b, meeting.a, 1)].map(|(first, second, of)| {
                    let [p, q] = chances(at.advantage(first, second));
                    meeting.by_first[of].count as f64 * p * q
                });
            let (square, side) = (&mut squares[group], &mut sides[group]);
            let (a, b) = (place[meeting.a], place[meeting.b]);
            square.add(a, a, of_a + of_b);
            side[a] += of_a - of_b;
            // The bots of a group stand in configuration order, so only b can be the last.
            if b < square.size() {
                square.add(b, b, of_a + of_b);
                square.add(a, b, -of_a - of_b);
                side[b] += of_b - of_a;
            }
            first_side += of_a + of_b;
        }
        let largest = squares
            .iter()
            .flat_map(|square| (0..square.size()).map(|k| square.get(k, k)))
            .fold(f64::MIN_POSITIVE, f64::max);
        let mut known = first_side * (1.0 + damping);
        let mut blocks = Vec::new();
        for (mut square, mut lever) in squares.into_iter().zip(sides) {
            for k in 0..square.size() {
                square.add(k, k, damping * largest);
            }
            let factor = square.factor()?;
            let side = lever.clone();
            factor.solve(&mut lever);
            known -= dot(&side, &lever);
            lever.push(0.0);
            center(&mut lever);
            blocks.push(Block { factor, lever });
        }
        let first_side = match likelihood.advantage {
            Advantage::Zero => None,
            Advantage::Estimated if known > first_side * 1e-14 => Some(known),
            Advantage::Estimated => return None,
        };
        Some(Information { blocks, first_side })
    }

    /// The Newton step for a gradient.
    pub(super) fn solve(&self, groups: &Groups, gradient: &Values) -> Values {
        let mut step = Values::zeros(groups.of.len());
        if let Some(known) = self.first_side {
            let mut pull = gradient.first_side;
            for (block, bots) in self.blocks.iter().zip(fitted(groups)) {
                pull -= bots
                    .iter()
                    .zip(&block.lever)
                    .map(|(&bot, lever)| gradient.ratings[bot] * lever)
                    .sum::<f64>();
            }
            step.first_side = pull / known;
        }
        for (block, bots) in self.blocks.iter().zip(fitted(groups)) {
            let mut part: Vec<f64> =
                bots[..bots.len() - 1].iter().map(|&bot| gradient.ratings[bot]).collect();
            block.factor.solve(&mut part);
            part.push(0.0);
            center(&mut part);
            for ((&bot, value), lever) in bots.iter().zip(part).zip(&block.lever) {
                step.ratings[bot] = value - lever * step.first_side;
            }
        }
        step
    }

    /// The covariance of the information itself, and the one from pairs without the factor G/(G-K).
    pub(super) fn covariances(self, scatter: Scatter) -> [Covariance; 2] {
        let (levers, mut plain): (Vec<_>, Vec<_>) =
            self.blocks.into_iter().map(|block| (block.lever, centered(&block.factor.inverse()))).unzip();
        let mut pairs: Vec<Square> = plain
            .iter()
            .zip(&scatter.ratings)
            .map(|(block, scatter)| block.times(scatter).times(block))
            .collect();
        let Some(known) = self.first_side else {
            return [plain, pairs].map(|blocks| Covariance { blocks, first_side: 0.0 });
        };
        // With w the levers and -1 for the advantage, the covariance is that of the blocks plus w wᵀ / known.
        let strains: Vec<Vec<f64>> = (0..levers.len())
            .map(|group| {
                let mut strain = scatter.ratings[group].times_vector(&levers[group]);
                strain.iter_mut().zip(&scatter.mixed[group]).for_each(|(value, mixed)| *value -= mixed);
                strain
            })
            .collect();
        let sum = |values: &[Vec<f64>]| {
            levers.iter().zip(values).map(|(lever, value)| dot(lever, value)).sum::<f64>()
        };
        // A sum of squares; rounding must not make it negative.
        let total = (sum(&strains) - sum(&scatter.mixed) + scatter.first_side).max(0.0) / (known * known);
        for (group, lever) in levers.iter().enumerate() {
            let answer = plain[group].times_vector(&strains[group]);
            let mixed: Vec<f64> =
                answer.iter().zip(lever).map(|(a, l)| a / known + l * total / 2.0).collect();
            pairs[group].add_products(&mixed, lever);
            let half: Vec<f64> = lever.iter().map(|value| value / (2.0 * known)).collect();
            plain[group].add_products(&half, lever);
        }
        [
            Covariance { blocks: plain, first_side: 1.0 / known },
            Covariance { blocks: pairs, first_side: total },
        ]
    }
}

/// The sum of u uᵀ over the clusters inside groups (definition 10).
#[derive(Debug)]
pub(super) struct Scatter {
    /// Of the ratings in each group with two bots or more.
    ratings: Vec<Square>,
    /// Of the ratings with the first side's advantage.
    mixed: Vec<Vec<f64>>,
    first_side: f64,
}

impl Scatter {
    pub(super) fn of(encounters: &Encounters, groups: &Groups, at: &Values) -> Scatter {
        let place = places(groups);
        let mut scatter = Scatter {
            ratings: fitted(groups).map(|bots| Square::zeros(bots.len())).collect(),
            mixed: fitted(groups).map(|bots| vec![0.0; bots.len()]).collect(),
            first_side: 0.0,
        };
        for ((a, b), encounter) in inside(encounters, groups) {
            let (group, i, j) = (groups.of[a], place[a], place[b]);
            let [own, mixed, first_side] = squares(encounter, [at.advantage(a, b), at.advantage(b, a)]);
            let square = &mut scatter.ratings[group];
            square.add(i, i, own);
            square.add(j, j, own);
            square.add(i, j, -own);
            square.add(j, i, -own);
            scatter.mixed[group][i] += mixed;
            scatter.mixed[group][j] -= mixed;
            scatter.first_side += first_side;
        }
        scatter
    }

    /// G: the pairs and single games inside groups (definition 10).
    pub(super) fn clusters(encounters: &Encounters, groups: &Groups) -> u64 {
        inside(encounters, groups)
            .flat_map(|(_, encounter)| encounter.pairs.iter().flatten().chain(&encounter.singles))
            .map(|&count| u64::from(count))
            .sum()
    }
}

/// The encounters of two bots in one group.
fn inside<'a>(
    encounters: &'a Encounters,
    groups: &'a Groups,
) -> impl Iterator<Item = ((usize, usize), &'a Encounter)> {
    encounters.iter().filter(|((a, b), _)| a != b && groups.of[*a] == groups.of[*b])
}

/// With u = x for the bot that began, -x for the other and y for the first side: the sums of x², x y and y² over the
/// clusters of an encounter. The advantages are those of the two games of a pair.
fn squares(encounter: &Encounter, advantages: [f64; 2]) -> [f64; 3] {
    let [[p, q], [p_back, q_back]] = advantages.map(chances);
    let excess = |score: Score, p: f64, q: f64| match score {
        Score::Loss => -p,
        Score::Draw => (q - p) / 2.0,
        Score::Win => q,
    };
    let mut sums = [0.0; 3];
    let mut add = |count: u32, x: f64, y: f64| {
        let count = f64::from(count);
        sums[0] += count * x * x;
        sums[1] += count * x * y;
        sums[2] += count * y * y;
    };
    for score in Score::ALL {
        let own = excess(score, p, q);
        add(encounter.singles[score as usize], own, own);
        for answer in Score::ALL {
            let other = excess(answer, p_back, q_back);
            add(encounter.pairs[score as usize][answer as usize], own - other, own + other);
        }
    }
    sums
}

impl Covariance {
    /// Of a rating, by the bot's place in its group.
    pub(super) fn variance(&self, group: usize, bot: usize) -> f64 {
        self.blocks[group].get(bot, bot).max(0.0)
    }

    pub(super) fn of_difference(&self, group: usize, a: usize, b: usize) -> f64 {
        let block = &self.blocks[group];
        (block.get(a, a) + block.get(b, b) - 2.0 * block.get(a, b)).max(0.0)
    }
}

/// The bots of the groups that have ratings: those of two or more, which come before the others.
fn fitted(groups: &Groups) -> impl Iterator<Item = &[usize]> {
    groups.members.iter().map(Vec::as_slice).take_while(|bots| bots.len() > 1)
}

/// Where each bot stands in its group.
pub(super) fn places(groups: &Groups) -> Vec<usize> {
    let mut places = vec![0; groups.of.len()];
    for bots in &groups.members {
        bots.iter().enumerate().for_each(|(place, &bot)| places[bot] = place);
    }
    places
}

/// Makes the mean 0.
fn center(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

/// The covariance of values with mean 0, from that of their differences to a further, last one.
fn centered(differences: &Square) -> Square {
    let size = differences.size() + 1;
    let mut means: Vec<f64> =
        (0..size - 1).map(|row| differences.row(row).iter().sum::<f64>() / size as f64).collect();
    means.push(0.0);
    let mean = means.iter().sum::<f64>() / size as f64;
    let mut square = Square::zeros(size);
    for row in 0..size {
        for column in 0..size {
            let inside = row < size - 1 && column < size - 1;
            let value = if inside { differences.get(row, column) } else { 0.0 };
            square.add(row, column, value - (means[row] + means[column]) + mean);
        }
    }
    square
}
