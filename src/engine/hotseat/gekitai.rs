//! The texts of `hotseat gekitai`; all of them are those of the course hand-out.
//!
//! A move is a letter in either case and a number, with or without white space between them: `a1`,
//! `A 1`. Any other text up to the next white space is one invalid move. The first board has the
//! heading `Round 1:`, every ply starts the next round, and the board after the last ply has the
//! heading `Game over:`. A refused move prints no board and is no round.
//!
//! ```
//! # use arbiter_engine::hotseat::{HotseatSession, InputSource};
//! # use arbiter_rules::Ruleset;
//! let gekitai = Ruleset::named("gekitai", "").unwrap();
//! let (mut hotseat, opening) = HotseatSession::begin(gekitai.start(), InputSource::Pipe).unwrap();
//! assert!(opening.starts_with("Round 1:\n   A B C D E F\n 1 . . . . . .\n"));
//! assert_eq!(hotseat.read(b"z9 c3 "), "\
//! Invalid move!
//! Player X's turn: Round 2:
//!    A B C D E F
//!  1 . . . . . .
//!  2 . . . . . .
//!  3 . . X . . .
//!  4 . . . . . .
//!  5 . . . . . .
//!  6 . . . . . .
//! Player O's turn: ");
//! ```
//!
//! Boards of other sizes have as many letters and numbers.

use super::placement::PlacementHotseat;
use arbiter_rules::Position;

pub(super) fn new_game(position: Position) -> PlacementHotseat {
    // Rounds are counted, and row numbers have two columns on all boards.
    PlacementHotseat::new(position, Some(0), 2)
}
