//! The texts of `hotseat flipflop`.
//!
//! Each square of the board is a field of four characters, right-aligned: `W`, `B`, or the number
//! of an empty square. A move is such a number. After each piece follow the side that placed it,
//! how many pieces it captured, and the board:
//!
//! ```
//! # use arbiter_engine::hotseat::{HotseatSession, InputSource};
//! # use arbiter_rules::Ruleset;
//! # let flipflop = Ruleset::named("flipflop", "").unwrap();
//! let start = flipflop.start();
//! let (mut hotseat, opening) = HotseatSession::begin(start, InputSource::Pipe).unwrap();
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
//! When a side has earned a second piece, it is asked first whether it wants one: `y` and `yes`,
//! `n` and `no`, in either case, are answers. At the prompt for the second piece `pass` declines it
//! too.
//!
//! ```
//! # use arbiter_engine::hotseat::{HotseatSession, InputSource};
//! # use arbiter_rules::Ruleset;
//! # let flipflop = Ruleset::named("flipflop", "").unwrap();
//! let earned = flipflop.read_position("8/8/5W2/4B3/8/8/8/BW6 W 2").unwrap();
//! let (mut hotseat, opening) = HotseatSession::begin(earned, InputSource::Pipe).unwrap();
//! assert!(opening.ends_with("White, do you want a second piece? (y/n) "));
//! assert_eq!(hotseat.read(b"maybe Yes 34 "), "\
//! Illegal answer
//! White, do you want a second piece? (y/n) White, second piece: Illegal move
//! White, second piece: ");
//! let declined = "White has declined the second piece\nBlack, first piece: ";
//! assert!(hotseat.read(b"PASS pass ").ends_with(declined));
//! ```
//!
//! Three wrong inputs in a row at one prompt end the turn. At the question and at the second piece
//! this declines the second piece. At the first piece it is a rule of this command only: the
//! position is set up again with the other side to move, so `arbiter verify` would not accept a
//! game in which it happened.
//!
//! ```
//! # use arbiter_engine::hotseat::{HotseatSession, InputSource};
//! # use arbiter_rules::Ruleset;
//! # let flipflop = Ruleset::named("flipflop", "").unwrap();
//! let (mut hotseat, _) = HotseatSession::begin(flipflop.start(), InputSource::Pipe).unwrap();
//! assert_eq!(hotseat.read(b"27 a7 64 "), "\
//! Illegal move
//! White, first piece: Illegal move
//! White, first piece: Illegal move
//! Three wrong tries: the turn goes to Black
//! Black, first piece: ");
//! ```
//!
//! A side that cannot place a first piece is not asked. When neither side can, the game is over:
//!
//! ```
//! # use arbiter_engine::hotseat::{HotseatSession, InputSource};
//! # use arbiter_rules::Ruleset;
//! # let flipflop = Ruleset::named("flipflop", "").unwrap();
//! let position = flipflop.read_position("8/8/8/8/8/8/8/WB6 B 1").unwrap();
//! let (mut hotseat, opening) = HotseatSession::begin(position, InputSource::Pipe).unwrap();
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
//! The other results are `Black wins!` and `Draw game!`.

use super::{HotseatGame, InputResult, legal};
use arbiter_rules::{Cell, Ply, Position, Side};
use std::fmt::Write;

/// Wrong inputs at one prompt that end the turn.
const TRIES: u32 = 3;

#[derive(Debug)]
pub(super) struct FlipFlopHotseat {
    position: Position,
    prompt: Prompt,
    /// Wrong inputs since the last valid one.
    wrong: u32,
}

/// The input that the last prompt asks for.
#[derive(Debug, Clone, Copy)]
enum Prompt {
    FirstPiece,
    WantsSecond,
    SecondPiece,
}

impl FlipFlopHotseat {
    pub(super) fn new(position: Position) -> FlipFlopHotseat {
        FlipFlopHotseat { position, prompt: Prompt::FirstPiece, wrong: 0 }
    }

