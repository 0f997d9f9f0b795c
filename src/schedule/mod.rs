//! Schedules: which games are to be played, as a lazy sequence with stable ids (docs/tournaments.md, Games, pairs,
//! ids).
//!
//! Owns the tournament formats, one file each. Knows nothing of bots, rules, files or time: a bot is a
//! number, its place in the configuration, and the only input is the score of each game. The sequence is
//! computed on demand, in memory that does not grow with the number of games. Equal results give the same
//! sequence, in whatever order games end.
//!
//! ```
//! use arbiter::schedule::{Format, NextGame, Results, Schedule};
//! let names = ["randy", "conny", "greta"].map(String::from);
//! let mut schedule = Schedule::new(Format::Swiss { games: 2, rounds: 2 }, &names)?;
//! let mut results = Results::default();
//! let mut played = Vec::new();
//! while let NextGame::Game(pairing) = schedule.next(&results) {
//!     results.settle(&pairing, Some([1, 1])); // a draw, settled at once, so there is never a `NextGame::Wait`
//!     played.push((pairing.id, pairing.first));
//! }
//! assert_eq!(played[0], ("conny~randy.1".into(), 0));
//! assert_eq!(played[1], ("conny~randy.2".into(), 1)); // sides exchanged, the same opening
//! assert_eq!(schedule.byes()[0].bot, 2); // three bots: one has a bye, which gives the two points
//! # Ok::<(), arbiter::schedule::ScheduleError>(())
//! ```

mod batch;
mod error;
mod format_name;
mod gauntlet;
mod knockout;
pub mod matching;
mod note;
mod results;
mod round_robin;
mod sprt;
mod swiss;
mod total;

pub use error::ScheduleError;
pub use format_name::FormatName;
pub use knockout::{Decided, Decision};
pub use note::{Bye, ScheduleNote};
pub use results::Results;

use batch::GameBatch;
use gauntlet::Gauntlet;
use knockout::Knockout;
use round_robin::RoundRobin;
use sprt::SprtSchedule;
use swiss::Swiss;

/// One game to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// `A~B.N`: the names in byte order and [`number`](Pairing::number).
    pub id: String,
    /// The index of the game in the schedule, from 0.
    pub index: u64,
    /// The index of its pair, or of this single game, among the pairs and single games of the schedule, from
    /// 0.
    pub pair_index: u64,
    /// The number of the pairing in the schedule to which the game belongs, from 0: two bots in one round.
    pub meeting: u64,
    /// The round, from 1.
    pub round: u32,
    /// The number of the game within its pairing, from 1.
    pub game: u64,
    /// The number of the game between the two bots in the tournament, from 1, over all rounds and rematches.
    pub number: u64,
    /// The bot with the first side, by its place in the configuration, from 0.
    pub first: usize,
    /// The other bot.
    pub second: usize,
    /// The number of its pair of games between the two bots, from 1; none for a single game.
    pub pair: Option<u64>,
    /// The number of the opening, which is the number of this pair or single game between the two bots, from
    /// 1. Both games of a pair have the same.
    pub opening: u64,
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

/// The format of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// All bots against all others.
    RoundRobin {
        /// Games of a pairing.
        games: u32,
        /// Number of rounds; each has all pairings.
        rounds: u32,
    },
    /// The first bots against all others.
    Gauntlet {
        /// Number of these first bots.
        challengers: usize,
        /// Games of a pairing.
        games: u32,
        /// Number of rounds; each has all pairings.
        rounds: u32,
    },
    /// Bots with nearly equal points are paired, rematches are avoided.
    Swiss {
        /// Games of a pairing.
        games: u32,
        /// Number of rounds; a bot has one pairing in each.
        rounds: u32,
    },
    /// The loser of a pairing is out.
    Knockout {
        /// Regular games of a pairing; even, and all of them are played.
        best_of: u32,
    },
    /// The first bot is tested against the second.
    Sprt {
        /// Maximum number of pairs of games.
        max_pairs: u32,
        /// Maximum number of pairs that may have started beyond the unbroken prefix of finished pairs.
        ahead: u32,
    },
}

/// The sequence of all games of a tournament.
#[derive(Debug, Clone)]
pub struct Schedule {
    names: Vec<String>,
    format_state: FormatState,
    /// Games of the current pairing that are not handed out yet.
    batch: Option<GameBatch>,
    /// The index of the next game.
    index: u64,
    /// The number of pairs and single games that have begun.
    pairs: u64,
}

#[derive(Debug, Clone)]
enum FormatState {
    RoundRobin(RoundRobin),
    Gauntlet(Gauntlet),
    Swiss(Swiss),
    Knockout(Knockout),
    Sprt(SprtSchedule),
}

