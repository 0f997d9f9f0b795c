//! The rules engine: which plies are legal, what a ply does, when a game is over and who won.
//!
//! Owns [`Ruleset`] (which game, with its options), [`Position`], [`Side`], [`Ply`] and their
//! texts. Knows nothing of clocks, logs, bots or matches: draws by repetition and by length belong
//! to the referee. The specification is docs/reference/rules.md. Each game has one file or folder
//! in `games` and one row in its table; the rest of the crate does not depend on which game it is.
//!
//! # A bot in Rust
//!
//! ```toml
//! [dependencies]
//! arbiter-rules = "0.1"
//! ```
//!
//! A bot needs no other crate; `docs/reference/protocol.md` has the lines that it reads and writes.
//! This is
//! `examples/bot.rs`:
//!
//! ```no_run
#![doc = include_str!("examples/bot.rs")]
//! ```
//!
//! A search copies positions ([`Position::after`]) instead of taking
//! plies back, and nothing allocates:
//!
//! ```
//! use arbiter_rules::{Position, Ruleset, Side};
//!
//! /// The minimax value of a position for the first side, `depth` plies deep.
//! fn worth(position: &Position, depth: u32) -> i32 {
//!     let side = position.side();
//!     match position.ending() {
//!         Some(ending) => match ending.winner {
//!             Some(Side::First) => 1000,
//!             Some(Side::Second) => -1000,
//!             None => 0,
//!         },
//!         None if depth == 0 => {
//!             position.piece_count(Side::First) as i32 - position.piece_count(Side::Second) as i32
//!         }
//!         None => {
//!             let values = position.plies().map(|ply| worth(&position.after(ply), depth - 1));
//!             if side == Side::First { values.max() } else { values.min() }.unwrap_or(0)
//!         }
//!     }
//! }
//! let flipflop = Ruleset::named("flipflop", "").unwrap();
//! assert_eq!(worth(&flipflop.start(), 4), -2);
//! ```
//!
//! # Lines of Action
//!
//! ```
//! use arbiter_rules::Ruleset;
//! let loa = Ruleset::named("loa", "").unwrap();
//! let mut position = loa.start();
//! let ply = loa.read_ply("a2 c4").unwrap();
//! assert!(position.check(ply).is_ok());
//! position.play(ply);
//! assert_eq!(position.to_string(), "1WWWWWW1/B6B/7B/B6B/B1B4B/B6B/B6B/1WWWWWW1 W");
//! assert_eq!(position.ending(), None);
//! let why = position.check(loa.read_ply("b0b3").unwrap()).unwrap_err();
//! assert_eq!(
//!     why.to_string(),
//!     "the line from b0 to b3 holds 2 pieces, so the move there is 2 squares long, not 3"
//! );
//! ```
//!
//! # FlipFlop
//!
//! A turn has one or two pieces; between them the same side is to move. [`Position::piece`] tells
//! which piece is next.
//!
//! ```
//! use arbiter_rules::{Ply, Ruleset};
//! let flipflop = Ruleset::named("flipflop", "").unwrap();
//! let mut position = flipflop.read_position("8/8/8/8/1WBB4/1WBB4/8/8 W 1").unwrap();
//! position.play(flipflop.read_ply("36").unwrap()); // two pieces captured
//! assert_eq!((flipflop.letter(position.side()), position.piece()), ('W', Some(2)));
//! assert!(position.plies().any(|ply| ply == Ply::Pass), "a second piece may be declined");
//! ```
//!
//! # Line 'em Up
//!
//! Blocks are an option of the ruleset; a position text brings its own.
//!
//! ```
//! use arbiter_rules::{Ruleset, Side};
//! let lineup = Ruleset::named("lineup", "n=7 s=4 blocks=c2,d3").unwrap();
//! let position = lineup.read_position("7/7/1OOO3/7/XXX4/7/7 O").unwrap();
//! assert_eq!(position.ruleset().options_text(), "n=7 s=4 blocks=none");
//! let ending = position.after(lineup.read_ply("E2").unwrap()).ending().unwrap();
//! assert_eq!((ending.winner, ending.reason.word()), (Some(Side::First), "line"));
//! ```
//!
//! # Gekitai
//!
//! ```
//! use arbiter_rules::Ruleset;
//! let gekitai = Ruleset::named("gekitai", "").unwrap();
//! let position = gekitai.read_position("X5/6/2X3/6/6/O5 O").unwrap();
//! let after = position.after(gekitai.read_ply("d4").unwrap());
//! assert_eq!(after.to_string(), "X5/1X4/6/3O2/6/O5 X"); // c3 is pushed to b2
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types, reason = "it only computes")]

// From the outside in: `Ruleset` and `Position` forward to the rules and the board of one game.
// Those of arbiter's games are in `games` and implement the traits of `game.rs` and `board.rs`;
// those of custom games are in `own`. `games/dispatch.rs` joins both.
mod bitboard;
mod board;
mod cell;
mod changes;
mod ending;
mod fault;
mod game;
mod games;
mod illegal;
mod keys;
mod margin;
mod notation;
mod number_text;
mod options;
pub mod own;
mod perft;
mod ply;
mod position;
mod ruleset;
pub mod seed;
mod short_text;
mod side;
mod symmetry;
pub mod text;
mod winning;

pub use board::{LARGEST_BOARD, group_count};
pub use cell::Cell;
pub use changes::{ChangedSquare, SquareChange};
pub use ending::{Ending, Reason};
pub use fault::RulesFault;
pub use game::Example;
pub use games::{Game, RulesFileName};
pub use illegal::{Illegal, SquareName};
pub use margin::Margin;
pub use notation::PositionError;
pub use options::{Number, OptionError, OptionSpec, Preset, Range, split_options};
pub use own::{Layout, OwnGame};
pub use perft::{divide, perft, perft_of_rules, perft_playing};
pub use ply::{Ply, PlyError, Square};
pub use position::{Plies, Position};
pub use ruleset::Ruleset;
pub use side::{BySide, Side};
pub use symmetry::Symmetry;
