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

use super::gekitai::{push_prompt, push_refusal, push_verdict};
use super::{Taken, legal, push_grid};
use crate::rules::Position;

#[derive(Debug)]
pub(super) struct Table {
    position: Position,
}

impl Table {
    pub(super) fn new(position: Position) -> Table {
        Table { position }
    }

    /// The board, and then the next prompt or the verdict.
    fn show(&self, out: &mut String) {
        let width = if self.position.ruleset().size() > 10 { 2 } else { 1 };
        push_grid(&self.position, b'A', width, out);
        match self.position.ending() {
            None => push_prompt(&self.position, out),
            Some(ending) => push_verdict(&self.position, ending.winner, out),
        }
    }
}

impl super::Table for Table {
    fn open(&mut self, out: &mut String) {
        self.show(out);
    }

    fn take(&mut self, text: &str, out: &mut String) -> Taken {
        let Some(ply) = legal(&self.position, text) else {
            push_refusal(&self.position, out);
            return Taken::Wrong;
        };
        self.position.play(ply);
        self.show(out);
        Taken::Well
    }

    fn is_over(&self) -> bool {
        self.position.ending().is_some()
    }
}
