//! The progress of a tournament: which game is next, at which attempt, and what the games so far have decided.
//!
//! A [`TournamentProgress`] stands above a [`Schedule`]. Games go out in schedule order and come back in any; what counts is settled
//! in schedule order, so that a verdict does not depend on who was faster. Going on after an interruption, and making
//! tables from a journal, is the same progress walked again with results that are known already. Knows neither bots nor
//! files.
//!
//! ```
//! use arbiter::tournament::{TournamentProgress, AttemptResult, TournamentRules, NextAttempt};
//! use arbiter::schedule::{Format, Schedule};
//! let names = ["conny", "randy"].map(String::from);
//! let schedule = Schedule::new(Format::RoundRobin { games: 1, rounds: 1 }, &names).unwrap();
//! let mut progress = TournamentProgress::new(schedule, TournamentRules { tries: 3, ..TournamentRules::default() });
//! let NextAttempt::Play(pairing, 1) = progress.next() else { panic!() };
//! progress.ended(pairing.index, AttemptResult::Aborted);
//! let NextAttempt::Play(pairing, 2) = progress.next() else { panic!("it is played again") };
//! progress.ended(pairing.index, AttemptResult::Scored([2, 0]));
//! assert!(matches!(progress.next(), NextAttempt::Over));
//! assert_eq!(progress.counted().count(), 1);
//! ```

use crate::rating::{Sprt, Trial};
use crate::schedule::{NextGame, Pairing, Results, Schedule};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What a tournament's progress depends on beside its schedule.
#[derive(Debug, Clone, Default)]
pub struct TournamentRules {
    /// Attempts at a game that is aborted again and again; at least 1.
    pub tries: u32,
    /// The number of forfeits of one bot that ends everything; 0 for never.
    pub stop_after_forfeits: u32,
    /// The test that the pairs of the first bot against the second are for.
    pub sprt: Option<Sprt>,
}

/// How an attempt at a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptResult {
    /// With a result: half points of the first and the second side.
    Scored([u32; 2]),
    /// With a result, by forfeit of the side that has nothing.
    Forfeited([u32; 2]),
    /// Without one, and without anybody's fault.
    Aborted,
}

impl AttemptResult {
    /// Half points of the first and the second side; none if nobody scores.
    #[must_use]
    pub fn half_points(self) -> Option<[u32; 2]> {
        match self {
            AttemptResult::Scored(half_points) | AttemptResult::Forfeited(half_points) => Some(half_points),
            AttemptResult::Aborted => None,
        }
    }
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextAttempt {
    /// Play this game; the number of the attempt, from 1.
    Play(Pairing, u32),
    /// Something that is running has to end first.
    Wait,
    /// All is played or decided.
    Over,
}

/// A game whose result stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedGame {
    /// The game.
    pub pairing: Pairing,
    /// The attempt that counts.
    pub attempt: u32,
    /// How it ended; an aborted one counts for nobody.
    pub ended: AttemptResult,
}

/// A game that has gone out.
#[derive(Debug, Clone)]
struct Slot {
    pairing: Pairing,
    attempt: u32,
    ended: Option<AttemptResult>,
    /// Nothing more will come of it.
    done: bool,
}

/// A tournament on its way.
#[derive(Debug, Clone)]
pub struct TournamentProgress {
    schedule: Schedule,
    results: Results,
    rules: TournamentRules,
    /// Games that have gone out and whose turn to count has not come, by their index.
    out: BTreeMap<u64, Slot>,
    /// Those of them that are to be played again.
    again: BTreeSet<u64>,
    counted: VecDeque<CountedGame>,
    forfeits: BTreeMap<usize, u32>,
    /// The bot whose forfeits ended everything.
    stopped_by: Option<usize>,
    trial: Option<Trial>,
    /// A game was left out: what comes after it decides nothing.
    gap: bool,
    finished: bool,
}

impl TournamentProgress {
    /// Nothing has been played.
    #[must_use]
    pub fn new(schedule: Schedule, rules: TournamentRules) -> TournamentProgress {
        let trial = rules.sprt.map(Trial::new);
        TournamentProgress {
            schedule,
            results: Results::default(),
            rules,
            out: BTreeMap::new(),
            again: BTreeSet::new(),
            counted: VecDeque::new(),
            forfeits: BTreeMap::new(),
            stopped_by: None,
            trial,
            gap: false,
            finished: false,
        }
    }

