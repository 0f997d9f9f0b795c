//! Who plays whom next in a league without an end.
//!
//! Owns the results of the present versions and the choice of the next pair: two bots that play two
//! games with sides swapped. Knows no names, files, processes or time: a bot is a number, and the
//! only clock is the number of pairs that were handed out. Equal results and equal pairs under way
//! give the same next pair, in whatever order they were added, so a league continues from its
//! journal. Only a pair that somebody [asks](League::ask) for comes before it.
//!
//! ```
//! use arbiter_rank::league::{League, Tally};
//! let mut league = League::new();
//! for bot in 0..3 {
//!     league.join(bot, 0);
//! }
//! let pair = league.next_pair().unwrap();
//! assert_eq!((pair.number, pair.one, pair.other), (1, 0, 1));
//! assert_eq!(pair.why.to_string(), "newcomer: 0 of 20 games");
//! league.begin(pair.number, [pair.one, pair.other]);
//! assert_eq!(league.next_pair().unwrap().one, 2); // the third one is not kept waiting
//! league.add(pair.number, [0, 1], Tally { wins: 1, draws: 1, losses: 0 });
//! league.join(0, 2); // a new version: what the old one played is forgotten
//! assert_eq!(league.games(0), 0);
//! ```

mod asked;
mod choice;
mod why;

pub use asked::AskError;
pub use why::Why;

use crate::rating::{Strength, strengths};
use choice::Field;
use std::collections::{BTreeMap, VecDeque};

/// A bot is a newcomer until its present version has played so many games.
pub const NEWCOMER_GAMES: u64 = 20;

/// Results of some games of two bots, as the first of them sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

/// Two bots that are to play, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextPair {
    /// The number of the pair in the league, from 1.
    pub number: u64,
    /// The bot for whose sake they play.
    pub one: usize,
    /// Its opponent.
    pub other: usize,
    pub why: Why,
}

/// Bots, the results of their present versions, and the pairs under way.
#[derive(Debug, Clone, Default)]
pub struct League {
    /// The games of each before its present version.
    bots: BTreeMap<usize, u64>,
    /// By two bots, the lower number first.
    results: BTreeMap<[usize; 2], Tally>,
    /// The number of each bot's last pair, of any version.
    last: BTreeMap<usize, u64>,
    /// By their numbers.
    running: BTreeMap<u64, Running>,
    /// Pairs that were asked for and have not begun, the oldest first: the bot for whose sake, and
    /// its opponent. Both are in the league.
    asked: VecDeque<[usize; 2]>,
    /// The highest number of a pair so far.
    number: u64,
    /// The strengths of all bots by the results, in the order of their numbers; `None` if they have
    /// changed since.
    strengths: Option<Vec<Strength>>,
}

/// A pair that was handed out and has not ended.
#[derive(Debug, Clone, Copy)]
struct Running {
    bots: [usize; 2],
    /// Whether both bots still have the versions that play it.
    is_current: bool,
}

impl Tally {
    /// The number of games.
    fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    fn half_points(self) -> u32 {
        2 * self.wins + self.draws
    }

    /// The same results as the other bot sees them.
    pub fn of_opponent(self) -> Tally {
        Tally { wins: self.losses, losses: self.wins, ..self }
    }

