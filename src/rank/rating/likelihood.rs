//! The model and the function that the ratings maximise (definitions 4 and 6). Ratings are natural
//! logarithms of odds here, not Elo.
//!
//! The model is that of R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs",
//! Biometrika 39 (1952), 324-345, with an advantage of the first side.

use super::game_graph::GameGraph;

/// Whether the ratings take an advantage of the first side into account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FirstSide {
    /// It is estimated, if the games determine it.
    #[default]
    Estimated,
    /// It is left out, because nobody knows that the side that is named first is the one that moves
    /// first.
    LeftOut,
}

/// A number for each bot and one for the first side: ratings, a step, a gradient.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Values {
    pub ratings: Vec<f64>,
    pub first_side: f64,
}

impl Values {
    pub fn zeros(bots: usize) -> Values {
        Values { ratings: vec![0.0; bots], first_side: 0.0 }
    }

    /// The logarithm of the first side's odds.
    pub fn advantage(&self, first: usize, second: usize) -> f64 {
        self.ratings[first] + self.first_side - self.ratings[second]
    }

    pub fn largest(&self) -> f64 {
        self.ratings.iter().fold(self.first_side.abs(), |largest, value| largest.max(value.abs()))
    }

    pub fn plus(&self, part: f64, step: &Values) -> Values {
        let mut sum = self.clone();
        for (rating, change) in sum.ratings.iter_mut().zip(&step.ratings) {
            *rating += part * change;
        }
        sum.first_side += part * step.first_side;
        sum
    }
}

/// The logarithm of the likelihood of the games and of their virtual draws, and its gradient.
#[derive(Debug)]
pub(super) struct Likelihood<'a> {
    pub graph: &'a GameGraph,
    pub first_side: FirstSide,
}

impl Likelihood<'_> {
    /// First side, second side, and the points of each in their games and virtual draws.
    fn points(&self) -> impl Iterator<Item = (usize, usize, [f64; 2])> {
        let played = self.graph.games().filter(|(_, _, games)| games.count > 0);
        played.map(|(first, second, games)| {
            let draws = f64::from(games.count) * games.weight / 2.0;
            (first, second, games.points().map(|points| points + draws))
        })
    }

    /// The logarithm of the likelihood (definition 6).
    pub fn logarithm(&self, at: &Values) -> f64 {
        let mut logarithm = 0.0;
        for (first, second, [won, lost]) in self.points() {
            let advantage = at.advantage(first, second);
            logarithm += won * ln_chance(advantage) + lost * ln_chance(-advantage);
        }
        logarithm
    }

    /// Its derivative by each rating and by the first side's advantage (definition 7).
    pub fn gradient(&self, at: &Values) -> Values {
        let mut gradient = Values::zeros(at.ratings.len());
        for (first, second, [won, lost]) in self.points() {
            let [p, q] = chances(at.advantage(first, second));
            // Not `won - (won + lost) * p`, which loses precision when defeats are rare.
            let excess = won * q - lost * p;
            gradient.ratings[first] += excess;
            gradient.ratings[second] -= excess;
            gradient.first_side += excess;
        }
        if self.first_side == FirstSide::LeftOut {
            gradient.first_side = 0.0;
        }
        gradient
    }
}

/// The winning probabilities of the first and the second side for this logarithm of the first
/// side's odds. Both keep full precision when they are small.
pub(super) fn chances(advantage: f64) -> [f64; 2] {
    let small = (-advantage.abs()).exp();
    let [likely, unlikely] = [1.0 / (1.0 + small), small / (1.0 + small)];
    if advantage >= 0.0 { [likely, unlikely] } else { [unlikely, likely] }
}

/// The logarithm of the first side's winning probability.
fn ln_chance(advantage: f64) -> f64 {
    // The exponential function of a positive advantage could overflow.
    advantage.min(0.0) - (-advantage.abs()).exp().ln_1p()
}
