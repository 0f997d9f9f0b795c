//! The Fisher information of the games, and the covariances that follow from it (definitions 9 and 10). It
//! has a block for each group; only the first side's advantage, one extra row, connects the groups.

use super::groups::RatingGroups;
use super::likelihood::{Advantage, Likelihood, Values, chances};
use super::matrix::{CholeskyFactor, SquareMatrix, dot};
use crate::standings::{Encounter, Encounters, Score};

/// The information at some ratings, factored. The last bot of each group is left out of its block: only
/// differences are determined, and the mean is set to 0 afterwards.
#[derive(Debug)]
pub(super) struct Information {
    /// The blocks of the groups with two or more bots, in their order.
    blocks: Vec<InformationBlock>,
    /// The information about the first side's advantage with all ratings free; none if it is not estimated.
    first_side: Option<f64>,
}

#[derive(Debug)]
struct InformationBlock {
    factor: CholeskyFactor,
    /// How much each rating of the group, including the last bot's, changes with the advantage.
    sensitivity: Vec<f64>,
}

/// Variances and covariances inside groups. The ratings have mean 0 in each group.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Covariance {
    /// The blocks of the groups with two or more bots, in their order; rows are bots in the group's order.
    blocks: Vec<SquareMatrix>,
    /// The variance of the first side's advantage; 0 if it is fixed.
    pub(super) first_side: f64,
}

