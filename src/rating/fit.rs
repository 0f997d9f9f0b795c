//! The likelihood and its maximum (definitions 4 and 8). Ratings are natural logarithms of odds here, not Elo.

use super::K;
use super::groups::Groups;
use super::information::Information;
use super::meetings::{Games, Meeting};

/// The search ends when no rating moves by more than this, in Elo (definition 8).
const STILL: f64 = 1e-9;

/// Below this, in Elo, Newton's steps dwindle at once; one that does not is rounding, which in lopsided games can be more
/// than `STILL`.
const DWINDLING: f64 = 1e-4;

/// A short stride, in logarithms of odds.
const SHORT: f64 = 2.0;

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

    /// What the logarithm of the first side's odds is.
    pub(super) fn advantage(&self, first: usize, second: usize) -> f64 {
        self.ratings[first] + self.first_side - self.ratings[second]
    }

    fn largest(&self) -> f64 {
        self.ratings.iter().fold(self.first_side.abs(), |largest, value| largest.max(value.abs()))
    }

    fn plus(&self, part: f64, step: &Values) -> Values {
        let ratings =
            self.ratings.iter().zip(&step.ratings).map(|(value, change)| value + part * change).collect();
        Values { ratings, first_side: self.first_side + part * step.first_side }
    }
}

/// What the first side's advantage is in a fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Advantage {
    Estimated,
    Zero,
}

/// The games inside groups, and what is to be estimated from them.
#[derive(Debug)]
pub(super) struct Likelihood<'a> {
    pub(super) groups: &'a Groups,
    pub(super) meetings: Vec<Meeting>,
    pub(super) advantage: Advantage,
}

impl<'a> Likelihood<'a> {
    pub(super) fn new(groups: &'a Groups, meetings: &[Meeting], advantage: Advantage) -> Likelihood<'a> {
        let inside = |meeting: &&Meeting| groups.of[meeting.a] == groups.of[meeting.b];
        Likelihood { groups, meetings: meetings.iter().filter(inside).copied().collect(), advantage }
    }

    /// First side, second side, and their games.
    pub(super) fn games(&self) -> impl Iterator<Item = (usize, usize, Games)> {
        self.meetings.iter().flat_map(|meeting| {
            let [of_a, of_b] = meeting.by_first;
            [(meeting.a, meeting.b, of_a), (meeting.b, meeting.a, of_b)]
        })
    }

    /// Its logarithm (definition 4).
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
            // Not `won - count * p`, which would lose the digits of a rare defeat.
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

    /// The maximum and the information there; none if it is not found in so many steps (definition 8).
    ///
    /// Long strides go far in ladders of many bots, but where a few games stand beside very many they can lose their
    /// way in the flat: then the search begins anew with short ones.
    pub(super) fn climb(&self, steps: usize) -> Option<(Values, Information)> {
        [f64::INFINITY, SHORT].into_iter().find_map(|stride| self.climb_by(stride, steps))
    }

    /// The same by steps in which no advantage changes by more than `stride`.
    fn climb_by(&self, stride: f64, steps: usize) -> Option<(Values, Information)> {
        let mut at = Values::zeros(self.groups.of.len());
        let mut last = f64::INFINITY;
        for _ in 0..steps {
            let gradient = self.gradient(&at);
            // A step that is short because it is damped is not the end.
            if let Some(information) = Information::of(self, &at, 0.0) {
                let step = information.solve(self.groups, &gradient);
                let size = step.largest() / K;
                if size < STILL || (size < DWINDLING && size > last / 2.0) {
                    return Some((at.plus(1.0, &step), information));
                }
                last = size;
                at = self.advance(at, &step, stride);
            } else {
                let damped = [1e-12, 1e-9, 1e-6, 1e-3, 1.0]
                    .iter()
                    .find_map(|&part| Information::of(self, &at, part))?;
                at = self.advance(at, &damped.solve(self.groups, &gradient), stride);
            }
        }
        None
    }

    /// Goes as much of a step as raises the likelihood.
    fn advance(&self, at: Values, step: &Values, stride: f64) -> Values {
        let far =
            self.games().map(|(first, second, _)| step.advantage(first, second).abs()).fold(0.0, f64::max);
        let mut before = None;
        let mut part = (stride / far).min(1.0);
        loop {
            let there = at.plus(part, step);
            // Where no advantage changes by more than 1, the curvature changes at most e-fold, and a Newton step is
            // known to gain; figures that differ by less than rounding need not be compared.
            if part * far <= 1.0
                || self.logarithm(&there) > *before.get_or_insert_with(|| self.logarithm(&at))
            {
                return there;
            }
            part /= 2.0;
        }
    }
}

/// The chances of the first and of the second side when the logarithm of the first one's odds is this; neither loses
/// digits when it is small.
pub(super) fn chances(advantage: f64) -> [f64; 2] {
    let small = (-advantage.abs()).exp();
    let [likely, unlikely] = [1.0 / (1.0 + small), small / (1.0 + small)];
    if advantage >= 0.0 { [likely, unlikely] } else { [unlikely, likely] }
}

/// The logarithm of the first side's chance.
pub(super) fn ln_chance(advantage: f64) -> f64 {
    advantage.min(0.0) - (-advantage.abs()).exp().ln_1p()
}
