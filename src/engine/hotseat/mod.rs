//! Hotseat: two people play at one terminal, with the output of the course hand-outs.
//!
//! Owns the conversation: the prompts, how input is read, every text that is printed. Knows only
//! the rules, and does no I/O: bytes go in, in chunks of any size, and the text to print comes out.
//! Each game's texts are described in its file; [`programs`] has a row for each, and a game may
//! have none. Where a course hand-out prescribes them, they are equal but for blanks at the end of
//! a line, so that students can compare the output of their own programs with `diff -Z`. (Programs
//! that students hand in print a blank after each row; the text of the hand-out does not show
//! whether its sample does.) Draws by repetition and by length are rules of matches and do not end
//! a game here.
//!
//! Input is a sequence of words separated by any white space, as the courses' own programs read it:
//! a move may be split over two lines, and several moves on one line are all played. At a terminal
//! an invalid move discards the rest of its line, so that a line of nonsense gives one error
//! message and not one for each word. No byte of the input is ever printed.
//!
//! ```
//! use arbiter_engine::hotseat::{HotseatSession, InputSource};
//! use arbiter_rules::Ruleset;
//! let start = Ruleset::named("loa", "").unwrap().start();
//! let (mut hotseat, opening) = HotseatSession::begin(start, InputSource::Pipe).unwrap();
//! assert!(opening.ends_with("7 . W W W W W W .\nB's move: "));
//! assert_eq!(hotseat.read(b"a2 c9 a2"), "Invalid move. Try again!\nB's move: ");
//! assert!(hotseat.read(b" c4\n").ends_with("7 . W W W W W W .\nW's move: "));
//! assert!(!hotseat.is_over());
//! ```

// Public for their documentation, which describes the texts of each game.
pub mod flipflop;
pub mod gekitai;
pub mod lineup;
pub mod loa;

mod input;
mod placement;
mod tests;

use arbiter_rules::{Game, Ply, Position, Ruleset};
use input::{NextInput, Scanner};
use std::fmt::{Debug, Write};

/// Where the input comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputSource {
    /// A person at a terminal: an invalid move discards the rest of its line.
    Terminal,
    /// A file or a program: every word is read.
    Pipe,
}

/// A game between two people.
#[derive(Debug)]
pub struct HotseatSession {
    game: Box<dyn HotseatGame>,
    scanner: Scanner,
    source: InputSource,
    /// Whether input is discarded up to the end of the line.
    skipping: bool,
}

/// Whether an input was accepted.
enum InputResult {
    Accepted,
    Rejected,
}

/// The part of the conversation that differs from game to game.
trait HotseatGame: Debug {
    /// Writes the board, then the next prompt or the result.
    fn show(&mut self, out: &mut String);

    /// Handles a text of the scanner; the text is empty if the input cannot be a move.
    fn take(&mut self, text: &str, out: &mut String) -> InputResult;

    fn position(&self) -> &Position;
}

/// The program of a game.
struct Program {
    game: Game,
    /// What a move looks like.
    move_text: &'static str,
    /// How input is read.
    scanner: fn() -> Scanner,
    /// The conversation from a position on.
    begin: fn(Position, InputSource) -> Box<dyn HotseatGame>,
}

const PROGRAMS: [Program; 4] = [
    Program {
        game: Game::Loa,
        move_text: "a2 c4",
        scanner: Scanner::words,
        begin: |position, source| Box::new(loa::LoaHotseat::new(position, source)),
    },
    Program {
        game: Game::FlipFlop,
        move_text: "a square's number",
        scanner: Scanner::words,
        begin: |position, _| Box::new(flipflop::FlipFlopHotseat::new(position)),
    },
    Program {
        game: Game::Lineup,
        move_text: "d0",
        scanner: Scanner::squares,
        begin: |position, _| Box::new(lineup::new_game(position)),
    },
    Program {
        game: Game::Gekitai,
        move_text: "c3 or C 3",
        scanner: Scanner::squares,
        begin: |position, _| Box::new(gekitai::new_game(position)),
    },
];

/// The games that two people can play so, and what a move looks like there.
pub fn programs() -> impl Iterator<Item = (Game, &'static str)> {
    PROGRAMS.into_iter().map(|program| (program.game, program.move_text))
}

impl HotseatSession {
    /// Starts a game from a position; returns it with the text to print before any input is read.
    /// The game may be over already. `None` if the game is not among [`programs`].
    pub fn begin(position: Position, source: InputSource) -> Option<(HotseatSession, String)> {
        let ruleset = position.ruleset();
        let program = PROGRAMS.into_iter().find(|program| program.game == *ruleset.game())?;
        let mut game = (program.begin)(position, source);
        let mut out = String::new();
        game.show(&mut out);
        let scanner = (program.scanner)();
        Some((HotseatSession { game, scanner, source, skipping: false }, out))
    }

    /// Handles the next input bytes and returns the text to print. Input after the end of the game
    /// is ignored.
    #[must_use]
    pub fn read(&mut self, mut typed: &[u8]) -> String {
        let mut out = String::new();
        while !self.is_over() {
            if self.skipping {
                // The rest of a line whose move was refused.
                let Some(end) = typed.iter().position(|&byte| byte == b'\n') else { break };
                typed = &typed[end..];
                self.skipping = false;
            }
            // The byte after a word is not consumed, so the end of a line is still seen.
            let Some((text, next_input)) = self.scanner.next(&mut typed) else { break };
            self.take(&text, next_input, &mut out);
        }
        out
    }

    /// Ends the input: a last word needs no white space after it. Returns the text to print.
    #[must_use]
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        if !self.is_over()
            && let Some(text) = self.scanner.finish()
        {
            self.take(&text, NextInput::SameLine, &mut out);
        }
        out
    }

    /// Whether the game is over; all output has been returned then.
    pub fn is_over(&self) -> bool {
        self.game.position().ending().is_some()
    }

    fn take(&mut self, text: &str, next_input: NextInput, out: &mut String) {
        match self.game.take(text, out) {
            InputResult::Accepted => {}
            InputResult::Rejected => {
                // What stands behind it on the line was typed for this move.
                self.skipping =
                    self.source == InputSource::Terminal && next_input == NextInput::SameLine;
            }
        }
    }
}

/// The ply of this text, if it is a legal one.
fn legal(position: &Position, text: &str) -> Option<Ply> {
    position.ruleset().read_ply(text).ok().filter(|&ply| position.check(ply).is_ok())
}

/// Appends the board of a position, see [`push_cells`].
fn push_grid(position: &Position, first_letter: u8, width: usize, out: &mut String) {
    let mut cells = String::new();
    position.push_board(&mut cells);
    push_cells(&position.ruleset(), &cells, first_letter, width, out);
}

/// Appends a board with the letters of its columns, beginning with `first_letter`, and the numbers
/// of its rows in fields of `width`. `cells` has a line for each row: marking also prints boards
/// that are no position.
pub fn push_cells(
    ruleset: &Ruleset,
    cells: &str,
    first_letter: u8,
    width: usize,
    out: &mut String,
) {
    *out += &" ".repeat(width);
    for column in 0..ruleset.columns() {
        out.push(' ');
        out.push(char::from(first_letter + column as u8));
    }
    out.push('\n');
    for (row, line) in cells.lines().enumerate() {
        let _ = write!(out, "{:>width$}", ruleset.row_name(row)); // writing to a String cannot fail
        for cell in line.chars() {
            out.push(' ');
            out.push(cell);
        }
        out.push('\n');
    }
}
