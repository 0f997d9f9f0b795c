//! The Fisher information of the games, and the covariances that follow from it (definition 8). It
//! has a block for each group; only the first side's advantage, one extra row, connects the groups.

use super::game_graph::HeadToHead;
use super::groups::{ANCHORS, RatingGroups};
use super::likelihood::{Advantage, Likelihood, Values, chances};
use super::network::{Network, NetworkFactor, Resistances};

/// The information at some ratings, factored.
#[derive(Debug)]
pub(super) struct Information {
    /// The blocks of the groups with two or more bots, in their order.
    blocks: Vec<InformationBlock>,
    /// The information about the first side's advantage with all ratings free; none if it is not
    /// estimated.
    first_side: Option<f64>,
}

#[derive(Debug)]
struct InformationBlock {
    factor: NetworkFactor,
    /// How much each rating of the group falls when the advantage rises by 1.
    sensitivity: Vec<f64>,
}

/// What the information counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InformationFrom {
    /// The played games.
    Games,
    /// Also their virtual draws.
    GamesAndDraws,
}

/// Variances and covariances inside groups, in squared natural logarithms of odds. The ratings of a
/// group have mean 0, or are measured from its anchors.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Covariance {
    /// The blocks of the groups with two or more bots, in their order: the variances when the first
    /// side's advantage is known, and how much each rating falls when it rises by 1.
    blocks: Vec<(Resistances, Vec<f64>)>,
    /// The variance of the first side's advantage; none if it is not estimated.
    pub(super) first_side: Option<f64>,
}

/// The information of the games in which `a`, and of those in which `b` had the first side.
fn of_sides(edge: &HeadToHead, at: &Values, from: InformationFrom) -> [f64; 2] {
    edge.games().map(|(first, second, games)| {
        let weight = match from {
            InformationFrom::Games => 1.0,
            InformationFrom::GamesAndDraws => 1.0 + games.weight,
        };
        f64::from(games.count) * weight * of_game(at.advantage(first, second))
    })
}

/// The information of a game: the variance of its result. Positive, so that every group stays
/// connected.
pub(super) fn of_game(advantage: f64) -> f64 {
    let [p, q] = chances(advantage);
    (p * q).max(1e-200)
}

impl Information {
    pub(super) fn new(
        likelihood: &Likelihood<'_>,
        groups: &RatingGroups,
        at: &Values,
        from: InformationFrom,
    ) -> Information {
        let mut networks: Vec<Network> = groups.orders.iter().map(Network::new).collect();
        let mut sides: Vec<Vec<f64>> =
            groups.orders.iter().map(|order| vec![0.0; order.size()]).collect();
        for edge in &likelihood.graph.edges {
            let [a, b] = edge.bots();
            let [group, a, b] = [groups.of[a], groups.place[a], groups.place[b]];
            if a == b {
                continue; // two anchors
            }
            let [of_a, of_b] = of_sides(edge, at, from);
            networks[group].join(a, b, of_a + of_b);
            sides[group][a] += of_a - of_b;
            sides[group][b] += of_b - of_a;
        }
        let blocks: Vec<InformationBlock> = networks
            .into_iter()
            .zip(sides)
            .enumerate()
            .map(|(group, (network, side))| {
                let factor = network.factor();
                let sensitivity = groups.centred(group, factor.solve(&side));
                InformationBlock { factor, sensitivity }
            })
            .collect();
        // What is left of the information about the advantage when all ratings follow it: a sum of
        // squares, which stays precise where the games hardly determine the advantage.
        let remaining = |edge: &HeadToHead| {
            let [a, b] = edge.bots();
            let sensitivity = &blocks[groups.of[a]].sensitivity;
            let difference = sensitivity[groups.place[a]] - sensitivity[groups.place[b]];
            let [of_a, of_b] = of_sides(edge, at, from);
            of_a * (1.0 - difference).powi(2) + of_b * (1.0 + difference).powi(2)
        };
        let first_side = match likelihood.advantage {
            Advantage::Zero => None,
            Advantage::Estimated => Some(
                likelihood.graph.edges.iter().map(remaining).sum::<f64>().max(f64::MIN_POSITIVE),
            ),
        };
        Information { blocks, first_side }
    }

    /// The Newton step for a gradient.
    pub(super) fn solve(&self, groups: &RatingGroups, gradient: &Values) -> Values {
        let mut step = Values::zeros(groups.of.len());
        if let Some(known) = self.first_side {
            let mut pull = gradient.first_side;
            for (block, bots) in self.blocks.iter().zip(groups.rated()) {
                let sensitivity = |bot: usize| block.sensitivity[groups.place[bot]];
                pull -=
                    bots.iter().map(|&bot| gradient.ratings[bot] * sensitivity(bot)).sum::<f64>();
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
    pub(super) fn covariance(self) -> Covariance {
        let first_side = self.first_side.map(|known| 1.0 / known);
        let block = |block: InformationBlock| (block.factor.resistances(), block.sensitivity);
        Covariance { blocks: self.blocks.into_iter().map(block).collect(), first_side }
    }
}

impl Covariance {
    /// The variance of a rating.
    pub(super) fn of_rating(&self, groups: &RatingGroups, bot: usize) -> f64 {
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

    /// The variance of the advantage in a game between two bots of one group.
    pub(super) fn of_game(&self, groups: &RatingGroups, first: usize, second: usize) -> f64 {
        let (resistances, sensitivity) = &self.blocks[groups.of[first]];
        let [first, second] = [first, second].map(|bot| groups.place[bot]);
        // 1 by the advantage itself, less what the two ratings change with it.
        let follows = 1.0 - (sensitivity[first] - sensitivity[second]);
        resistances.between(first, second) + self.by_first_side(follows)
    }

    /// The variance of the difference of two ratings of one group.
    pub(super) fn of_difference(&self, groups: &RatingGroups, a: usize, b: usize) -> f64 {
        let (resistances, sensitivity) = &self.blocks[groups.of[a]];
        let [a, b] = [a, b].map(|bot| groups.place[bot]);
        resistances.between(a, b) + self.by_first_side(sensitivity[a] - sensitivity[b])
    }

    /// What the variance of the first side's advantage adds to that of a value that falls so much
    /// when the advantage rises by 1.
    fn by_first_side(&self, sensitivity: f64) -> f64 {
        self.first_side.unwrap_or_default() * sensitivity * sensitivity
    }
}
