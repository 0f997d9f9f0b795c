//! The conversation of games whose moves are single squares: `gekitai` and `lineup`, whose texts
//! differ in the heading of the boards alone.

use super::{HotseatGame, InputResult, legal, push_grid};
use arbiter_rules::Position;
use std::fmt::Write;

/// A game whose moves are single squares.
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
