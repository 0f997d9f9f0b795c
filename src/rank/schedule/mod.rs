//! Schedules: which games are to be played, as a lazy sequence with stable ids
//! (docs/reference/tournaments.md, Games, pairs, ids).
//!
//! Owns the tournament formats: each is a file, which answers for its format ([`FormatKind`]), and
//! a row of [`FORMATS`]. Knows nothing of bots, rules, files or time: a bot is a number, its place
//! in the configuration, and the only input is the score of each game. The sequence is computed on
//! demand, in memory that does not grow with the number of games. Equal results give the same
//! sequence, in whatever order games end.
//!
//! ```
//! use arbiter_rank::schedule::{Format, NextGame, Results, Schedule};
//! let names = ["randy", "conny", "greta"].map(String::from);
//! let swiss = Format { games: 2, rounds: 2, ..Format::named("swiss").unwrap() };
//! let mut schedule = Schedule::new(swiss, &names)?;
//! let mut results = Results::default();
//! let mut played = Vec::new();
//! while let NextGame::Game(pairing) = schedule.next(&results) {
//!     // A draw, settled at once, so there is never a `NextGame::Wait`.
//!     results.settle(&pairing, Some([1, 1]));
//!     played.push((pairing.id, pairing.first));
//! }
//! assert_eq!(played[0], ("conny~randy.1".into(), 0));
//! assert_eq!(played[1], ("conny~randy.2".into(), 1)); // sides exchanged, the same opening
//! assert_eq!(schedule.byes()[0].bot, 2); // three bots: one has a bye, which gives the two points
//! # Ok::<(), arbiter_rank::schedule::ScheduleError>(())
//! ```

mod batch;
mod bots;
mod climb;
mod endless;
mod error;
mod format;
mod gauntlet;
mod knockout;
mod league;
pub mod matching;
mod results;
mod round_robin;
mod sprt;
mod swiss;

pub use bots::Bots;
pub use error::{ScheduleError, is_bot_name};
pub use format::{Dependence, Format, FormatKind, Ranking, Stop, TieBreak};
pub use knockout::{Decided, Decision};
pub use results::{Results, StepPlace};

use batch::GameBatch;
use format::{FormatState, NextGames};
use std::collections::VecDeque;

/// One game to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// `A~B.N`: the names in byte order and [`number`](Pairing::number).
    pub id: String,
    /// The index of the game in the schedule, from 0.
    pub index: u64,
    /// The number by which games are dealt to shards: the index of its pair, or of this single
    /// game, among the pairs and single games of the schedule, from 0, in a league in row order;
    /// where tests end the games of a bot, the number of that bot.
    pub share_unit: u64,
    /// The number of the pairing in the schedule to which the game belongs, from 0: two bots in one
    /// round.
    pub meeting: u64,
    /// The round, from 1.
    pub round: u32,
    /// The number of the game within its pairing, from 1.
    pub game: u64,
    /// The number of the game between the two bots in the tournament, from 1, over all rounds and
    /// rematches.
    pub number: u64,
    /// The bot with the first side, by its place in the configuration, from 0.
    pub first: usize,
    /// The other bot.
    pub second: usize,
    /// The number of its pair of games between the two bots, from 1; `None` for a single game.
    pub pair: Option<u64>,
    /// The number of the opening, which is the number of this pair or single game between the two
    /// bots, counted from 1. Both games of a pair have the same.
    pub opening: u64,
}

impl Pairing {
    /// The pairing of a single game that belongs to no schedule: bot 0 against bot 1.
    pub fn alone(id: String, index: u64) -> Pairing {
        Pairing {
            id,
            index,
            share_unit: index,
            meeting: 0,
            round: 1,
            game: index + 1,
            number: index + 1,
            first: 0,
            second: 1,
            pair: None,
            opening: index + 1,
        }
    }
}

/// The answer of [`Schedule::next`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextGame {
    /// This game can begin.
    Game(Pairing),
    /// The next game depends on results of running games.
    Wait,
    /// There are no further games.
    Over,
}

