//! The Fisher information of the games, and the covariances that follow from it (definition 8). It
//! has a block for each group; only the first side's advantage, one extra row, connects the groups.

use super::game_graph::{GameGraph, HeadToHead};
use super::groups::{ANCHORS, RatingGroups};
use super::likelihood::{FirstSide, Likelihood, Values, chances};
use super::network::{Network, NetworkFactor, Resistances};

/// The information at some ratings, factored.
#[derive(Debug)]
pub(super) struct Information {
    /// The blocks of the groups with two or more bots, in their order.
    blocks: Vec<InformationBlock>,
    /// The information about the first side's advantage with all ratings free; `None` if it is not
    /// estimated.
    first_side: Option<f64>,
}

#[derive(Debug)]
struct InformationBlock {
    factor: NetworkFactor,
    /// How much each rating of the group falls when the advantage rises by 1.
    sensitivity: Vec<f64>,
}

/// What the information counts: the played games, or also their virtual draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InformationFrom {
    Games,
    GamesAndDraws,
}

/// Variances and covariances inside groups, in squared natural logarithms of odds. The ratings of a
/// group have mean 0, or are measured from its anchors.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Covariance {
    /// The blocks of the groups with two or more bots, in their order: the variances when the first
    /// side's advantage is known, and how much each rating falls when it rises by 1.
    blocks: Vec<(Resistances, Vec<f64>)>,
    /// The variance of the first side's advantage; `None` if it is not estimated.
    pub first_side: Option<f64>,
}

/// The information of the games in which `a`, and of those in which `b` had the first side.
fn of_sides(edge: &HeadToHead, at: &Values, from: InformationFrom) -> [f64; 2] {
    let mut of_sides = [0.0; 2];
    for (sum, (first, second, games)) in of_sides.iter_mut().zip(edge.games()) {
        if games.count == 0 {
            continue;
        }
        let weight = match from {
            InformationFrom::Games => 1.0,
            InformationFrom::GamesAndDraws => 1.0 + games.weight,
        };
        *sum = f64::from(games.count) * weight * of_game(at.advantage(first, second));
    }
    of_sides
}

/// The information of a game: the variance of its result. Positive, so that every group stays
/// connected.
pub(crate) fn of_game(advantage: f64) -> f64 {
    let [p, q] = chances(advantage);
    (p * q).max(1e-200)
}

impl Information {
    /// The information at these ratings.
    ///
    /// With R the block of the ratings and s the column that they share with the advantage, the
    /// advantage is eliminated last: what is left of its own information is the Schur complement,
    /// and R⁻¹ s is how the ratings follow it (the `sensitivity`).
    pub fn new(
        likelihood: &Likelihood<'_>,
        groups: &RatingGroups,
        at: &Values,
        from: InformationFrom,
    ) -> Information {
        // Of each group, the information about its ratings and what they share with the advantage.
        let mut shared = Vec::new();
        for order in &groups.orders {
            shared.push((Network::new(order), vec![0.0; order.size()]));
        }
        for edge in &likelihood.graph.edges {
            let (network, side) = &mut shared[groups.of[edge.bots()[0]]];
            let [a, b] = groups.places(edge);
            if a == b {
                continue; // two anchors
            }
            let [of_a, of_b] = of_sides(edge, at, from);
            network.join(a, b, of_a + of_b);
            side[a] += of_a - of_b;
            side[b] += of_b - of_a;
        }
        let mut blocks = Vec::new();
        for (group, (network, side)) in shared.into_iter().enumerate() {
            let factor = network.factor();
            let sensitivity = groups.centred(group, factor.solve(&side));
            blocks.push(InformationBlock { factor, sensitivity });
        }
        if likelihood.first_side == FirstSide::LeftOut {
            return Information { blocks, first_side: None };
        }
        // What is left of the information about the advantage when all ratings follow it: a sum of
        // squares, which stays precise where the games hardly determine the advantage.
        let mut remaining = 0.0;
        for edge in &likelihood.graph.edges {
            let sensitivity = &blocks[groups.of[edge.bots()[0]]].sensitivity;
            let [a, b] = groups.places(edge);
            let difference = sensitivity[a] - sensitivity[b];
            let [of_a, of_b] = of_sides(edge, at, from);
            remaining += of_a * (1.0 - difference).powi(2) + of_b * (1.0 + difference).powi(2);
        }
        Information { blocks, first_side: Some(remaining.max(f64::MIN_POSITIVE)) }
    }

