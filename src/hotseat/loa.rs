//! What `hotseat loa` says. The board, the prompt, the refusal and the verdict are the hand-out's.
//!
//! A move is two words, each a square in lower case; `a2c4` and `a2-c4` are the same as `a2 c4`. At a terminal a first
//! word that is no square is wrong at once, as nobody would know that a second one is waited for.
//!
//! The line about a side without a move is ours. Nobody is asked then:
//!
//! ```
//! # use arbiter::{hotseat::{Hotseat, Source}, rules::Ruleset};
//! let loa = Ruleset::named("loa", &[]).unwrap();
//! let position = loa.read_position("BW6/W2W4/8/8/8/8/6WW/6WB W").unwrap();
//! let (mut hotseat, _) = Hotseat::begin(position, Source::Pipe);
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

use super::{Source, Taken, legal, push_grid};
use crate::rules::{Ply, Position};
use std::fmt::Write;

#[derive(Debug)]
pub(super) struct Table {
    position: Position,
    source: Source,
    /// The first word of a move whose second is still to come.
    from: Option<String>,
}

impl Table {
    pub(super) fn new(position: Position, source: Source) -> Table {
        Table { position, source, from: None }
    }

    /// The board, and then the next prompt or the verdict.
    fn show(&mut self, out: &mut String) {
        push_grid(&self.position, b'a', 1, out);
        let ruleset = self.position.ruleset();
        // A side without a move is not asked; two such passes in a row end the game.
        while let Some(pass) = self.position.forced_pass() {
            let _ = writeln!(out, "{} has no move.", ruleset.letter(self.position.side()));
            self.position.play(pass);
        }
        match self.position.ending() {
            None => self.prompt(out),
            Some(ending) => match ending.winner {
                Some(side) => {
                    let _ = writeln!(out, "{} wins!", ruleset.letter(side));
                }
                None => *out += "Draw game!\n",
            },
        }
    }

    fn prompt(&self, out: &mut String) {
        let _ = write!(out, "{}'s move: ", self.position.ruleset().letter(self.position.side()));
    }

    /// The move of these words: nothing while there is one to come.
    fn join(&mut self, word: &str) -> Option<String> {
        match self.from.take() {
            Some(from) if is_square(&from) && is_square(word) => Some(from + word),
            Some(_) => Some(String::new()),
            None if is_move(word) => Some(word.to_owned()),
            None if self.source == Source::Terminal && !is_square(word) => Some(String::new()),
            None => {
                self.from = Some(word.to_owned());
                None
            }
        }
    }
}

impl super::Table for Table {
    fn open(&mut self, out: &mut String) {
        self.show(out);
    }

    fn take(&mut self, text: &str, out: &mut String) -> Taken {
        let Some(text) = self.join(text) else { return Taken::Well };
        match legal(&self.position, &text) {
            Some(ply @ Ply::Move(..)) => {
                self.position.play(ply);
                self.show(out);
                Taken::Well
            }
            _ => {
                *out += "Invalid move. Try again!\n";
                self.prompt(out);
                Taken::Wrong
            }
        }
    }

    fn is_over(&self) -> bool {
        self.position.ending().is_some()
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