    /// Writes what follows a ply: a note about a side that cannot move, then the next prompt or the
    /// result.
    fn go_on(&mut self, out: &mut String) {
        if let Some(pass) = self.position.forced_pass() {
            self.push_unable(self.position.side(), out);
            self.position.play(pass); // the other side can move; otherwise the game would be over
        }
        let Some(ending) = self.position.ending() else {
            let is_second = self.position.piece() == Some(2);
            return self.ask(if is_second { Prompt::WantsSecond } else { Prompt::FirstPiece }, out);
        };
        self.push_unable(self.position.side(), out);
        self.push_unable(!self.position.side(), out);
        let white = self.position.piece_count(Side::First);
        let black = self.position.piece_count(Side::Second);
        let _ = writeln!(out, "White: {white}, Black: {black}");
        let _ = match ending.winner {
            Some(side) => writeln!(out, "{} wins!", name(side)),
            None => writeln!(out, "Draw game!"),
        };
    }

    fn push_unable(&self, side: Side, out: &mut String) {
        let _ = writeln!(out, "{} is unable to move", name(side));
    }

    fn ask(&mut self, prompt: Prompt, out: &mut String) {
        self.prompt = prompt;
        self.wrong = 0;
        self.push_prompt(out);
    }

    fn push_prompt(&self, out: &mut String) {
        *out += name(self.position.side());
        *out += match self.prompt {
            Prompt::FirstPiece => ", first piece: ",
            Prompt::WantsSecond => ", do you want a second piece? (y/n) ",
            Prompt::SecondPiece => ", second piece: ",
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
        self.show(out);
    }

    fn decline(&mut self, out: &mut String) {
        let _ = writeln!(out, "{} has declined the second piece", name(self.position.side()));
        self.position.play(Ply::Pass);
        self.go_on(out);
    }

    fn refuse(&mut self, out: &mut String) {
        *out += match self.prompt {
            Prompt::FirstPiece | Prompt::SecondPiece => "Illegal move\n",
            Prompt::WantsSecond => "Illegal answer\n",
        };
        self.wrong += 1;
        if self.wrong < TRIES {
            return self.push_prompt(out);
        }
        let _ =
            writeln!(out, "Three wrong tries: the turn goes to {}", name(!self.position.side()));
        match self.prompt {
            Prompt::FirstPiece => self.position = turned_over(&self.position),
            Prompt::WantsSecond | Prompt::SecondPiece => self.position.play(Ply::Pass),
        }
        self.go_on(out);
    }
}

impl HotseatGame for FlipFlopHotseat {
    fn show(&mut self, out: &mut String) {
        push_board(&self.position, out);
        self.go_on(out);
    }

    fn take(&mut self, text: &str, out: &mut String) -> InputResult {
        let ply = match self.prompt {
            Prompt::WantsSecond if is_one_of(text, ["y", "yes"]) => {
                self.ask(Prompt::SecondPiece, out);
                return InputResult::Accepted;
            }
            Prompt::WantsSecond if is_one_of(text, ["n", "no"]) => Some(Ply::Pass),
            Prompt::WantsSecond => None,
            Prompt::FirstPiece | Prompt::SecondPiece => legal(&self.position, text),
        };
        match ply {
            None => {
                self.refuse(out);
                return InputResult::Rejected;
            }
            Some(Ply::Pass) => self.decline(out),
            Some(ply) => self.place(ply, out),
        }
        InputResult::Accepted
    }

    fn position(&self) -> &Position {
        &self.position
    }
}

/// Whether a text is one of these words, in either case.
fn is_one_of(text: &str, words: [&str; 2]) -> bool {
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The same board with the other side to place its first piece. The rules have no ply for this.
fn turned_over(position: &Position) -> Position {
    let ruleset = position.ruleset();
    let text = position.to_string();
    let rows = text.split(' ').next().unwrap_or_default();
    let other = format!("{rows} {} 1", ruleset.letter(!position.side()));
    // The text was printed from a position, so it can be read.
    ruleset.read_position(&other).unwrap_or(position.clone())
}

fn name(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}

fn push_board(position: &Position, out: &mut String) {
    let ruleset = position.ruleset();
    for row in 0..ruleset.rows() {
        for column in 0..ruleset.columns() {
            let _ = match position.cell(row, column) {
                Cell::Piece(side) => write!(out, "{:>4}", ruleset.letter(side)),
                // An empty square shows the number to type for it.
                Cell::Empty | Cell::Block => write!(out, "{:>4}", row * ruleset.columns() + column),
            };
        }
        out.push('\n');
    }
}
