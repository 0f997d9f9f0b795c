//! The log of one game: [`Record`], a fold over its events.
//!
//! Owns the log format of docs/reference/gamelog.md: [`Record`]'s `Display` writes a log,
//! [`read_log`] reads logs from memory and [`read_stream`] from a stream; what cannot be read is an
//! error, after which reading goes on. [`read_places`] finds the place of each game, [`read_heads`]
//! reads tags and results of other programs' logs, [`Record::steps`] plays a game through. Knows
//! the rules (to read plies), and neither clocks nor bots. The room `replay` checks whether a
//! record is valid.
//!
//! ```
//! use arbiter_game::{Fault, Outcome};
//! use arbiter_game::record::read_log;
//! use arbiter_rules::Side;
//! let log = b"[White \"conny\"] [Black \"randy\"] [Result \"1-0\"] [Game \"loa\"]
//!     [Outcome \"forfeit\"] [Termination \"illegal-move\"]
//!     1. a2c4 {0.012s} c0b1 {0.5s even} {0.1s a9} 1-0";
//! let record = read_log(log).next().unwrap().unwrap();
//! assert_eq!(record.outcome, Outcome::Forfeit(Side::First, Fault::IllegalMove));
//! assert_eq!(record.reply.as_ref().unwrap().text, b"a9");
//! let moves = "\n1. a2c4 {0.012000s} c0b1 {0.500000s even} {0.100000s a9} 1-0\n\n";
//! assert!(record.to_string().ends_with(moves));
//! ```

mod characters;
mod comments;
mod escape;
mod heads;
mod pgn;
mod place;
mod read;
mod search;
mod steps;
mod stream;
mod text;
mod times;

pub use escape::{escape_comment, unescape_comment};
pub use heads::{GameHead, read_heads};
pub use pgn::{LogError, RawGame, RawGames, RawMove, Tag, read_raw};
pub use place::{GAME_BYTES, GamePlace, ReadableGame};
pub use read::{TAGS, read_log};
pub use steps::{RecordStep, Steps};
pub use stream::{ReadEnd, read_places, read_stream};
pub use times::{SideTimes, notable_wait};

use crate::{Event, Note, Outcome, Played, RecordedPlayer, SentLines};
use arbiter_rules::{BySide, Margin, Position, Ruleset};
use std::hash::{DefaultHasher, Hash, Hasher};

/// One game's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// `Event`: the name of the tournament or match.
    pub event: String,
    /// `Site`, or `?`.
    pub site: String,
    /// `Date`, `YYYY.MM.DD`.
    pub date: String,
    /// `Round`.
    pub round: String,
    /// The bots' names.
    pub players: BySide<String>,
    /// The start position, which includes the ruleset.
    pub start: Position,
    /// `TimeControl` of both sides, or `WhiteTimeControl` and `BlackTimeControl`, as texts.
    pub time_control: BySide<Option<String>>,
    /// `MaxPlies`: the length that draws; `None` if the log does not say.
    pub max_plies: Option<u32>,
    /// `Repetition`: the occurrence that draws, 0 for never; `None` if the log does not say.
    pub repetition: Option<u32>,
    /// `GameId`.
    pub id: Option<String>,
    /// `Pair`, equal for the two games of a pair.
    pub pair: Option<String>,
    /// `Seed` of the run.
    pub seed: Option<String>,
    /// `SentId`, `WhiteSeed` and `BlackSeed`: the lines `id` and `seed` as the bots were sent them;
    /// `None` in logs of earlier versions.
    pub sent: Option<SentLines>,
    /// `Isolation`: what was in force of the sandbox.
    pub isolation: Option<String>,
    /// `WhiteDigest` and `BlackDigest`: the first 12 hex digits of the digests of the bots'
    /// content.
    pub digests: BySide<Option<String>>,
    /// `Settings`: the flags of `arbiter play` that differ from its defaults; `None` if the log
    /// does not say.
    pub settings: Option<String>,
    /// `Detail`: what a forfeiting bot did wrong, in a sentence.
    pub detail: Option<String>,
    /// `Margin`: by how much the winner has won, if the rules of a custom game say so.
    pub margin: Option<Margin>,
    /// Tags that arbiter does not know, in their order.
    pub more: Vec<(String, String)>,
    /// The plies, forced passes included.
    pub plies: Vec<Played>,
    /// The last comment of a forfeit: time and the offending reply.
    pub reply: Option<Note>,
    /// `Outcome`, `Termination` and `Result`.
    pub outcome: Outcome,
}

/// A hash of a game's start position and plies. It is stable only within one run of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PliesKey {
    hash: u64,
    can_repeat: bool,
}

impl PliesKey {
    /// The hash; `None` if games of the same hash do not count as repeated: they have no plies, or
    /// a bot forfeits before its first ply (src/rank/definitions.md, Definition 9).
    pub fn repeatable(self) -> Option<u64> {
        self.can_repeat.then_some(self.hash)
    }
}

impl Record {
    /// Records the next event of the game: a ply or the end. All other fields are set when the game
    /// begins.
    pub fn add(&mut self, event: Event) {
        match event {
            Event::Played { played, .. } => self.plies.push(played),
            Event::Ended { outcome, detail, reply } => {
                self.outcome = outcome;
                self.detail = detail;
                self.reply = reply;
            }
            Event::Began { .. }
            | Event::Ready { .. }
            | Event::Line { .. }
            | Event::Asked { .. }
            | Event::Held { .. }
            | Event::Refused { .. } => {}
        }
    }

    /// The plies one after the other, each with the position before it.
    pub fn steps(&self) -> Steps<'_> {
        Steps::new(self.start.clone(), &self.plies)
    }

    /// The ruleset of the game, with its options.
    pub fn ruleset(&self) -> Ruleset {
        self.start.ruleset()
    }

    /// A player that plays this game again, on either side or both.
    pub fn player(&self) -> RecordedPlayer {
        RecordedPlayer::new(self.plies.clone(), self.outcome)
            .explained(self.detail.clone(), self.reply.clone())
    }

    /// The start position and the plies, to find repeated games.
    pub fn plies_key(&self) -> PliesKey {
        let mut hasher = DefaultHasher::new();
        self.start.key().hash(&mut hasher);
        for played in &self.plies {
            played.ply.hash(&mut hasher);
        }
        let can_repeat = match self.outcome {
            Outcome::Forfeit(loser, _) => self.steps().any(|step| step.side == loser),
            _ => !self.plies.is_empty(),
        };
        PliesKey { hash: hasher.finish(), can_repeat }
    }
}
