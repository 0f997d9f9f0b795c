//! The progress of a tournament: which game is next, at which attempt, and what the games so far
//! have decided.
//!
//! A [`TournamentProgress`] drives a [`Schedule`]. Games are handed out in schedule order and end
//! in any order; they are counted in schedule order, so that a verdict does not depend on which
//! game ended first. Continuing after an interruption, and computing tables from a journal, repeat
//! the same progress with known results. Knows neither bots nor files.
//!
//! ```
//! use arbiter_cup::tournament::{TournamentProgress, AttemptResult, TournamentRules, NextAttempt};
//! use arbiter_rank::schedule::{Format, Schedule};
//! let names = ["conny", "randy"].map(String::from);
//! let schedule = Schedule::new(Format { games: 1, ..Format::default() }, &names).unwrap();
//! let rules = TournamentRules { tries: 3, ..TournamentRules::default() };
//! let mut progress = TournamentProgress::new(schedule, rules);
//! let NextAttempt::Play(pairing, 1) = progress.next() else { panic!() };
//! progress.ended(pairing.index, AttemptResult::Aborted);
//! let NextAttempt::Play(pairing, 2) = progress.next() else { panic!("it is played again") };
//! progress.ended(pairing.index, AttemptResult::Scored([2, 0]));
//! assert!(matches!(progress.next(), NextAttempt::Over));
//! assert_eq!(progress.counted().count(), 1);
//! ```

use super::attempt_result::AttemptResult;
use super::milestones::Milestones;
use arbiter_rank::rating::Trial;
use arbiter_rank::schedule::{NextGame, Pairing, Results, Schedule};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The rules of a tournament apart from its schedule.
#[derive(Debug, Clone, Default)]
pub struct TournamentRules {
    /// Maximum number of attempts at a game that keeps being aborted; at least 1.
    pub tries: u32,
    /// The number of forfeits of one bot that ends the tournament; 0 for never.
    pub stop_after_forfeits: u32,
    /// What pairs are tested for, with the pairs that count.
    pub tests: PairTests,
}

/// What the pairs of a tournament are tested for. Pairs count in the order of the schedule.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum PairTests {
    /// Nothing.
    #[default]
    None,
    /// Whether the first bot is better than the second.
    Sprt(Trial),
    /// Which steps each bot passes.
    Milestones(Milestones),
}

/// The answer of [`TournamentProgress::next`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextAttempt {
    /// Play this game; the number of the attempt, from 1.
    Play(Pairing, u32),
    /// A running game has to end first.
    Wait,
    /// All games are played, the tournament is decided, or the next games depend on some that were
    /// left out.
    Over,
}

/// A game whose result stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedGame {
    pub pairing: Pairing,
    /// The attempt that counts.
    pub attempt: u32,
    /// How it ended; an aborted game gives no points.
    pub ended: AttemptResult,
}

/// A game that was handed out.
#[derive(Debug, Clone)]
struct Slot {
    pairing: Pairing,
    attempt: u32,
    /// How this attempt ended.
    ended: Option<AttemptResult>,
    /// What counts of the game, as soon as there will be no further attempt.
    counts: Option<AttemptResult>,
}

/// The progress of a tournament.
#[derive(Debug)]
pub struct TournamentProgress {
    schedule: Schedule,
    results: Results,
    rules: TournamentRules,
    /// Games that were handed out and are not counted yet, by index.
    out: BTreeMap<u64, Slot>,
    /// Those of them that are to be played again, by index.
    again: BTreeSet<u64>,
    counted: VecDeque<CountedGame>,
    forfeits: BTreeMap<usize, u32>,
    /// The bot whose forfeits ended the tournament.
    stopped_by: Option<usize>,
    /// A game was left out: later games decide nothing.
    gap: bool,
    finished: bool,
    /// The round of the last game that was handed out.
    round: u32,
    /// The next games depend on games that were left out.
    waits: bool,
}

