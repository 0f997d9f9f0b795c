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
use crate::rules::Position;
use std::fmt::Write;

/// The conversation about a game whose moves are squares.
#[derive(Debug)]
pub(super) struct Table {
    position: Position,
    /// How many boards were headed by their round, where they are.
    rounds: Option<u64>,
    /// The width of the rows' numbers.
    width: usize,
}

impl Table {
    pub(super) fn new(position: Position, rounds: Option<u64>, width: usize) -> Table {
        Table { position, rounds, width }
    }

    /// The board, and then the next prompt or the verdict.
    fn show(&mut self, out: &mut String) {
        let ending = self.position.ending();
        if let Some(rounds) = &mut self.rounds {
            *rounds += 1;
            let _ = match ending {
                None => writeln!(out, "Round {rounds}:"),
                Some(_) => writeln!(out, "Game over:"),
            };
        }
        push_grid(&self.position, b'A', self.width, out);
        let ruleset = self.position.ruleset();
        let _ = match ending.map(|ending| ending.winner) {
            None => return self.prompt(out),
            Some(Some(side)) => writeln!(out, "Player {} wins!", ruleset.letter(side)),
            Some(None) => writeln!(out, "Draw game!"),
        };
    }

    fn prompt(&self, out: &mut String) {
        let _ = write!(out, "Player {}'s turn: ", self.position.ruleset().letter(self.position.side()));
    }
}

impl super::Table for Table {
    fn open(&mut self, out: &mut String) {
        self.show(out);
    }

    fn take(&mut self, text: &str, out: &mut String) -> Taken {
        let Some(ply) = legal(&self.position, text) else {
            *out += "Invalid move!\n";
            self.prompt(out);
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
