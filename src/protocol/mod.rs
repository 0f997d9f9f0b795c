//! The conversation with a program, as text: bytes to lines, and for each dialect what is written and what lines mean.
//!
//! Owns [`Dialect`] and [`Conversation`], which each dialect's file implements; nothing outside this room names one of them.
//! Knows what a game's players are told and answer; neither pipes nor processes nor time.
//!
//! ```
//! use arbiter::protocol::{Dialect, Said};
//! let conversation = Dialect::default().conversation().unwrap();
//! assert_eq!(conversation.read(b" move a2 c4\r"), Said::Move(b"a2 c4"));
//! ```

mod line;
mod native;

pub use line::{LINE_CAP, Line, LineBuffer};

use crate::game::{End, Illegal, Start, Turn, Wording};
use crate::rules::{Ply, Position};
use crate::text::words;

words! {
    /// The language that a bot speaks with the referee.
    Dialect {
        /// arbiter's own protocol.
        Native = "native",
        /// As on CodinGame.
        Codingame = "codingame",
        /// As on riddles.io.
        Riddles = "riddles",
    }
}

/// arbiter's own: what a bot speaks of which nothing is said.
impl Default for Dialect {
    fn default() -> Dialect {
        Dialect::Native
    }
}

impl Dialect {
    /// A conversation in this dialect; none if arbiter does not speak it yet.
    #[must_use]
    pub fn conversation(self) -> Option<Box<dyn Conversation>> {
        match self {
            Dialect::Native => Some(Box::new(native::Native::default())),
            Dialect::Codingame | Dialect::Riddles => None,
        }
    }
}

/// One side of the conversation with one program: what it is sent, and what its lines mean. Text is appended to `out`.
pub trait Conversation: Wording + Send {
    /// What is sent when a game begins.
    fn push_start(&mut self, out: &mut String, start: &Start<'_>);

    /// What is sent when the program is to move.
    fn push_turn(&mut self, out: &mut String, turn: &Turn<'_>);

    /// What is sent when the game is over.
    fn push_end(&mut self, out: &mut String, end: &End<'_>);

    /// What is sent at last, before the program's input is closed.
    fn push_quit(&self, out: &mut String);

    /// What a line of the program says.
    fn read<'a>(&self, line: &'a [u8]) -> Said<'a>;

    /// Takes what a program says about itself with the words of [`Said::Ready`]; returns the words that mean nothing.
    fn ready_with(&mut self, words: &[u8]) -> Vec<String>;

    /// Whether the program can play another game in the same process.
    fn is_reusable(&self) -> bool;

    /// The ply that the words of [`Said::Move`] are, whether it is legal or not.
    ///
    /// # Errors
    /// They are no ply of the game; why.
    fn read_ply(&self, position: &Position, words: &[u8]) -> Result<Ply, Illegal>;
}

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said<'a> {
    /// The program is ready; with these words.
    Ready(&'a [u8]),
    /// What the program calls itself.
    Name(&'a [u8]),
    /// A ply, in these words.
    Move(&'a [u8]),
    /// The program gives up.
    Resign,
    /// Information about the ply to come.
    Info(&'a [u8]),
    /// Nothing that the dialect knows.
    Unrecognised,
}
