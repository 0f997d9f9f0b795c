//! What `hotseat lineup` says: the board, then the prompt; after a move the board again; at the end the board and the
//! verdict. The prompt, the refusal and the verdict are those of [`gekitai`](super::gekitai), and moves are read as they
//! are there: `d0`, `D 0`. On boards of more than ten rows the numbers of the rows are right-adjusted in two.
//!
//! ```
//! # use arbiter::{hotseat::{Hotseat, Source}, rules::Ruleset};
//! let lineup = Ruleset::named("lineup", &[]).unwrap();
//! let (mut hotseat, opening) = Hotseat::begin(lineup.start(), Source::Pipe);
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

use super::gekitai::Table;
use crate::rules::Position;

pub(super) fn table(position: Position) -> Table {
    let width = if position.ruleset().size() > 10 { 2 } else { 1 };
    Table::new(position, None, width)
}