impl TournamentProgress {
    /// The progress before the first game.
    pub fn new(schedule: Schedule, rules: TournamentRules) -> TournamentProgress {
        let mut results = Results::default();
        if let PairTests::Milestones(milestones) = &rules.tests {
            for bot in 0..schedule.bots() {
                results.set_place(bot, milestones.place(bot));
            }
        }
        TournamentProgress {
            schedule,
            results,
            rules,
            out: BTreeMap::new(),
            again: BTreeSet::new(),
            counted: VecDeque::new(),
            forfeits: BTreeMap::new(),
            stopped_by: None,
            gap: false,
            finished: false,
            round: 0,
            waits: false,
        }
    }

    /// The next game; for every game that it hands out, call [`ended`](TournamentProgress::ended)
    /// or [`left_out`](TournamentProgress::left_out).
    #[expect(
        clippy::should_implement_trait,
        reason = "what comes next depends on what has ended meanwhile"
    )]
    pub fn next(&mut self) -> NextAttempt {
        if self.results.is_closed() {
            return NextAttempt::Over;
        }
        if let Some(slot) = self.again.pop_first().and_then(|index| self.out.get(&index)) {
            return NextAttempt::Play(slot.pairing.clone(), slot.attempt);
        }
        match self.schedule.next(&self.results) {
            NextGame::Game(pairing) => {
                self.round = pairing.round;
                let slot = Slot { pairing: pairing.clone(), attempt: 1, ended: None, counts: None };
                self.out.insert(pairing.index, slot);
                NextAttempt::Play(pairing, 1)
            }
            // A running game may be aborted, and then has to be played again.
            NextGame::Over if self.out.is_empty() => {
                self.finished = true;
                NextAttempt::Over
            }
            // No game is running that could change this: the missing ones are played elsewhere.
            NextGame::Wait if self.out.is_empty() => {
                self.waits = true;
                NextAttempt::Over
            }
            NextGame::Over | NextGame::Wait => NextAttempt::Wait,
        }
    }

    /// Ends the attempt at a game that was handed out; a second call for the same attempt is
    /// ignored.
    pub fn ended(&mut self, index: u64, ended: AttemptResult) {
        match self.out.get_mut(&index) {
            Some(slot) if slot.ended.is_none() => slot.ended = Some(ended),
            _ => return,
        }
        let unit: &[u64] = match &self.rules.tests {
            PairTests::None | PairTests::Milestones(_) => &[index],
            // A pair is one observation: both its games count, or neither.
            PairTests::Sprt(_) => &[index & !1, index | 1],
        };
        let mut ends = Vec::new();
        for game in unit {
            let Some(Slot { ended: Some(end), .. }) = self.out.get(game) else { return };
            ends.push(*end);
        }
        self.finish_unit(unit, &ends);
        self.count_finished();
    }

    /// Leaves out a game that was handed out: it is not played in this run.
    pub fn left_out(&mut self, index: u64) {
        let left_out = self.out.remove(&index);
        self.gap = true;
        // The unbroken prefix ends here.
        match &self.rules.tests {
            PairTests::None => {}
            PairTests::Sprt(_) => self.results.close(),
            PairTests::Milestones(milestones) => {
                if let Some(slot) = left_out
                    && let Some(bot) = milestones.measured(&slot.pairing)
                {
                    self.results.set_place(bot, None);
                }
            }
        }
    }

    /// The games that were counted since the last call, in schedule order.
    pub fn counted(&mut self) -> impl Iterator<Item = CountedGame> + '_ {
        self.counted.drain(..)
    }

    /// Whether all games were played, or a verdict has ended the tournament.
    pub fn is_complete(&self) -> bool {
        !self.gap && (self.finished || self.results.is_closed())
    }

    /// The round whose other games have to be known before the next games are, if some of them were
    /// left out.
    pub fn waiting_round(&self) -> Option<u32> {
        self.waits.then_some(self.round)
    }

    /// The bot whose forfeits have ended the tournament, if any.
    pub fn stopped_by(&self) -> Option<usize> {
        self.stopped_by
    }

    /// The state of the test, if the format is one.
    pub fn trial(&self) -> Option<&Trial> {
        match &self.rules.tests {
            PairTests::Sprt(trial) => Some(trial),
            PairTests::None | PairTests::Milestones(_) => None,
        }
    }

    /// The milestones of the bots, if there are steps.
    pub fn milestones(&self) -> Option<&Milestones> {
        match &self.rules.tests {
            PairTests::Milestones(milestones) => Some(milestones),
            PairTests::None | PairTests::Sprt(_) => None,
        }
    }

    /// The schedule, which knows byes, rounds and places.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Called when all games of a unit have ended: marks them for another attempt, or as done.
    fn finish_unit(&mut self, unit: &[u64], ends: &[AttemptResult]) {
        let is_void = ends.iter().any(|end| end.half_points().is_none());
        let may_repeat = is_void && !ends.contains(&AttemptResult::RulesFail);
        for (index, &end) in unit.iter().zip(ends) {
            let Some(slot) = self.out.get_mut(index) else { continue };
            if may_repeat && slot.attempt < self.rules.tries {
                slot.attempt += 1;
                slot.ended = None;
                self.again.insert(*index);
                continue;
            }
            // A pair is void as a whole.
            let is_played_in_vain = is_void && end.half_points().is_some();
            let counts = if is_played_in_vain { AttemptResult::Aborted } else { end };
            slot.counts = Some(counts);
            self.results.settle(&slot.pairing, counts.half_points());
            if let PairTests::Milestones(milestones) = &mut self.rules.tests
                && let Some(bot) = milestones.measured(&slot.pairing)
            {
                milestones.add(&slot.pairing, counts);
                // A bot that had a game left out has no place any more.
                if self.results.place(bot).is_some() {
                    self.results.set_place(bot, milestones.place(bot));
                }
            }
        }
    }

    /// Counts games in schedule order, up to the first that is not done or the verdict.
    fn count_finished(&mut self) {
        while !self.results.is_closed()
            && let Some(first) = self.out.first_entry()
            && let Some(ended) = first.get().counts
        {
            let Slot { pairing, attempt, .. } = first.remove();
            let counted = CountedGame { pairing, attempt, ended };
            self.count_forfeit(&counted);
            self.counted.push_back(counted);
            self.add_pair_to_test();
        }
    }

    fn count_forfeit(&mut self, counted: &CountedGame) {
        let AttemptResult::Forfeited([first, second]) = counted.ended else { return };
        // The forfeits of both bots, if neither started.
        for (bot, points) in [(counted.pairing.first, first), (counted.pairing.second, second)] {
            if points > 0 {
                continue;
            }
            let count = self.forfeits.entry(bot).or_default();
            *count += 1;
            if *count == self.rules.stop_after_forfeits && !self.gap {
                self.stopped_by.get_or_insert(bot);
                self.results.close();
            }
        }
    }

    /// Adds the last pair to the test, if the last counted game has completed one.
    fn add_pair_to_test(&mut self) {
        let PairTests::Sprt(trial) = &mut self.rules.tests else { return };
        let [.., one, other] = &*self.counted.make_contiguous() else { return };
        if other.pairing.index % 2 == 0 {
            return;
        }
        let mut points = 0;
        for game in [one, other] {
            let Some([first, second]) = game.ended.half_points() else { return };
            // A game that neither started does not show which of the two is better.
            if game.ended == AttemptResult::Forfeited([0, 0]) {
                return;
            }
            points += if game.pairing.first == 0 { first } else { second };
        }
        trial.add(points as usize);
        if trial.verdict().is_some() {
            self.results.close();
        }
    }
}
