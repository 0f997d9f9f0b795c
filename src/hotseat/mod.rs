//! Two people at one terminal, as the hand-outs of the courses print it.
//!
//! Owns the conversation: what is asked, how the answers are read, every word that is printed. Knows the rules alone, and
//! neither reads nor writes: bytes go in, in whatever chunks, and what is to be printed comes out. The texts are those of
//! each game's file. Where a hand-out gives them, they are its texts byte for byte, so that students can compare their
//! own programs with it. Draws by repetition and by length belong to matches and do not end a game here.
//!
//! What is typed is a stream of words with any white space between them, as the courses' own programs read it: a move may
//! stand on two lines, and several moves on one line are all played. From a person at a terminal a wrong move takes the
//! rest of its line with it, so that who typed nonsense is asked once and not once for every word. No byte of what was
//! typed is ever printed.
//!
//! ```
//! use arbiter::hotseat::{Hotseat, Source};
//! use arbiter::rules::Ruleset;
//! let start = Ruleset::named("loa", &[]).unwrap().start();
//! let (mut hotseat, opening) = Hotseat::begin(start, Source::Pipe);
//! assert!(opening.ends_with("7 . W W W W W W .\nB's move: "));
//! assert_eq!(hotseat.read(b"a2 c9 a2"), "Invalid move. Try again!\nB's move: ");
//! assert!(hotseat.read(b" c4\n").ends_with("7 . W W W W W W .\nW's move: "));
//! assert!(!hotseat.is_over());
//! ```

// Public for their texts, which are what these modules say of themselves.
pub mod flipflop;
pub mod gekitai;
pub mod lineup;
pub mod loa;

mod input;
mod tests;

use crate::rules::{Game, Ply, Position};
use input::{Behind, Scanner};
use std::fmt::{Debug, Write};

/// Where the moves come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A person at a terminal: a wrong move takes the rest of its line with it.
    Terminal,
    /// A file or a program: every word counts.
    Pipe,
}

/// A game between two people.
#[derive(Debug)]
pub struct Hotseat {
    table: Box<dyn Table>,
    scanner: Scanner,
    source: Source,
    /// The rest of a line is being thrown away.
    skipping: bool,
}

/// What became of a word or move.
enum Taken {
    Well,
    Wrong,
}

/// One game's side of the conversation.
trait Table: Debug {
    /// Says what comes before the first answer.
    fn open(&mut self, out: &mut String);

    /// Takes what the scanner found; what cannot be a move is an empty text.
    fn take(&mut self, text: &str, out: &mut String) -> Taken;

    fn is_over(&self) -> bool;
}

impl Hotseat {
    /// A game from a position, and what is to be printed before anything is read. It may be over already.
    #[must_use]
    pub fn begin(position: Position, source: Source) -> (Hotseat, String) {
        let game = position.ruleset().game();
        let mut table: Box<dyn Table> = match game {
            Game::Loa => Box::new(loa::Table::new(position, source)),
            Game::FlipFlop => Box::new(flipflop::Table::new(position)),
            Game::Lineup => Box::new(lineup::table(position)),
            Game::Gekitai => Box::new(gekitai::Table::new(position, Some(0), 2)),
        };
        let scanner = match game {
            Game::Loa | Game::FlipFlop => Scanner::words(),
            Game::Lineup | Game::Gekitai => Scanner::squares(),
        };
        let mut out = String::new();
        table.open(&mut out);
        (Hotseat { table, scanner, source, skipping: false }, out)
    }

    /// Takes in what was typed next; the answer is to be printed. What comes after the end of the game is not looked at.
    #[must_use]
    pub fn read(&mut self, mut typed: &[u8]) -> String {
        let mut out = String::new();
        while !self.table.is_over() {
            if self.skipping {
                let Some(end) = typed.iter().position(|&byte| byte == b'\n') else { break };
                typed = &typed[end..];
                self.skipping = false;
            }
            // The byte behind a word is still there, so that the end of a line is not lost.
            let Some((text, behind)) = self.scanner.next(&mut typed) else { break };
            self.take(&text, behind, &mut out);
        }
        out
    }

    /// Nothing more will be typed: a last word needs no white space behind it. The answer is to be printed.
    #[must_use]
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        if !self.table.is_over()
            && let Some(text) = self.scanner.finish()
        {
            self.take(&text, Behind::SameLine, &mut out);
        }
        out
    }

    /// Whether the game has ended; everything has been said then.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.table.is_over()
    }

    fn take(&mut self, text: &str, behind: Behind, out: &mut String) {
        match self.table.take(text, out) {
            Taken::Well => {}
            Taken::Wrong => {
                self.skipping = self.source == Source::Terminal && behind == Behind::SameLine;
            }
        }
    }
}

/// The ply of that text, if there is one and it is legal.
fn legal(position: &Position, text: &str) -> Option<Ply> {
    position.ruleset().read_ply(text).ok().filter(|&ply| position.check(ply).is_ok())
}

/// The board with the letters of its columns, from `first_letter` on, and the numbers of its rows in fields of `width`.
fn push_grid(position: &Position, first_letter: u8, width: usize, out: &mut String) {
    let ruleset = position.ruleset();
    *out += &" ".repeat(width);
    for column in 0..ruleset.size() {
        out.push(' ');
        out.push(char::from(first_letter + column as u8));
    }
    out.push('\n');
    let mut cells = String::new();
    position.push_board(&mut cells);
    for (row, cells) in cells.lines().enumerate() {
        let _ = write!(out, "{:>width$}", ruleset.row_name(row)); // writing to a String cannot fail
        for cell in cells.chars() {
            out.push(' ');
            out.push(cell);
        }
        out.push('\n');
    }
}
