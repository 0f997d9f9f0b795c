//! What `hotseat flipflop` says.
//!
//! The board stands in fields of four characters, right-adjusted: `W`, `B`, or the number of an empty square. A move is
//! that number. After each piece stand who placed it, how many it captured, and the board:
//!
//! ```
//! # use arbiter::{hotseat::{Hotseat, Source}, rules::Ruleset};
//! # let flipflop = Ruleset::named("flipflop", &[]).unwrap();
//! let (mut hotseat, opening) = Hotseat::begin(flipflop.start(), Source::Pipe);
//! assert!(opening.ends_with("  56  57  58  59  60  61  62  63\nWhite, first piece: "));
//! assert_eq!(hotseat.read(b"0 29 "), "\
//! Illegal move
//! White, first piece: White has placed the first piece
//! White has captured 1 piece
//!    0   1   2   3   4   5   6   7
//!    8   9  10  11  12  13  14  15
//!   16  17  18  19  20  21  22  23
//!   24  25  26   W   W   W  30  31
//!   32  33  34   B   W  37  38  39
//!   40  41  42  43  44  45  46  47
//!   48  49  50  51  52  53  54  55
//!   56  57  58  59  60  61  62  63
//! Black, first piece: ");
//! ```
//!
//! When a second piece is earned, its owner is asked first: `y` and `yes`, `n` and `no`, in either case, are answers. At
//! the prompt for the second piece `pass` declines it too.
//!
//! ```
//! # use arbiter::{hotseat::{Hotseat, Source}, rules::Ruleset};
//! # let flipflop = Ruleset::named("flipflop", &[]).unwrap();
//! let earned = flipflop.read_position("8/8/5W2/4B3/8/8/8/BW6 W 2").unwrap();
//! let (mut hotseat, opening) = Hotseat::begin(earned, Source::Pipe);
//! assert!(opening.ends_with("White, do you want a second piece? (y/n) "));
//! assert_eq!(hotseat.read(b"maybe Yes 34 "), "\
//! Illegal answer
//! White, do you want a second piece? (y/n) White, second piece: Illegal move
//! White, second piece: ");
//! assert!(hotseat.read(b"PASS pass ").ends_with("White has declined the second piece\nBlack, first piece: "));
//! ```
//!
//! Three wrong tries in a row at one prompt hand the turn over. At the question and at the second piece that is a second
//! piece declined. At the first piece it is a rule of this command alone: the position is set up again with the other
//! side to move, so that a game in which it happened is not one that `arbiter verify` would accept.
//!
//! ```
//! # use arbiter::{hotseat::{Hotseat, Source}, rules::Ruleset};
//! # let flipflop = Ruleset::named("flipflop", &[]).unwrap();
//! let (mut hotseat, _) = Hotseat::begin(flipflop.start(), Source::Pipe);
//! assert_eq!(hotseat.read(b"27 a7 64 "), "\
//! Illegal move
//! White, first piece: Illegal move
//! White, first piece: Illegal move
//! Three wrong tries: the turn goes to Black
//! Black, first piece: ");
//! ```
//!
//! A side that can place no first piece is not asked. When neither can, the game is over:
//!
//! ```
//! # use arbiter::{hotseat::{Hotseat, Source}, rules::Ruleset};
//! # let flipflop = Ruleset::named("flipflop", &[]).unwrap();
//! let (mut hotseat, opening) = Hotseat::begin(flipflop.read_position("8/8/8/8/8/8/8/WB6 B 1").unwrap(), Source::Pipe);
//! assert!(opening.ends_with("Black is unable to move\nWhite, first piece: "));
//! assert!(hotseat.read(b"58 ").ends_with("  48  49  50  51  52  53  54  55
//!    W   W   W  59  60  61  62  63
//! Black is unable to move
//! White is unable to move
//! White: 3, Black: 0
//! White wins!
//! "));
//! assert!(hotseat.is_over());
//! ```
//!
//! The other verdicts are `Black wins!` and `Draw game!`.

use super::{Taken, legal};
use crate::rules::{Cell, Ply, Position, Side};
use std::fmt::Write;

/// Wrong tries at one prompt that hand the turn over.
const TRIES: u32 = 3;

#[derive(Debug)]
pub(super) struct Table {
    position: Position,
    asked: Asked,
    /// Wrong tries since the last right one.
    wrong: u32,
}

/// What the last prompt asks for.
#[derive(Debug, Clone, Copy)]
enum Asked {
    First,
    Whether,
    Second,
}

/// What the side to move says to the question whether it wants a second piece.
#[derive(Debug, Clone, Copy)]
enum Answer {
    Yes,
    No,
}

impl Table {
    pub(super) fn new(position: Position) -> Table {
        Table { position, asked: Asked::First, wrong: 0 }
    }

