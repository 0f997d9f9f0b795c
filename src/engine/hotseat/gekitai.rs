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

use super::{HotseatGame, InputResult, legal, push_grid};
use arbiter_rules::Position;
use std::fmt::Write;

/// A game whose moves are single squares: `gekitai` and `lineup`.
#[derive(Debug)]
pub(super) struct PlacementHotseat {
    position: Position,
    /// The number of rounds printed; `None` if boards have no heading.
    rounds: Option<u64>,
    /// The width of the row numbers.
    width: usize,
}

impl PlacementHotseat {
    pub(super) fn new(position: Position, rounds: Option<u64>, width: usize) -> PlacementHotseat {
        PlacementHotseat { position, rounds, width }
    }

    fn prompt(&self, out: &mut String) {
        let _ =
            write!(out, "Player {}'s turn: ", self.position.ruleset().letter(self.position.side()));
    }
}

impl HotseatGame for PlacementHotseat {
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
        let Some(ending) = ending else { return self.prompt(out) };
        let _ = match ending.winner {
            Some(side) => writeln!(out, "Player {} wins!", ruleset.letter(side)),
            None => writeln!(out, "Draw game!"),
        };
    }

    fn take(&mut self, text: &str, out: &mut String) -> InputResult {
        let Some(ply) = legal(&self.position, text) else {
            *out += "Invalid move!\n";
            self.prompt(out);
            return InputResult::Rejected;
        };
        self.position.play(ply);
        self.show(out);
        InputResult::Accepted
    }

    fn position(&self) -> &Position {
        &self.position
    }
}
