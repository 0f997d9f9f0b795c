//! What `arbiter check` asks of a bot before others see it: the situations that it is put in, and
//! what came of each (docs/reference/commands.md, Checking a bot).
//!
//! Owns the list of situations, the positions that they need, how a failing game is shortened, and
//! [`CheckedBot`]. Knows no process: the crate `check` plays the games, and `report` in `cup`
//! writes what they showed.
//!
//! From [`Terms`] follow [`Exercise`]s, one for each [`Situation`]; each has the games to play, as
//! [`Scenario`]s that begin in a [`Moment`]. What comes of an exercise is a [`Finding`].
//!
//! ```
//! use arbiter_engine::bot_check::{CheckResult, CheckedBot, Finding};
//! let silent = |situation: &str| Finding {
//!     result: CheckResult::Fault,
//!     sentence: "lost by timeout: expected an answer within 10.02 s after \"go\"".to_owned(),
//!     cause: "timeout: nothing came".to_owned(),
//!     ..Finding::new("loa", situation, "it answers")
//! };
//! let ready = Finding::new("loa", "ready", "it gets ready");
//! let findings = vec![ready, silent("opening"), silent("capture")];
//! let bot = CheckedBot { name: "conny".to_owned(), findings };
//! let told: Vec<_> = bot.told().collect();
//! assert_eq!(told.len(), 1, "one cause is told once");
//! assert_eq!((&*told[0].0.situation, told[0].1.len()), ("opening", 1));
//! ```

mod cause;
mod exercise;
mod finding;
mod moments;
mod scenario;
mod shrink;
mod situation;

pub use cause::{cause, cure};
pub use exercise::{Exercise, RulesScope, Terms};
pub use finding::{CheckResult, CheckedBot, Finding, Line, Other};
pub use moments::{Moment, MomentKind, Moments, long_game};
pub use scenario::{Buffering, Length, Scenario};
pub use shrink::shorter;
pub use situation::Situation;