/// The formats, in the order in which messages offer them; the first is the default.
pub const FORMATS: &[&FormatKind] = &[
    &round_robin::KIND,
    &gauntlet::KIND,
    &swiss::KIND,
    &knockout::KIND,
    &sprt::KIND,
    &endless::KIND,
];

/// A bot without an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bye {
    /// The round, from 1.
    pub round: u32,
    /// The bot's place in the configuration.
    pub bot: usize,
    /// The half points that it gives.
    pub half_points: u64,
}

/// The sequence of all games of a tournament.
#[derive(Debug)]
pub struct Schedule {
    bots: Bots,
    state: Box<dyn FormatState>,
    /// What the format has scheduled and is not handed out yet.
    batches: VecDeque<GameBatch>,
    /// The index of the next game, which is the number of games that were handed out.
    index: u64,
    /// The number of pairs and single games that have begun.
    pairs: u64,
}

impl Schedule {
    /// The schedule of a tournament of bots with these names, in the order of the configuration, in
    /// which they also join.
    ///
    /// # Errors
    /// Names that bots cannot have, fewer than two of them, or numbers with which the format cannot
    /// be played.
    pub fn new(format: Format, names: &[String]) -> Result<Schedule, ScheduleError> {
        Schedule::of(format, Bots::joining(names))
    }

    /// The schedule of a tournament of these bots.
    ///
    /// # Errors
    /// As [`Schedule::new`].
    pub fn of(format: Format, bots: Bots) -> Result<Schedule, ScheduleError> {
        // One without an end begins with whoever is there, and waits for others.
        let fewest = if format.kind.is_endless { 0 } else { 2 };
        error::check_names(bots.names(), fewest)?;
        format.check(bots.count())?;
        let state = (format.kind.begin)(&format, &bots);
        Ok(Schedule { bots, state, batches: VecDeque::new(), index: 0, pairs: 0 })
    }

    /// The name of a bot, by its place in the configuration.
    ///
    /// # Panics
    /// If there is no such bot.
    pub fn name(&self, bot: usize) -> &str {
        &self.bots.names()[bot]
    }

    /// The number of bots.
    pub fn bots(&self) -> usize {
        self.bots.count()
    }

    /// The next game, if one can start. After [`NextGame::Wait`] call it again when `results` have
    /// changed.
    ///
    /// `results` must be those of the games of this schedule, and of no others.
    pub fn next(&mut self, results: &Results) -> NextGame {
        if results.is_closed() {
            return NextGame::Over;
        }
        loop {
            while let Some(batch) = self.batches.front_mut() {
                if let Some(mut pairing) = batch.next(self.index, self.bots.names()) {
                    self.index += 1;
                    self.pairs += pairing.game % 2; // the first game of a pair has an odd number
                    pairing.share_unit = self.state.share_unit(&pairing, self.pairs - 1);
                    return NextGame::Game(pairing);
                }
                self.batches.pop_front();
            }
            match self.state.next(results, self.index) {
                NextGames::Play(batches) => self.batches = batches.into(),
                NextGames::Wait => return NextGame::Wait,
                NextGames::Over => return NextGame::Over,
            }
        }
    }

    /// What ranks the bots, by the results so far.
    pub fn ranking(&self) -> Ranking {
        self.state.ranking()
    }

    /// The byes of the rounds that have started. In Swiss a bye gives all points of a pairing; in a
    /// knockout the top seeds start with round 2.
    pub fn byes(&self) -> &[Bye] {
        self.state.byes()
    }

    /// Notes for users about this schedule, with these names of the bots in the order of the
    /// configuration; further ones may be added in each round.
    pub fn notes(&self, names: &[String]) -> Vec<String> {
        self.state.notes(names)
    }

    /// The decided pairings of a knockout, in the order of their decisions. Those of a round are
    /// known after [`Schedule::next`] has been called after its last game.
    pub fn decided(&self) -> &[Decided] {
        self.state.decided()
    }
}
