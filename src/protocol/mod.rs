//! The conversation with a bot, as text: bytes to lines, lines to messages, messages to lines (protocol.md).
//!
//! Owns the dialects and [`Answer`], what one question brought. Knows the rules and what a time control is;
//! neither pipes nor processes nor time itself. What an answer is worth is the referee's to say.

mod line;
pub mod native;

pub use line::{LINE_CAP, Line, LineBuffer};

use std::fmt;
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

/// Whether a bot that is not on move may go on thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pondering {
    /// It is frozen.
    Off,
    /// It runs.
    On,
}

/// A line that answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `move` and these words.
    Move(&'a [u8]),
    /// `resign`.
    Resign,
}

/// Why a bot that was asked says nothing, as far as can be seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Silence {
    /// It computes.
    Computing,
    /// It waits for more input.
    Waiting,
    /// It does neither.
    Sleeping,
    /// When its input was closed, this appeared: it had not been flushed.
    Unflushed(Vec<u8>),
}

/// How a bot's program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// By itself, with this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

impl fmt::Display for Exit {
    /// The rest of a sentence about the program: `ended with exit status 3`, `was ended by SIGSEGV (…)`. Signals go by
    /// their names on Linux (signal(7)), with what they usually mean.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signal = match *self {
            Exit::Status(status) => return write!(f, "ended with exit status {status}"),
            Exit::Signal(signal) => signal,
        };
        let name = match signal {
            1 => "SIGHUP",
            2 => "SIGINT",
            3 => "SIGQUIT",
            4 => "SIGILL (illegal instruction)",
            5 => "SIGTRAP",
            6 => "SIGABRT (it aborted itself)",
            7 => "SIGBUS (bad memory access)",
            8 => "SIGFPE (division by zero)",
            9 => "SIGKILL",
            11 => "SIGSEGV (bad memory access)",
            13 => "SIGPIPE",
            14 => "SIGALRM",
            15 => "SIGTERM",
            24 => "SIGXCPU (processor time limit)",
            25 => "SIGXFSZ (file size limit)",
            31 => "SIGSYS (forbidden system call)",
            _ => return write!(f, "was ended by signal {signal}"),
        };
        write!(f, "was ended by {name}")
    }
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

/// Processes, and the threads of all of them together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tasks {
    /// Processes.
    pub processes: u32,
    /// Threads; each process has one at least.
    pub threads: u32,
}

/// Room on a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Room {
    /// Bytes of all files.
    pub bytes: u64,
    /// Files and folders.
    pub files: u64,
}

/// Where a bot wrote more than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flood {
    /// To its standard output, for one ply.
    Output,
    /// Into its scratch folder: so much.
    Scratch(Room),
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
    /// The bot is over its memory: the bytes that its processes had.
    pub over_memory: Option<u64>,
    /// The bot is over its processes or threads: how many it had.
    pub over_processes: Option<Tasks>,
    /// The bot wrote more than it may: where.
    pub over_output: Option<Flood>,
    /// The program has ended.
    pub exit: Option<Exit>,
    /// Something that is no text of the protocol came before any answer.
    pub garbled: Option<Garbled>,
}

impl Answer<'_> {
    /// The same answer with its reply copied into `words`, for when the bot that it was borrowed from is looked at
    /// again; its `info` is left behind.
    #[must_use]
    pub fn detached<'b>(&self, words: &'b mut Vec<u8>) -> Answer<'b> {
        let reply = match self.reply {
            Some(Reply::Move(said)) => {
                words.extend_from_slice(said);
                Some(Reply::Move(words))
            }
            Some(Reply::Resign) => Some(Reply::Resign),
            None => None,
        };
        Answer {
            reply,
            info: None,
            used: self.used,
            cpu: self.cpu,
            over_memory: self.over_memory,
            over_processes: self.over_processes,
            over_output: self.over_output,
            exit: self.exit,
            garbled: self.garbled,
        }
    }
}

impl Reply<'_> {
    /// The whole line, as the protocol writes it.
    #[must_use]
    pub fn line(self) -> Vec<u8> {
        match self {
            Reply::Move(words) => [b"move ", words].concat().trim_ascii_end().to_vec(),
            Reply::Resign => b"resign".to_vec(),
        }
    }
}
