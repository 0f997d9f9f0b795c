//! One game: its settings, the messages between referee and players, its events and its outcome.
//!
//! The top of the crate has [`Settings`], the messages to and from a player ([`Start`], [`Turn`],
//! [`Answer`], [`End`]), the [`Referee`], the stream of [`Event`]s, [`Outcome`] and [`Fault`], and
//! the sentence that [`explain()`] makes of a fault. It knows no text of a protocol and of a log:
//! these are rooms of their own, `protocol` (with [`adapters`]) and [`record`]. On records stand
//! `replay`, which judges a game again, and `proof`, which says where it was lost. Nothing in the
//! crate knows a process or a file.
//!
//! ```
//! use arbiter_game::{Answer, Referee, Settings, Step};
//! let settings = Settings::default();
//! let start = settings.ruleset.start();
//! let mut referee = Referee::new(&settings, start);
//! let turn = referee.ask().expect("the game has just begun");
//! let ply = turn.position.plies().next().unwrap();
//! assert_eq!(referee.answer(&mut Answer::ply(ply)), Step::Played);
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types, reason = "it only computes")]

pub mod adapters;
pub mod clock;
#[cfg(feature = "serde")]
pub mod content;
mod event;
mod explain;
pub mod game_id;
pub mod openings;
mod outcome;
mod player;
#[cfg(feature = "serde")]
pub mod proof;
#[cfg(feature = "serde")]
pub mod protocol;
pub mod record;
mod recorded;
mod referee;
#[cfg(feature = "serde")]
pub mod replay;
pub mod settings;
mod typed;
mod usage;

pub use event::{Channel, Event, NOTE_BYTES, Note, Played, Watcher};
pub use explain::{
    Behind, Evidence, Forfeit, NearlyAPly, SecondAnswer, StderrAccess, Waited, Wanted, Wording,
    ends_with_error, explain, wants_network,
};
pub use outcome::{Abort, Fault, GameResult, Outcome};
pub use player::{
    Allowance, Answer, End, Exit, Garbled, LINE_CAP, LimitExceeded, PersonTurn, ProgramEnd,
    ProgramRun, Reply, SentLines, Silence, Start, Turn,
};
pub use recorded::{Continuation, RecordEnded, RecordedPlayer};
pub use referee::{Referee, Request, Step};
pub use settings::{
    ClockKind, Limits, MatchSettings, Pin, Pondering, RESUMED, SCRATCH, Sandbox, Settings,
    TimeSettings,
};
pub use typed::{legal_texts, typed_reply};
pub use usage::{DiskUsage, Tasks};
