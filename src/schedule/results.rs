//! What is known of the games so far, as far as a schedule depends on it.

use super::Pairing;
use std::collections::BTreeSet;

/// Points of every bot, and how far the games are settled; its size does not grow with the number of games.
///
/// In no format does a bot play in two meetings at once whose results decide what comes next. So a schedule that needs
/// the result of a meeting takes the points of both bots before and after it, and points of meetings are not kept.
///
/// ```
/// use arbiter::schedule::{Format, Next, Results, Schedule};
/// let names = ["conny", "randy"].map(String::from);
/// let mut schedule = Schedule::new(Format::RoundRobin { games: 2, rounds: 1 }, &names)?;
/// let mut results = Results::default();
/// let (Next::Game(one), Next::Game(two)) = (schedule.next(&results), schedule.next(&results)) else { panic!() };
/// results.settle(&two, Some([2, 0])); // the first side won; sides are exchanged, so that was randy
/// assert_eq!((results.points(1), results.prefix()), (2, 0));
/// results.settle(&one, None); // aborted for good
/// assert_eq!(results.prefix(), 2);
/// # Ok::<(), arbiter::schedule::ScheduleError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Results {
    points: Vec<u64>,
    prefix: u64,
    /// Games beyond the prefix that are settled.
    ahead: BTreeSet<u64>,
    closed: bool,
}

impl Results {
    /// A game has ended: with half points of its first and second side, or aborted for good, so that nobody scores.
    ///
    /// Of a game that was settled before, the first result stands.
    pub fn settle(&mut self, pairing: &Pairing, score: Option<[u32; 2]>) {
        if pairing.index < self.prefix || !self.ahead.insert(pairing.index) {
            return;
        }
        while self.ahead.remove(&self.prefix) {
            self.prefix += 1;
        }
        for (bot, half_points) in [pairing.first, pairing.second].into_iter().zip(score.unwrap_or_default()) {
            if self.points.len() <= bot {
                self.points.resize(bot + 1, 0);
            }
            self.points[bot] += u64::from(half_points);
        }
    }

    /// Nothing more is to begin, for a verdict has fallen.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Whether nothing more is to begin.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// How many games are settled without a gap from the first game of the schedule on.
    #[must_use]
    pub fn prefix(&self) -> u64 {
        self.prefix
    }

    /// Half points that a bot has scored in games; byes give none here.
    #[must_use]
    pub fn points(&self, bot: usize) -> u64 {
        self.points.get(bot).copied().unwrap_or(0)
    }
}
