//! The conversation with a bot, as text: bytes to lines, lines to messages, messages to lines (protocol.md).
//!
//! Owns the dialects and [`Answer`], what one question brought. Knows the rules and what a time control is;
//! neither pipes nor processes nor time itself. What an answer is worth is the referee's to say.

mod line;
pub mod native;

pub use line::{LINE_CAP, Line, LineBuffer, harmless, printable};

use std::time::Duration;

/// What a bot asked for with the words after `ready`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wishes {
    /// The same process can play another game.
    pub reuse: bool,
    /// No `board` and no `moves`.
    pub lean: bool,
    /// A line `position TEXT` in each turn.
    pub position: bool,
}

/// A line that answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `move` and these words.
    Move(&'a [u8]),
    /// `resign`.
    Resign,
}

/// How a bot's program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// By itself, with this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

/// Output that is no text of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Garbled {
    /// A line with a NUL byte.
    Nul,
    /// A line of more than [`LINE_CAP`] bytes.
    TooLong,
    /// Its standard output is closed while the program lives.
    Closed,
    /// Its standard input is closed while the program lives: it cannot hear the question.
    Deaf,
}

/// What one question to a bot brought: all that was true when it came to its end, with nothing decided yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Answer<'a> {
    /// The complete answer line, if one was read.
    pub reply: Option<Reply<'a>>,
    /// The last `info` before it, without the word.
    pub info: Option<&'a [u8]>,
    /// Wall time from the first byte of the request to the answer's newline, or to whatever ended the wait.
    pub used: Duration,
    /// Processor time of the same stretch, where it is known.
    pub cpu: Option<Duration>,
    /// The bot is over its memory.
    pub over_memory: bool,
    /// The bot is over its processes.
    pub over_processes: bool,
    /// The bot wrote more than it may for one ply.
    pub over_output: bool,
    /// The program has ended.
    pub exit: Option<Exit>,
    /// Something that is no text of the protocol came before any answer.
    pub garbled: Option<Garbled>,
}
