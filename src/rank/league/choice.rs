//! The choice of the next pair, from what is known of each bot.
//!
//! To rank two bots by estimates costs, in the mean, s φ(d/s) - |d| Φ(-|d|/s) if a wrong order
//! costs the difference of their strengths; d is the estimated difference and s its standard
//! deviation (the linear loss of H. Raiffa and R. Schlaifer, "Applied Statistical Decision Theory",
//! 1961, chapter 5). By the variance s² that has the derivative φ(d/s) / (2 s), the *doubt* about
//! the two, large where they are close and little is known.
//!
//! A pair of games with the information w, that is Σ p(1-p), changes the variance C of a bot to C -
//! C² w / (1 + w V), where V is the variance of the difference of the two that play. So the gain of
//! a pair is the sum over all two bots of their doubt times what the variance of their difference
//! loses, and the pair of greatest gain is played. To choose by the expected information follows M.
//! Glickman and S. Jensen, "Adaptive paired comparison designs", Journal of Statistical Planning
//! and Inference 127 (2005), 279-293. Covariances are left out: bots that have met many others have
//! small ones, and no choice costs more than the square of the number of bots.

use super::{NEWCOMER_GAMES, Why};
use crate::rating::{K, Strength, Z, of_game};
use std::cmp::Reverse;

/// Games of a pair of games.
const PAIR: f64 = 2.0;

/// The standard deviation of what decides games of two bots beyond their strengths, in Elo: a
/// style that the other one does not like. So the tenth pair of the same two bots says less about
/// their strengths than the first.
const STYLE: f64 = 60.0;

/// A bot is due when it has waited for so many pairs for each bot in the league.
const DUE: u64 = 2;

/// The bots among which to choose.
#[derive(Debug)]
pub(super) struct Field {
    pub bots: Vec<FieldBot>,
    /// The games of each two, row by row, with those of pairs under way.
    met: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct FieldBot {
    pub number: usize,
    /// What is known of it, in natural logarithms of odds. The pairs under way count as if their
    /// games had been played, for the variance alone.
    strength: Strength,
    games: u64,
    pub games_before: u64,
    /// The number of its last pair; 0 if it has none.
    pub last: u64,
    pub running: usize,
}

impl Field {
    pub fn new(strengths: &[Strength]) -> Field {
        let mut bots = Vec::new();
        for &strength in strengths {
            bots.push(FieldBot {
                number: 0,
                strength,
                games: 0,
                games_before: 0,
                last: 0,
                running: 0,
            });
        }
        Field { met: vec![0; bots.len() * bots.len()], bots }
    }

    /// Counts games that were played, with each other.
    pub fn count(&mut self, [one, other]: [usize; 2], games: u32) {
        for (bot, opponent) in [(one, other), (other, one)] {
            self.bots[bot].games += u64::from(games);
            self.met[bot * self.bots.len() + opponent] += games;
        }
    }

    /// Counts a pair under way.
    pub fn expect(&mut self, [one, other]: [usize; 2]) {
        let narrowed = self.narrowed(one, other);
        self.bots[one].strength.variance -= narrowed[0];
        self.bots[other].strength.variance -= narrowed[1];
        for (bot, opponent) in [(one, other), (other, one)] {
            self.met[bot * self.bots.len() + opponent] += PAIR as u32;
        }
    }

    /// Two bots, and why they play the pair with this number.
    pub fn choose(&self, number: u64) -> (usize, usize, Why) {
        let idle = self.idle();
        if let Some((one, why)) = self.preferred(number) {
            let mut best = (f64::NEG_INFINITY, one);
            for &other in &idle {
                let narrowed = self.narrowed(one, other)[0];
                if other != one && narrowed > best.0 {
                    best = (narrowed, other);
                }
            }
            return (one, best.1, why);
        }
        let doubts = self.doubts();
        let mut best = (f64::NEG_INFINITY, idle[0], idle[1]);
        for (at, &one) in idle.iter().enumerate() {
            for &other in &idle[at + 1..] {
                let gain = self.gain(&doubts, one, other);
                if gain > best.0 {
                    best = (gain, one, other);
                }
            }
        }
        let (_, one, other) = best;
        self.with_reason(one, other)
    }

