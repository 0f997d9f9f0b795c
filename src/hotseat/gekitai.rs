//! What `hotseat gekitai` says, all of it the hand-out's.
//!
//! A move is a letter in either case and a number, with or without white space between them: `a1`, `A 1`. Anything else
//! is one wrong move, up to the next white space. `Round 1:` heads the first board, and every ply begins the next round;
//! the board after the last one is headed by `Game over:` instead. A refused move prints no board and is no round.
//!
//! ```
//! # use arbiter::{hotseat::{Hotseat, Source}, rules::Ruleset};
//! let gekitai = Ruleset::named("gekitai", &[]).unwrap();
//! let (mut hotseat, opening) = Hotseat::begin(gekitai.start(), Source::Pipe);
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

use super::{Taken, legal, push_grid};
use crate::rules::{Position, Side};
use std::fmt::Write;

#[derive(Debug)]
pub(super) struct Table {
    position: Position,
    round: u64,
}

impl Table {
    pub(super) fn new(position: Position) -> Table {
        Table { position, round: 0 }
    }

    /// The next round with its board and prompt, or the last board and the verdict.
    fn show(&mut self, out: &mut String) {
        self.round += 1;
        let ending = self.position.ending();
        let _ = match ending {
            None => writeln!(out, "Round {}:", self.round),
            Some(_) => writeln!(out, "Game over:"),
        };
        push_grid(&self.position, b'A', 2, out);
        match ending {
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

pub(super) fn push_prompt(position: &Position, out: &mut String) {
    let _ = write!(out, "Player {}'s turn: ", position.ruleset().letter(position.side()));
}

pub(super) fn push_refusal(position: &Position, out: &mut String) {
    *out += "Invalid move!\n";
    push_prompt(position, out);
}

pub(super) fn push_verdict(position: &Position, winner: Option<Side>, out: &mut String) {
    match winner {
        Some(side) => {
            let _ = writeln!(out, "Player {} wins!", position.ruleset().letter(side));
        }
        None => *out += "Draw game!\n",
    }
}
