//! The rules engine: which plies are legal, what a ply does, when a game is over and who won.
//!
//! Owns [`Ruleset`] (which game, with its options), [`Position`], [`Side`], [`Ply`] and their texts. Knows
//! nothing of clocks, logs, bots or matches: draws by repetition and by length belong to the referee. The
//! contract is rules.md. One file a game; everything above this room is written without knowing which it is.
//!
//! ```
//! use arbiter::rules::Ruleset;
//! let loa = Ruleset::named("loa", &[]).unwrap();
//! let mut position = loa.start();
//! let ply = loa.read_ply("a2 c4").unwrap();
//! assert!(position.check(ply).is_ok());
//! position.play(ply);
//! assert_eq!(position.to_string(), "1WWWWWW1/B6B/7B/B6B/B1B4B/B6B/B6B/1WWWWWW1 W");
//! assert_eq!(position.ending(), None);
//! ```

mod ending;
mod loa;
mod options;
mod perft;
mod ply;
mod position;
mod ruleset;
mod side;
mod text;

pub use ending::{Ending, Reason};
pub use options::{OptionError, OptionSpec, Range, split_options};
pub use perft::{divide, perft};
pub use ply::{Ply, Square};
pub use position::{Plies, Position};
pub use ruleset::{Game, Ruleset};
pub use side::{BySide, Side};
pub use text::PositionError;

use std::fmt;

/// Why a text is no ply of the game: a sentence that says what would be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlyError(String);

impl PlyError {
    fn new(what: impl fmt::Display) -> PlyError {
        PlyError(what.to_string())
    }
}

/// Why a ply may not be played in a position: a sentence for the bot's author.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(String);

impl Illegal {
    fn new(what: impl fmt::Display) -> Illegal {
        Illegal(what.to_string())
    }
}