impl Information {
    /// None if the information is numerically singular. `damping` adds this fraction of the largest diagonal
    /// element to every diagonal element.
    pub(super) fn of(likelihood: &Likelihood, at: &Values, damping: f64) -> Option<Information> {
        let groups = likelihood.groups;
        let place = places(groups);
        let mut squares: Vec<SquareMatrix> =
            fitted(groups).map(|bots| SquareMatrix::zeros(bots.len() - 1)).collect();
        let mut sides: Vec<Vec<f64>> = fitted(groups).map(|bots| vec![0.0; bots.len() - 1]).collect();
        let mut first_side = 0.0;
        for head_to_head in &likelihood.head_to_heads {
            let group = groups.of[head_to_head.a];
            let [of_a, of_b] = [(head_to_head.a, head_to_head.b, 0), (head_to_head.b, head_to_head.a, 1)]
                .map(|(first, second, of)| {
                    let [p, q] = chances(at.advantage(first, second));
                    head_to_head.by_first[of].count as f64 * p * q
                });
            let (square, side) = (&mut squares[group], &mut sides[group]);
            let (a, b) = (place[head_to_head.a], place[head_to_head.b]);
            square.add(a, a, of_a + of_b);
            side[a] += of_a - of_b;
            // Bots of a group are in configuration order, so only b can be the last.
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
        for (mut square, mut sensitivity) in squares.into_iter().zip(sides) {
            for k in 0..square.size() {
                square.add(k, k, damping * largest);
            }
            let factor = square.factor()?;
            let side = sensitivity.clone();
            factor.solve(&mut sensitivity);
            known -= dot(&side, &sensitivity);
            sensitivity.push(0.0);
            center(&mut sensitivity);
            blocks.push(InformationBlock { factor, sensitivity });
        }
        let first_side = match likelihood.advantage {
            Advantage::Zero => None,
            Advantage::Estimated if known > first_side * 1e-14 => Some(known),
            Advantage::Estimated => return None,
        };
        Some(Information { blocks, first_side })
    }

    /// The Newton step for a gradient.
    pub(super) fn solve(&self, groups: &RatingGroups, gradient: &Values) -> Values {
        let mut step = Values::zeros(groups.of.len());
        if let Some(known) = self.first_side {
            let mut pull = gradient.first_side;
            for (block, bots) in self.blocks.iter().zip(fitted(groups)) {
                pull -= bots
                    .iter()
                    .zip(&block.sensitivity)
                    .map(|(&bot, sensitivity)| gradient.ratings[bot] * sensitivity)
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
            for ((&bot, value), sensitivity) in bots.iter().zip(part).zip(&block.sensitivity) {
                step.ratings[bot] = value - sensitivity * step.first_side;
            }
        }
        step
    }

    /// The covariance of the information itself, and the one from pairs without the factor G/(G-K).
    pub(super) fn covariances(self, scatter: Scatter) -> [Covariance; 2] {
        let (sensitivities, mut plain): (Vec<_>, Vec<_>) = self
            .blocks
            .into_iter()
            .map(|block| (block.sensitivity, centered(&block.factor.inverse())))
            .unzip();
        let mut pairs: Vec<SquareMatrix> = plain
            .iter()
            .zip(&scatter.ratings)
            .map(|(block, scatter)| block.times(scatter).times(block))
            .collect();
        let Some(known) = self.first_side else {
            return [plain, pairs].map(|blocks| Covariance { blocks, first_side: 0.0 });
        };
        // With w the sensitivities and -1 for the advantage, the covariance is that of the blocks plus w wᵀ /
        // known.
        let strains: Vec<Vec<f64>> = (0..sensitivities.len())
            .map(|group| {
                let mut strain = scatter.ratings[group].times_vector(&sensitivities[group]);
                strain.iter_mut().zip(&scatter.mixed[group]).for_each(|(value, mixed)| *value -= mixed);
                strain
            })
            .collect();
        let sum = |values: &[Vec<f64>]| {
            sensitivities.iter().zip(values).map(|(sensitivity, value)| dot(sensitivity, value)).sum::<f64>()
        };
        // A sum of squares, which rounding could make negative.
        let total = (sum(&strains) - sum(&scatter.mixed) + scatter.first_side).max(0.0) / (known * known);
        for (group, sensitivity) in sensitivities.iter().enumerate() {
            let answer = plain[group].times_vector(&strains[group]);
            let mixed: Vec<f64> =
                answer.iter().zip(sensitivity).map(|(a, l)| a / known + l * total / 2.0).collect();
            pairs[group].add_products(&mixed, sensitivity);
            let half: Vec<f64> = sensitivity.iter().map(|value| value / (2.0 * known)).collect();
            plain[group].add_products(&half, sensitivity);
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
    /// The part of the ratings in each group with two or more bots.
    ratings: Vec<SquareMatrix>,
    /// The part between ratings and the first side's advantage.
    mixed: Vec<Vec<f64>>,
    first_side: f64,
}

impl Scatter {
    pub(super) fn of(encounters: &Encounters, groups: &RatingGroups, at: &Values) -> Scatter {
        let place = places(groups);
        let mut scatter = Scatter {
            ratings: fitted(groups).map(|bots| SquareMatrix::zeros(bots.len())).collect(),
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
    pub(super) fn clusters(encounters: &Encounters, groups: &RatingGroups) -> u64 {
        inside(encounters, groups)
            .flat_map(|(_, encounter)| encounter.pairs.iter().flatten().chain(&encounter.singles))
            .map(|&count| u64::from(count))
            .sum()
    }
}

/// The encounters of two bots in one group.
fn inside<'a>(
    encounters: &'a Encounters,
    groups: &'a RatingGroups,
) -> impl Iterator<Item = ((usize, usize), &'a Encounter)> {
    encounters.iter().filter(|((a, b), _)| a != b && groups.of[*a] == groups.of[*b])
}

/// With u = x for the bot that had the first side in game 1, -x for the other and y for the first side: the
/// sums of x², x y and y² over the clusters of an encounter. `advantages` are those of the two games of a
/// pair.
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
    /// The variance of a rating, by the bot's index in its group.
    pub(super) fn variance(&self, group: usize, bot: usize) -> f64 {
        self.blocks[group].get(bot, bot).max(0.0)
    }

    pub(super) fn of_difference(&self, group: usize, a: usize, b: usize) -> f64 {
        let block = &self.blocks[group];
        (block.get(a, a) + block.get(b, b) - 2.0 * block.get(a, b)).max(0.0)
    }
}

/// The bots of the groups that have ratings: those with two or more bots, which come before the others.
fn fitted(groups: &RatingGroups) -> impl Iterator<Item = &[usize]> {
    groups.members.iter().map(Vec::as_slice).take_while(|bots| bots.len() > 1)
}

/// The index of each bot in its group.
pub(super) fn places(groups: &RatingGroups) -> Vec<usize> {
    let mut places = vec![0; groups.of.len()];
    for bots in &groups.members {
        bots.iter().enumerate().for_each(|(place, &bot)| places[bot] = place);
    }
    places
}

/// Subtracts the mean.
fn center(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

/// The covariance of values with mean 0, from the covariance of their differences to one further, last value.
fn centered(differences: &SquareMatrix) -> SquareMatrix {
    let size = differences.size() + 1;
    let mut means: Vec<f64> =
        (0..size - 1).map(|row| differences.row(row).iter().sum::<f64>() / size as f64).collect();
    means.push(0.0);
    let mean = means.iter().sum::<f64>() / size as f64;
    let mut square = SquareMatrix::zeros(size);
    for row in 0..size {
        for column in 0..size {
            let inside = row < size - 1 && column < size - 1;
            let value = if inside { differences.get(row, column) } else { 0.0 };
            square.add(row, column, value - (means[row] + means[column]) + mean);
        }
    }
    square
}