    /// What is to be done next; every game that it hands out has to be [`ended`](TournamentProgress::ended) or
    /// [`left_out`](TournamentProgress::left_out).
    #[expect(clippy::should_implement_trait, reason = "what comes next depends on what has ended meanwhile")]
    pub fn next(&mut self) -> NextAttempt {
        if self.results.is_closed() {
            return NextAttempt::Over;
        }
        if let Some(slot) = self.again.pop_first().and_then(|index| self.out.get(&index)) {
            return NextAttempt::Play(slot.pairing.clone(), slot.attempt);
        }
        match self.schedule.next(&self.results) {
            NextGame::Game(pairing) => {
                let slot = Slot { pairing: pairing.clone(), attempt: 1, ended: None, done: false };
                self.out.insert(pairing.index, slot);
                NextAttempt::Play(pairing, 1)
            }
            // What is still running may be aborted, and then has to be played again.
            NextGame::Over if self.out.is_empty() => {
                self.finished = true;
                NextAttempt::Over
            }
            NextGame::Over | NextGame::Wait => NextAttempt::Wait,
        }
    }

    /// The game of that index, which is out, has ended so. That it has is heard once.
    pub fn ended(&mut self, index: u64, ended: AttemptResult) {
        let Some(slot) = self.out.get_mut(&index).filter(|slot| slot.ended.is_none()) else { return };
        slot.ended = Some(ended);
        let unit: &[u64] = match &self.trial {
            None => &[index],
            // A pair is one observation: both its games count, or neither.
            Some(_) => &[index & !1, index | 1],
        };
        let ends: Vec<AttemptResult> =
            unit.iter().filter_map(|index| self.out.get(index).and_then(|slot| slot.ended)).collect();
        if ends.len() == unit.len() {
            self.judge(unit, ends.contains(&AttemptResult::Aborted));
            self.settle();
        }
    }

    /// The game of that index, which is out, is not going to be played here.
    pub fn left_out(&mut self, index: u64) {
        self.out.remove(&index);
        self.gap = true;
        if self.trial.is_some() {
            self.results.close(); // the unbroken prefix ends here
        }
    }

    /// The games that have come to count since this was last asked, in schedule order.
    pub fn counted(&mut self) -> impl Iterator<Item = CountedGame> + '_ {
        self.counted.drain(..)
    }

    /// Whether all that was to be played has been, or a verdict has fallen.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.gap && (self.finished || self.results.is_closed())
    }

    /// The bot, if any, whose forfeits have ended everything.
    #[must_use]
    pub fn stopped_by(&self) -> Option<usize> {
        self.stopped_by
    }

    /// How the test stands, if this is one.
    #[must_use]
    pub fn trial(&self) -> Option<&Trial> {
        self.trial.as_ref()
    }

    /// The schedule, for what it knows of byes, rounds and places.
    #[must_use]
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// All games of a unit have ended: they are played again together, or done.
    fn judge(&mut self, unit: &[u64], aborted: bool) {
        for index in unit {
            let Some(slot) = self.out.get_mut(index) else { continue };
            if aborted && slot.attempt < self.rules.tries {
                slot.attempt += 1;
                slot.ended = None;
                self.again.insert(*index);
                continue;
            }
            slot.done = true;
            if aborted {
                slot.ended = Some(AttemptResult::Aborted); // a pair is void as a whole
            }
            self.results.settle(&slot.pairing, slot.ended.and_then(AttemptResult::half_points));
        }
    }

    /// Lets games count, in schedule order, as far as they are done and nothing has been decided before them.
    fn settle(&mut self) {
        while !self.results.is_closed()
            && let Some(first) = self.out.first_entry().filter(|first| first.get().done)
        {
            let Slot { pairing, attempt, ended, .. } = first.remove();
            let counted = CountedGame { pairing, attempt, ended: ended.unwrap_or(AttemptResult::Aborted) };
            self.count_forfeit(&counted);
            self.counted.push_back(counted);
            self.weigh();
        }
    }

    fn count_forfeit(&mut self, counted: &CountedGame) {
        let AttemptResult::Forfeited([first, _]) = counted.ended else { return };
        let bot = if first == 0 { counted.pairing.first } else { counted.pairing.second };
        let count = self.forfeits.entry(bot).or_default();
        *count += 1;
        if *count == self.rules.stop_after_forfeits && !self.gap {
            self.stopped_by = Some(bot);
            self.results.close();
        }
    }

    /// Weighs the last pair, if it has just become whole.
    fn weigh(&mut self) {
        let (Some(trial), [.., one, other]) = (&mut self.trial, &*self.counted.make_contiguous()) else {
            return;
        };
        if other.pairing.index % 2 == 0 {
            return;
        }
        let points = |counted: &CountedGame| {
            counted
                .ended
                .half_points()
                .map(|[first, second]| if counted.pairing.first == 0 { first } else { second })
        };
        if let (Some(one), Some(other)) = (points(one), points(other)) {
            trial.add((one + other) as usize);
            if trial.verdict().is_some() {
                self.results.close();
            }
        }
    }
}