    /// The Newton step for a gradient.
    pub fn solve(&self, groups: &RatingGroups, gradient: &Values) -> Values {
        let mut step = Values::zeros(groups.of.len());
        if let Some(known) = self.first_side {
            let mut pull = gradient.first_side;
            for (block, bots) in self.blocks.iter().zip(groups.rated()) {
                let mut by_ratings = 0.0;
                for &bot in bots {
                    by_ratings += gradient.ratings[bot] * block.sensitivity[groups.place[bot]];
                }
                pull -= by_ratings;
            }
            step.first_side = pull / known;
        }
        for (group, (block, bots)) in self.blocks.iter().zip(groups.rated()).enumerate() {
            let mut right = vec![0.0; block.sensitivity.len()];
            for &bot in bots {
                right[groups.place[bot]] += gradient.ratings[bot];
            }
            let part = groups.centred(group, block.factor.solve(&right));
            for &bot in bots {
                let place = groups.place[bot];
                step.ratings[bot] = part[place] - block.sensitivity[place] * step.first_side;
            }
        }
        step
    }

    /// The inverse of the information.
    pub fn covariance(self) -> Covariance {
        let mut blocks = Vec::new();
        for InformationBlock { factor, sensitivity } in self.blocks {
            blocks.push((factor.resistances(), sensitivity));
        }
        Covariance { blocks, first_side: self.first_side.map(|known| 1.0 / known) }
    }
}

impl Covariance {
    /// The variance of a rating.
    pub fn of_rating(&self, groups: &RatingGroups, bot: usize) -> f64 {
        let group = groups.of[bot];
        let place = groups.place[bot];
        let (resistances, sensitivity) = &self.blocks[group];
        let variance = if groups.is_anchored(group) {
            resistances.between(place, ANCHORS)
        } else {
            resistances.variance(place)
        };
        variance + self.by_first_side(sensitivity[place])
    }

    /// The variance of the difference of two ratings of one group with so many times the first
    /// side's advantage: 1 in a game in which `a` has the first side, 0 for the ratings alone.
    pub fn of_difference(&self, groups: &RatingGroups, a: usize, b: usize, advantages: f64) -> f64 {
        let (resistances, sensitivity) = &self.blocks[groups.of[a]];
        let a = groups.place[a];
        let b = groups.place[b];
        let follows = sensitivity[a] - sensitivity[b] - advantages;
        resistances.between(a, b) + self.by_first_side(follows)
    }

    /// Lays one drawn game that was not played for each estimated value (definition 6): a game gets
    /// as much of it as its leverage, the share of it in what determines its own expected score, at
    /// these values with this covariance. So they go where results are open and few games tell.
    /// This is a step of the bias reduction of D. Firth, Biometrika 80 (1993), 27-38, section 3.
    pub fn lay_draws(&self, graph: &mut GameGraph, groups: &RatingGroups, at: &Values) {
        for edge in &mut graph.edges {
            let [a, b] = edge.bots();
            for (games, [first, second]) in edge.by_first.iter_mut().zip([[a, b], [b, a]]) {
                games.weight = of_game(at.advantage(first, second))
                    * self.of_difference(groups, first, second, 1.0);
            }
        }
    }

    /// What the variance of the first side's advantage adds to that of a value that falls so much
    /// when the advantage rises by 1.
    fn by_first_side(&self, sensitivity: f64) -> f64 {
        self.first_side.unwrap_or_default() * sensitivity * sensitivity
    }
}
