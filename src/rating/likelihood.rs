//! The model and its likelihood (definition 4). Ratings are natural logarithms of odds here, not Elo.

use super::groups::RatingGroups;
use super::head_to_head::{FirstSideGames, HeadToHead};

/// A number for each bot and one for the first side: ratings, a step, a gradient.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Values {
    pub(super) ratings: Vec<f64>,
    pub(super) first_side: f64,
}

impl Values {
    pub(super) fn zeros(bots: usize) -> Values {
        Values { ratings: vec![0.0; bots], first_side: 0.0 }
    }

    /// The logarithm of the first side's odds.
    pub(super) fn advantage(&self, first: usize, second: usize) -> f64 {
        self.ratings[first] + self.first_side - self.ratings[second]
    }

    pub(super) fn largest(&self) -> f64 {
        self.ratings.iter().fold(self.first_side.abs(), |largest, value| largest.max(value.abs()))
    }

    pub(super) fn plus(&self, part: f64, step: &Values) -> Values {
        let ratings =
            self.ratings.iter().zip(&step.ratings).map(|(value, change)| value + part * change).collect();
        Values { ratings, first_side: self.first_side + part * step.first_side }
    }
}

/// How a fit treats the first side's advantage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Advantage {
    Estimated,
    Zero,
}

/// The games inside groups, and which parameters are estimated from them.
#[derive(Debug)]
pub(super) struct Likelihood<'a> {
    pub(super) groups: &'a RatingGroups,
    pub(super) head_to_heads: Vec<HeadToHead>,
    pub(super) advantage: Advantage,
}

impl<'a> Likelihood<'a> {
    pub(super) fn new(
        groups: &'a RatingGroups,
        head_to_heads: &[HeadToHead],
        advantage: Advantage,
    ) -> Likelihood<'a> {
        let inside = |head_to_head: &&HeadToHead| groups.of[head_to_head.a] == groups.of[head_to_head.b];
        Likelihood {
            groups,
            head_to_heads: head_to_heads.iter().filter(inside).copied().collect(),
            advantage,
        }
    }

    /// First side, second side, and their games.
    pub(super) fn games(&self) -> impl Iterator<Item = (usize, usize, FirstSideGames)> {
        self.head_to_heads.iter().flat_map(|head_to_head| {
            let [of_a, of_b] = head_to_head.by_first;
            [(head_to_head.a, head_to_head.b, of_a), (head_to_head.b, head_to_head.a, of_b)]
        })
    }

    /// The logarithm of the likelihood (definition 4).
    pub(super) fn logarithm(&self, at: &Values) -> f64 {
        self.games()
            .map(|(first, second, games)| {
                let advantage = at.advantage(first, second);
                let [won, lost] = games.points();
                won * ln_chance(advantage) + lost * ln_chance(-advantage)
            })
            .sum()
    }

    pub(super) fn gradient(&self, at: &Values) -> Values {
        let mut gradient = Values::zeros(at.ratings.len());
        for (first, second, games) in self.games() {
            let [p, q] = chances(at.advantage(first, second));
            let [won, lost] = games.points();
            // Not `won - count * p`, which loses precision when defeats are rare.
            let excess = won * q - lost * p;
            gradient.ratings[first] += excess;
            gradient.ratings[second] -= excess;
            gradient.first_side += excess;
        }
        if self.advantage == Advantage::Zero {
            gradient.first_side = 0.0;
        }
        gradient
    }
}

/// The winning probabilities of the first and the second side for this logarithm of the first side's odds.
/// Both keep full precision when they are small.
pub(super) fn chances(advantage: f64) -> [f64; 2] {
    let small = (-advantage.abs()).exp();
    let [likely, unlikely] = [1.0 / (1.0 + small), small / (1.0 + small)];
    if advantage >= 0.0 { [likely, unlikely] } else { [unlikely, likely] }
}

/// The logarithm of the first side's winning probability.
pub(super) fn ln_chance(advantage: f64) -> f64 {
    advantage.min(0.0) - (-advantage.abs()).exp().ln_1p()
}