    /// The results of both.
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl League {
    /// A league without bots.
    pub fn new() -> League {
        League::default()
    }

    /// A bot joins, or a new version replaces the one that plays: results of the version before,
    /// and those of others against it, are forgotten. `games_before` is the number of games of its
    /// earlier versions.
    pub fn join(&mut self, bot: usize, games_before: u64) {
        self.forget(bot);
        self.bots.insert(bot, games_before);
    }

    /// A bot leaves. Its pairs under way still have to end, and will not count; those that were
    /// asked for are not played.
    pub fn leave(&mut self, bot: usize) {
        self.forget(bot);
        self.bots.remove(&bot);
        self.asked.retain(|pair| !pair.contains(&bot));
    }

    /// Forgets the results of a bot's version, and of its pairs under way.
    fn forget(&mut self, bot: usize) {
        self.results.retain(|pair, _| !pair.contains(&bot));
        for running in self.running.values_mut() {
            running.is_current &= !running.bots.contains(&bot);
        }
        self.strengths = None;
    }

    /// A pair of any versions was handed out. After a restart, each pair of the journal: the numbers
    /// go on, and no bot has waited since its last pair, whether or not that still counts.
    pub fn played(&mut self, number: u64, bots: [usize; 2]) {
        self.number = self.number.max(number);
        for bot in bots {
            let last = self.last.entry(bot).or_default();
            *last = number.max(*last);
        }
    }

    /// A pair was handed out: [`League::next_pair`] proposed it, or somebody asked for it.
    pub fn begin(&mut self, number: u64, bots: [usize; 2]) {
        let is_current = bots.iter().all(|bot| self.bots.contains_key(bot));
        self.running.insert(number, Running { bots, is_current });
        self.asked.retain(|pair| *pair != bots);
        self.played(number, bots);
    }

    /// A pair has ended, with these results of the first of the two bots; without games if it stays
    /// aborted. After a restart, the results that the journal has of present versions.
    ///
    /// Nothing is counted if a bot has left or has another version since the pair began.
    pub fn add(&mut self, number: u64, bots: [usize; 2], mut tally: Tally) {
        self.played(number, bots);
        let is_current = self.running.remove(&number).is_none_or(|running| running.is_current);
        let [mut one, mut other] = bots;
        let are_in = self.bots.contains_key(&one) && self.bots.contains_key(&other);
        if one == other || !are_in || !is_current {
            return;
        }
        if one > other {
            (one, other) = (other, one);
            tally = tally.of_opponent();
        }
        let all = self.results.entry([one, other]).or_default();
        *all = all.plus(tally);
        self.strengths = None;
    }

    /// The number of counted games of a bot's present version.
    pub fn games(&self, bot: usize) -> u64 {
        let mut games = 0;
        for (pair, tally) in &self.results {
            if pair.contains(&bot) {
                games += u64::from(tally.games());
            }
        }
        games
    }

    /// The number of the next pair.
    pub fn next_number(&self) -> u64 {
        self.number + 1
    }

    /// The pair to play next; `None` if there are fewer than two bots. It stays the same until
    /// something changes.
    ///
    /// If pairs were asked for, it is the oldest of these. Otherwise:
    ///
    /// 1. A bot that has no game, not even one under way, is paired at once.
    /// 2. If some newcomer has no pair under way, it is paired. If bots have waited for twice as
    ///    many pairs as there are bots, the one that has waited longest is. If both, they take
    ///    turns: uploads without end do not keep the others waiting.
    /// 3. Otherwise the pair is played that says most about the order of the bots.
    ///
    /// Bots with pairs under way are left out as long as two others are left.
    pub fn next_pair(&mut self) -> Option<NextPair> {
        if self.bots.len() < 2 {
            return None;
        }
        let number = self.next_number();
        if let Some(&[one, other]) = self.asked.front() {
            return Some(NextPair { number, one, other, why: Why::AskedFor });
        }
        let field = self.field();
        let (one, other, why) = field.choose(number);
        Some(NextPair { number, one: field.bots[one].number, other: field.bots[other].number, why })
    }

    /// What the choice depends on, with bots counted from 0.
    fn field(&mut self) -> Field {
        let numbers: Vec<usize> = self.bots.keys().copied().collect();
        let mut place = vec![None; numbers.last().map_or(0, |last| last + 1)];
        for (at, &bot) in numbers.iter().enumerate() {
            place[bot] = Some(at);
        }
        let mut results = Vec::new();
        for (pair, tally) in &self.results {
            if let [Some(one), Some(other)] = pair.map(|bot| place[bot]) {
                results.push(([one, other], *tally));
            }
        }
        let strengths = self.strengths.get_or_insert_with(|| {
            let games = results.iter().map(|(pair, all)| (*pair, all.games(), all.half_points()));
            strengths(numbers.len(), games.filter(|(_, games, _)| *games > 0))
        });
        let mut field = Field::new(strengths);
        for (at, (&number, &games_before)) in self.bots.iter().enumerate() {
            field.bots[at].number = number;
            field.bots[at].games_before = games_before;
            field.bots[at].last = self.last.get(&number).copied().unwrap_or_default();
        }
        for (pair, tally) in results {
            field.count(pair, tally.games());
        }
        for running in self.running.values() {
            let places = running.bots.map(|bot| place.get(bot).copied().flatten());
            for at in places.into_iter().flatten() {
                field.bots[at].running += 1;
            }
            if let ([Some(one), Some(other)], true) = (places, running.is_current) {
                field.expect([one, other]);
            }
        }
        field
    }
}