    /// The next prompt or the end, with what is to be said before.
    fn go_on(&mut self, out: &mut String) {
        if let Some(pass) = self.position.forced_pass() {
            self.push_unable(self.position.side(), out);
            self.position.play(pass); // the other side can move, or the game would be over
        }
        match self.position.ending() {
            None => {
                let asked = if self.position.piece() == Some(2) { Asked::Whether } else { Asked::First };
                self.ask(asked, out);
            }
            Some(ending) => {
                self.push_unable(self.position.side(), out);
                self.push_unable(!self.position.side(), out);
                let [white, black] = Side::BOTH.map(|side| self.position.piece_count(side));
                let _ = writeln!(out, "White: {white}, Black: {black}");
                let _ = match ending.winner {
                    Some(side) => writeln!(out, "{} wins!", name(side)),
                    None => writeln!(out, "Draw game!"),
                };
            }
        }
    }

    fn push_unable(&self, side: Side, out: &mut String) {
        let _ = writeln!(out, "{} is unable to move", name(side));
    }

    fn ask(&mut self, asked: Asked, out: &mut String) {
        self.asked = asked;
        self.wrong = 0;
        self.prompt(out);
    }

    fn prompt(&self, out: &mut String) {
        *out += name(self.position.side());
        *out += match self.asked {
            Asked::First => ", first piece: ",
            Asked::Whether => ", do you want a second piece? (y/n) ",
            Asked::Second => ", second piece: ",
        };
    }

    fn place(&mut self, ply: Ply, out: &mut String) {
        let side = self.position.side();
        let which = if self.position.piece() == Some(2) { "second" } else { "first" };
        let before = self.position.piece_count(!side);
        self.position.play(ply);
        let captured = before - self.position.piece_count(!side);
        let pieces = if captured == 1 { "piece" } else { "pieces" };
        let _ = writeln!(out, "{} has placed the {which} piece", name(side));
        let _ = writeln!(out, "{} has captured {captured} {pieces}", name(side));
        push_board(&self.position, out);
        self.go_on(out);
    }

    fn decline(&mut self, out: &mut String) {
        let _ = writeln!(out, "{} has declined the second piece", name(self.position.side()));
        self.position.play(Ply::Pass);
        self.go_on(out);
    }

    fn refuse(&mut self, out: &mut String) {
        *out += match self.asked {
            Asked::First | Asked::Second => "Illegal move\n",
            Asked::Whether => "Illegal answer\n",
        };
        self.wrong += 1;
        if self.wrong < TRIES {
            return self.prompt(out);
        }
        let _ = writeln!(out, "Three wrong tries: the turn goes to {}", name(!self.position.side()));
        match self.asked {
            Asked::First => self.position = turned_over(&self.position),
            Asked::Whether | Asked::Second => self.position.play(Ply::Pass),
        }
        self.go_on(out);
    }
}

impl super::Table for Table {
    fn open(&mut self, out: &mut String) {
        push_board(&self.position, out);
        self.go_on(out);
    }

    fn take(&mut self, text: &str, out: &mut String) -> Taken {
        let ply = match (self.asked, read_answer(text)) {
            (Asked::Whether, Some(Answer::Yes)) => {
                self.ask(Asked::Second, out);
                return Taken::Well;
            }
            (Asked::Whether, Some(Answer::No)) => Some(Ply::Pass),
            (Asked::Whether, None) => None,
            (Asked::First | Asked::Second, _) => legal(&self.position, text),
        };
        match ply {
            None => {
                self.refuse(out);
                return Taken::Wrong;
            }
            Some(Ply::Pass) => self.decline(out),
            Some(ply) => self.place(ply, out),
        }
        Taken::Well
    }

    fn is_over(&self) -> bool {
        self.position.ending().is_some()
    }
}

fn read_answer(text: &str) -> Option<Answer> {
    let is = |word: &&str| text.eq_ignore_ascii_case(word);
    if ["y", "yes"].iter().any(is) {
        Some(Answer::Yes)
    } else if ["n", "no"].iter().any(is) {
        Some(Answer::No)
    } else {
        None
    }
}

/// The same board with the other side at its first piece, for which the rules have no ply.
fn turned_over(position: &Position) -> Position {
    let ruleset = position.ruleset();
    let text = position.to_string();
    let rows = text.split(' ').next().unwrap_or_default();
    let other = format!("{rows} {} 1", ruleset.letter(!position.side()));
    ruleset.read_position(&other).unwrap_or(*position) // a board that was printed can be read
}

fn name(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}

fn push_board(position: &Position, out: &mut String) {
    let ruleset = position.ruleset();
    for row in 0..ruleset.size() {
        for column in 0..ruleset.size() {
            let _ = match position.cell(row, column) {
                Cell::Piece(side) => write!(out, "{:>4}", ruleset.letter(side)),
                // A number that can be typed is what stands on an empty square.
                Cell::Empty | Cell::Block => write!(out, "{:>4}", row * ruleset.size() + column),
            };
        }
        out.push('\n');
    }
}
