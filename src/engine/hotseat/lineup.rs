//! The texts of `hotseat lineup`: the board, then the prompt; after each move the board again; at
//! the end the board and the result. The prompt, the refusal and the result are those of
//! [`gekitai`](super::gekitai), and moves are read in the same way: `d0`, `D 0`. On boards of more
//! than ten rows the row numbers are right-aligned in two columns.
//!
//! ```
//! # use arbiter_engine::hotseat::{HotseatSession, InputSource};
//! # use arbiter_rules::Ruleset;
//! let lineup = Ruleset::named("lineup", "").unwrap();
//! let (mut hotseat, opening) = HotseatSession::begin(lineup.start(), InputSource::Pipe).unwrap();
//! assert_eq!(opening, "  A B C D E
//! 0 . . . # .
//! 1 . # . . .
//! 2 # . . # .
//! 3 . # . . .
//! 4 . . # . .
//! Player O's turn: ");
//! assert_eq!(hotseat.read(b"d0 A0 "), "\
//! Invalid move!
//! Player O's turn:   A B C D E
//! 0 O . . # .
//! 1 . # . . .
//! 2 # . . # .
//! 3 . # . . .
//! 4 . . # . .
//! Player X's turn: ");
//! ```

use super::placement::PlacementHotseat;
use arbiter_rules::Position;

pub(super) fn new_game(position: Position) -> PlacementHotseat {
    let width = if position.ruleset().rows() > 10 { 2 } else { 1 };
    PlacementHotseat::new(position, None, width)
}
