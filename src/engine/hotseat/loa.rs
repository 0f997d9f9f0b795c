//! The texts of `hotseat loa`. The board, the prompt, the refusal and the result are those of the
//! course hand-out.
//!
//! A move is two words, each a square in lower case; `a2c4` and `a2-c4` mean the same as `a2 c4`.
//! At a terminal a first word that is not a square is refused at once: the user would not know that
//! a second word is expected.
//!
//! The line about a side without a move is not in the hand-out. Such a side is not asked:
//!
//! ```
//! # use arbiter_engine::hotseat::{HotseatSession, InputSource};
//! # use arbiter_rules::Ruleset;
//! let loa = Ruleset::named("loa", "").unwrap();
//! let position = loa.read_position("BW6/W2W4/8/8/8/8/6WW/6WB W").unwrap();
//! let (mut hotseat, _) = HotseatSession::begin(position, InputSource::Pipe).unwrap();
//! assert_eq!(hotseat.read(b"d1 b1\n"), "  a b c d e f g h
//! 0 B W . . . . . .
//! 1 W W . . . . . .
//! 2 . . . . . . . .
//! 3 . . . . . . . .
//! 4 . . . . . . . .
//! 5 . . . . . . . .
//! 6 . . . . . . W W
//! 7 . . . . . . W B
//! B has no move.
//! W's move: ");
//! ```

use super::{HotseatGame, InputResult, InputSource, legal, push_grid};
use arbiter_rules::{Ply, Position};
use std::fmt::Write;

#[derive(Debug)]
pub(super) struct LoaHotseat {
    position: Position,
    source: InputSource,
    /// The first word of a move, until the second one is read.
    from: Option<String>,
}

impl LoaHotseat {
    pub(super) fn new(position: Position, source: InputSource) -> LoaHotseat {
        LoaHotseat { position, source, from: None }
    }

    fn prompt(&self, out: &mut String) {
        let _ = write!(out, "{}'s move: ", self.position.ruleset().letter(self.position.side()));
    }

    /// The text of the move that this word completes; `None` while the second word is missing.
    fn join(&mut self, word: &str) -> Option<String> {
        match self.from.take() {
            Some(from) if is_square(&from) && is_square(word) => Some(from + word),
            Some(_) => Some(String::new()),
            None if is_move(word) => Some(word.to_owned()),
            None if self.source == InputSource::Terminal && !is_square(word) => Some(String::new()),
            None => {
                self.from = Some(word.to_owned());
                None
            }
        }
    }
}

impl HotseatGame for LoaHotseat {
    fn show(&mut self, out: &mut String) {
        push_grid(&self.position, b'a', 1, out);
        let ruleset = self.position.ruleset();
        // A side without a move is not asked; two such passes in a row end the game.
        while let Some(pass) = self.position.forced_pass() {
            let _ = writeln!(out, "{} has no move.", ruleset.letter(self.position.side()));
            self.position.play(pass);
        }
        let Some(ending) = self.position.ending() else { return self.prompt(out) };
        let _ = match ending.winner {
            Some(side) => writeln!(out, "{} wins!", ruleset.letter(side)),
            None => writeln!(out, "Draw game!"),
        };
    }

    fn take(&mut self, text: &str, out: &mut String) -> InputResult {
        let Some(text) = self.join(text) else { return InputResult::Accepted };
        match legal(&self.position, &text) {
            Some(ply @ Ply::Move(..)) => {
                self.position.play(ply);
                self.show(out);
                InputResult::Accepted
            }
            _ => {
                *out += "Invalid move. Try again!\n";
                self.prompt(out);
                InputResult::Rejected
            }
        }
    }

    fn position(&self) -> &Position {
        &self.position
    }
}

/// Whether a word has the shape of a square, on the board or not.
fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [column, row] if column.is_ascii_alphabetic() && row.is_ascii_digit())
}

/// Whether a word has the shape of two squares.
fn is_move(word: &str) -> bool {
    let halves = word.split_once('-').or_else(|| word.split_at_checked(2));
    halves.is_some_and(|(from, to)| is_square(from) && is_square(to))
}