/// The answer of a format when all games of its last batch are handed out.
#[derive(Debug)]
enum NextBatch {
    Play(GameBatch),
    Wait,
    Over,
}

impl From<Option<GameBatch>> for NextBatch {
    fn from(batch: Option<GameBatch>) -> NextBatch {
        batch.map_or(NextBatch::Over, NextBatch::Play)
    }
}

impl Schedule {
    /// The schedule of a tournament of bots with these names, in the order of the configuration.
    pub fn new(format: Format, names: &[String]) -> Result<Schedule, ScheduleError> {
        error::check(format, names)?;
        let bots = names.len();
        let format_state = match format {
            Format::RoundRobin { games, rounds } => {
                FormatState::RoundRobin(RoundRobin::new(bots, games, rounds))
            }
            Format::Gauntlet { challengers, games, rounds } => {
                FormatState::Gauntlet(Gauntlet::new(bots, challengers, games, rounds))
            }
            Format::Swiss { games, rounds } => FormatState::Swiss(Swiss::new(bots, games, rounds)),
            Format::Knockout { best_of } => FormatState::Knockout(Knockout::new(bots, best_of)),
            Format::Sprt { max_pairs, ahead } => FormatState::Sprt(SprtSchedule::new(max_pairs, ahead)),
        };
        Ok(Schedule { names: names.to_vec(), format_state, batch: None, index: 0, pairs: 0 })
    }

    /// The name of a bot, by its place in the configuration.
    ///
    /// # Panics
    /// If there is no such bot.
    #[must_use]
    pub fn name(&self, bot: usize) -> &str {
        &self.names[bot]
    }

    /// The next game, if one can start. After [`NextGame::Wait`] call it again when `results` have changed.
    ///
    /// `results` must be those of the games of this schedule, and of no others.
    pub fn next(&mut self, results: &Results) -> NextGame {
        if results.is_closed() {
            return NextGame::Over;
        }
        loop {
            let batch = self.batch.as_mut();
            if let Some(mut pairing) = batch.and_then(|batch| batch.next(self.index, &self.names)) {
                self.index += 1;
                self.pairs += pairing.game % 2; // the first game of a pair has an odd number
                pairing.pair_index = self.pairs - 1;
                return NextGame::Game(pairing);
            }
            let step = match &mut self.format_state {
                FormatState::RoundRobin(round_robin) => round_robin.next().into(),
                FormatState::Gauntlet(gauntlet) => gauntlet.next().into(),
                FormatState::Swiss(swiss) => swiss.next(results),
                FormatState::Knockout(knockout) => knockout.next(results),
                FormatState::Sprt(sprt) => sprt.next(results),
            };
            match step {
                NextBatch::Play(batch) => self.batch = Some(batch),
                NextBatch::Wait => return NextGame::Wait,
                NextBatch::Over => return NextGame::Over,
            }
        }
    }

    /// The byes of the rounds that have started. In Swiss a bye gives all points of a pairing; in a knockout
    /// the top seeds start with round 2.
    #[must_use]
    pub fn byes(&self) -> &[Bye] {
        match &self.format_state {
            FormatState::Swiss(swiss) => &swiss.byes,
            FormatState::Knockout(knockout) => &knockout.byes,
            FormatState::RoundRobin(_) | FormatState::Gauntlet(_) | FormatState::Sprt(_) => &[],
        }
    }

    /// Notes for the user about this schedule; further ones may be added in each round.
    #[must_use]
    pub fn notes(&self) -> &[ScheduleNote] {
        match &self.format_state {
            FormatState::Swiss(swiss) => &swiss.notes,
            FormatState::RoundRobin(_)
            | FormatState::Gauntlet(_)
            | FormatState::Knockout(_)
            | FormatState::Sprt(_) => &[],
        }
    }

    /// The decided pairings of a knockout, in the order of their decisions. Those of a round are known after
    /// [`Schedule::next`] has been called after its last game.
    #[must_use]
    pub fn decided(&self) -> &[Decided] {
        match &self.format_state {
            FormatState::Knockout(knockout) => &knockout.decided,
            FormatState::RoundRobin(_)
            | FormatState::Gauntlet(_)
            | FormatState::Swiss(_)
            | FormatState::Sprt(_) => &[],
        }
    }

    /// The winner of a knockout; known after [`Schedule::next`] has returned [`NextGame::Over`].
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        match &self.format_state {
            FormatState::Knockout(knockout) => knockout.winner(),
            FormatState::RoundRobin(_)
            | FormatState::Gauntlet(_)
            | FormatState::Swiss(_)
            | FormatState::Sprt(_) => None,
        }
    }
}
