//! Results of games, as far as a schedule depends on them.

use super::Pairing;
use std::collections::{BTreeMap, BTreeSet};

/// Points of every bot, which games are settled, and where bots stand; the size does not grow with
/// the number of games.
///
/// In no format does a bot play in two pairings at once whose results decide the next games. So a
/// schedule that needs the result of a pairing compares the points of both bots before and after
/// it, and points of pairings are not stored.
///
/// ```
/// use arbiter_rank::schedule::{Format, NextGame, Results, Schedule};
/// let names = ["conny", "randy"].map(String::from);
/// let mut schedule = Schedule::new(Format::default(), &names)?;
/// let mut results = Results::default();
/// let NextGame::Game(one) = schedule.next(&results) else { panic!() };
/// let NextGame::Game(two) = schedule.next(&results) else { panic!() };
/// results.settle(&two, Some([2, 0])); // the first side won; in the second game that is randy
/// assert_eq!((results.points(1), results.prefix()), (2, 0));
/// results.settle(&one, None); // aborted for good
/// assert_eq!(results.prefix(), 2);
/// # Ok::<(), arbiter_rank::schedule::ScheduleError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Results {
    points: Vec<u64>,
    /// The number of games of each bot that stay aborted.
    aborted: Vec<u64>,
    prefix: u64,
    /// Games beyond the prefix that are settled.
    ahead: BTreeSet<u64>,
    closed: bool,
    /// Of the bots whose games end by tests, those that need further games.
    places: BTreeMap<usize, StepPlace>,
}

/// Where a bot stands that meets one leading bot after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepPlace {
    /// The leading bot that it meets.
    pub step: usize,
    /// The number of its pairs with that one, without a gap, that are settled and counted.
    pub pairs: u64,
}

impl Results {
    /// Records the end of a game: the half points of its first and second side, or `None` if it
    /// stays aborted and gives no points.
    ///
    /// If the game is settled already, the first result stands.
    pub fn settle(&mut self, pairing: &Pairing, score: Option<[u32; 2]>) {
        if pairing.index < self.prefix || !self.ahead.insert(pairing.index) {
            return;
        }
        while self.ahead.remove(&self.prefix) {
            self.prefix += 1;
        }
        let [of_first, of_second] = score.unwrap_or_default();
        for (bot, half_points) in [(pairing.first, of_first), (pairing.second, of_second)] {
            if self.points.len() <= bot {
                self.points.resize(bot + 1, 0);
                self.aborted.resize(bot + 1, 0);
            }
            self.points[bot] += u64::from(half_points);
            self.aborted[bot] += u64::from(score.is_none());
        }
    }

    /// No further game is to start, because the verdict is known.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Whether no further game is to start.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Sets where a bot stands; `None` if it needs no further games, or cannot have them here.
    pub fn set_place(&mut self, bot: usize, place: Option<StepPlace>) {
        match place {
            Some(place) => self.places.insert(bot, place),
            None => self.places.remove(&bot),
        };
    }

    /// Where a bot stands; `None` if it needs no further games.
    pub fn place(&self, bot: usize) -> Option<StepPlace> {
        self.places.get(&bot).copied()
    }

    /// Number of settled games without a gap, counted from the first game of the schedule.
    pub fn prefix(&self) -> u64 {
        self.prefix
    }

    /// Half points of a bot from games, without byes.
    pub fn points(&self, bot: usize) -> u64 {
        self.points.get(bot).copied().unwrap_or(0)
    }

    /// Number of games of a bot that stay aborted.
    pub fn aborted(&self, bot: usize) -> u64 {
        self.aborted.get(bot).copied().unwrap_or(0)
    }
}