    /// A bot that has to play before all others, if there is one.
    fn preferred(&self, number: u64) -> Option<(usize, Why)> {
        let mut newcomer = None;
        let mut due = None;
        for (at, bot) in self.bots.iter().enumerate() {
            if bot.running > 0 {
                continue;
            }
            let by_games = (bot.games > 0, bot.games + bot.games_before, at);
            if bot.games < NEWCOMER_GAMES && newcomer.is_none_or(|least| by_games < least) {
                newcomer = Some(by_games);
            }
            let waited = number - 1 - bot.last;
            let by_wait = Reverse((waited, Reverse(at)));
            if waited >= DUE * self.bots.len() as u64 && due.is_none_or(|first| by_wait < first) {
                due = Some(by_wait);
            }
        }
        let newcomer = newcomer.map(|(_, _, at)| {
            (at, Why::Newcomer { games: self.bots[at].games, of: NEWCOMER_GAMES })
        });
        let due = due.map(|Reverse((pairs, Reverse(at)))| (at, Why::WaitedLongest { pairs }));
        match newcomer {
            Some((at, _)) if due.is_some() && self.bots[at].games > 0 && number % 2 == 1 => due,
            Some(newcomer) => Some(newcomer),
            None => due,
        }
    }

    /// The bots with the fewest pairs under way: at least two.
    fn idle(&self) -> Vec<usize> {
        let mut loads: Vec<usize> = self.bots.iter().map(|bot| bot.running).collect();
        loads.sort_unstable();
        let mut idle = Vec::new();
        for (at, bot) in self.bots.iter().enumerate() {
            if bot.running <= loads[1] {
                idle.push(at);
            }
        }
        idle
    }

    /// Why these two play, after the two: first the one for whose sake they do.
    fn with_reason(&self, mut one: usize, mut other: usize) -> (usize, usize, Why) {
        let [a, b] = [one, other].map(|bot| self.bots[bot].strength);
        if (a.mean - b.mean).abs() < Z * (a.variance + b.variance).sqrt() {
            if b.mean > a.mean {
                (one, other) = (other, one);
            }
            let ranks = [one, other].map(|bot| self.rank(bot));
            return (one, other, Why::Undecided { ranks });
        }
        if b.variance > a.variance {
            (one, other) = (other, one);
        }
        let half_width = Z * self.bots[one].strength.variance.sqrt() / K;
        (one, other, Why::WideInterval { elo: half_width.round() as u64 })
    }

    /// The rank by strength, ties by number.
    fn rank(&self, bot: usize) -> usize {
        let mean = self.bots[bot].strength.mean;
        let mut better = 0;
        for (at, other) in self.bots.iter().enumerate() {
            let other = other.strength.mean;
            better += usize::from(other > mean || (other == mean && at < bot));
        }
        better + 1
    }

    /// The information of a further pair of these two about the difference of their strengths.
    ///
    /// n games of the same two, each with the information w = p(1-p), tell what decides games
    /// between these two: its variance is that of the difference and of the style, 1/(n w) + τ². So
    /// they tell n w / (1 + n w τ²) of the difference, and one game more the derivative of it.
    fn information(&self, one: usize, other: usize) -> f64 {
        let difference = self.bots[one].strength.mean - self.bots[other].strength.mean;
        let of_game = of_game(difference);
        let known = f64::from(self.met[one * self.bots.len() + other]) * of_game;
        PAIR * of_game / (1.0 + known * (STYLE * K).powi(2)).powi(2)
    }

    /// By how much a pair of these two narrows the variance of each: C² w / (1 + w V), with V the
    /// variance of the difference, the sum of both.
    fn narrowed(&self, one: usize, other: usize) -> [f64; 2] {
        let information = self.information(one, other);
        let variances = [one, other].map(|bot| self.bots[bot].strength.variance);
        let rate = information / (1.0 + information * (variances[0] + variances[1]));
        variances.map(|variance| variance * variance * rate)
    }

    /// The doubt about the order of two bots, without the constant factor.
    fn doubt(&self, one: usize, other: usize) -> f64 {
        let [a, b] = [one, other].map(|bot| self.bots[bot].strength);
        let variance = a.variance + b.variance;
        (-(a.mean - b.mean).powi(2) / (2.0 * variance)).exp() / variance.sqrt()
    }

    /// For each bot, the sum of the doubts about it and each other one.
    fn doubts(&self) -> Vec<f64> {
        let mut doubts = vec![0.0; self.bots.len()];
        for one in 0..self.bots.len() {
            for other in one + 1..self.bots.len() {
                let doubt = self.doubt(one, other);
                doubts[one] += doubt;
                doubts[other] += doubt;
            }
        }
        doubts
    }

    /// The gain of a pair: the variances of all differences to one of the two fall with its own, and
    /// that of their own difference by w V² / (1 + w V), which is more than the sum of both.
    fn gain(&self, doubts: &[f64], one: usize, other: usize) -> f64 {
        let [of_one, of_other] = self.narrowed(one, other);
        let both = 2.0 * (of_one * of_other).sqrt() * self.doubt(one, other);
        of_one * doubts[one] + of_other * doubts[other] + both
    }
}
