//! The conversation with a program, as text: splits bytes into lines, and for each dialect writes messages
//! and reads lines.
//!
//! Owns [`Dialect`] and [`Conversation`], which each dialect implements in a file of its own; other rooms use
//! only the trait. [`rules_program`] reads what the rules of a game of one's own say. Knows the messages to and from players;
//! neither pipes nor processes nor time.
//!
//! ```
//! use arbiter::game::Reply;
//! use arbiter::protocol::{Dialect, ParsedLine};
//! use arbiter::rules::Ruleset;
//! let conversation = Dialect::default().conversation().unwrap();
//! let loa = Ruleset::named("loa", "").unwrap();
//! let ply = loa.read_ply("a2c4").unwrap();
//! assert_eq!(conversation.read(&loa.start(), b" move a2 c4\r"), ParsedLine::Reply(Reply::Ply(ply)));
//! ```

mod line;
mod native;
pub mod rules_program;

pub use line::{LINE_CAP, Line, LineBuffer};

use crate::game::{End, Reply, Start, Turn, Wording};
use crate::rules::Position;
use crate::text::words;

words! {
    /// The protocol between a bot and the referee.
    #[derive(Default)]
    Dialect {
        /// arbiter's own protocol.
        #[default]
        Native = "native",
        /// The protocol of CodinGame.
        Codingame = "codingame",
        /// The protocol of riddles.io.
        Riddles = "riddles",
    }
}

impl Dialect {
    /// A conversation in this dialect.
    ///
    /// # Errors
    /// arbiter does not speak it.
    pub fn conversation(self) -> Result<Box<dyn Conversation>, String> {
        match self {
            Dialect::Native => Ok(Box::new(native::Native::default())),
            Dialect::Codingame | Dialect::Riddles => {
                Err(format!("the dialect `{}` is not supported", self.word()))
            }
        }
    }
}

/// The conversation with one program: writes messages to it and reads its lines. Messages are appended to
/// `out`.
pub trait Conversation: Wording + Send {
    /// Writes the message that a game begins.
    fn push_start(&mut self, out: &mut String, start: &Start<'_>);

    /// Writes the message that the program is to move.
    fn push_turn(&mut self, out: &mut String, turn: &Turn<'_>);

    /// Writes the message that the game is over.
    fn push_end(&mut self, out: &mut String, end: &End<'_>);

    /// Writes the last message, before the program's input is closed.
    fn push_quit(&self, out: &mut String);

    /// Reads a line of the program. A ply in it, legal or not, is one of the game of this position, about which the program
    /// was asked last.
    fn read<'a>(&self, position: &Position, line: &'a [u8]) -> ParsedLine<'a>;

    /// Takes the words of [`ParsedLine::Ready`]; returns those that are unknown.
    fn ready_with(&mut self, words: &[u8]) -> Vec<String>;

    /// Whether the program can play another game in the same process.
    fn is_reusable(&self) -> bool;
}

/// The meaning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedLine<'a> {
    /// The program is ready; with these words.
    Ready(&'a [u8]),
    /// The name that the program gives itself.
    Name(&'a [u8]),
    /// What the program decided.
    Reply(Reply),
    /// Information about the ply to come.
    Info(&'a [u8]),
    /// A line that the dialect does not define.
    Unrecognised,
}
