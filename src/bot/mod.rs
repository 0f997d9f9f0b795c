//! A bot: an external program that is asked for plies over standard input and output.
//!
//! Owns processes, pipes and deadlines; knows the protocol and none of the rules. What an answer is worth,
//! and whether a bot has lost, is decided elsewhere: [`Bot::ask`] reports all that was true.
//!
//! Who runs (cast): the *referee*, this process, with the user's rights; for each bot a *warden*, this same program
//! started again (`arbiter __launch`), with the same rights; the *second stage* (`arbiter __confine`), which
//! restricts itself and execs the *bot*. Where namespaces work, *init* (`arbiter __init`) is pid 1 of the bot's pid
//! namespace. The bot is a stranger's program: it controls all it writes and everything it starts, and it may do or
//! refuse anything. It holds three pipes and nothing else of ours.

mod conversation;
mod excerpt;
mod exec_stage;
mod ipc;
mod isolation_probe;
mod launcher;
mod meter;
mod process;
mod warden;

// What the system gives: of Linux its own, elsewhere what POSIX has. With `RUSTFLAGS='--cfg arbiter_posix'` Linux has to
// do with that too, so that it can be tried here.
#[cfg_attr(all(target_os = "linux", not(arbiter_posix)), path = "linux/mod.rs")]
#[cfg_attr(not(all(target_os = "linux", not(arbiter_posix))), path = "posix/mod.rs")]
mod system;

pub use conversation::Bot;
pub use excerpt::Excerpt;
pub use exec_stage::confine;
pub use isolation_probe::probe_isolation;
pub use process::{BotError, Launcher};
pub use system::{TELLS_CPU, cores, keep_to, myself};
pub(crate) use system::{core_in_use, ignored_signals, starved, stolen};
pub use warden::{CONFINE, WARDEN, warden};

use crate::protocol::{Exit, Pondering, Room, Silence, Tasks};
use std::time::Duration;

/// What the processes of a bot have used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Processor time in user mode.
    pub user: Duration,
    /// Processor time in the kernel.
    pub system: Duration,
    /// The most memory that one of them had resident, in KiB.
    pub peak_kib: u64,
}

/// Where a line went or came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// To the bot.
    Request,
    /// From the bot's standard output, a line of the protocol.
    Said,
    /// From the bot's standard output, a line that is none.
    Stray,
    /// From the bot's standard error.
    Stderr,
}

/// Somebody who wants to see every line as it passes, such as a screen or a transcript.
pub trait Listener: Send + Sync {
    /// A line, without its newline.
    fn heard(&self, channel: Channel, line: &[u8]);
}

/// What a bot may do beside playing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of standard output for one ply.
    pub output: usize,
    /// How long it may take to say `ready`.
    pub start: Duration,
    /// How long it may take to exit after `quit`.
    pub grace: Duration,
    /// Bytes of memory that its processes may have; none for no limit.
    pub memory: Option<u64>,
    /// Whether it runs while it is not on move.
    pub pondering: Pondering,
}

/// What a bot has too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Excess {
    /// Memory: so many bytes.
    Memory(u64),
    /// Processes or threads: so many.
    Tasks(Tasks),
    /// Bytes or files in its scratch folder.
    Scratch(Room),
}

/// How long one question may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allowance {
    /// Wall time from the first byte written.
    pub wall: Option<Duration>,
    /// Processor time, where that is charged.
    pub cpu: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            output: 1 << 20,
            start: Duration::from_secs(10),
            grace: Duration::from_millis(500),
            memory: None,
            pondering: Pondering::On,
        }
    }
}

/// How a bot ended.
#[derive(Debug, Clone)]
pub struct Farewell {
    /// How its program ended; none if that is not known.
    pub exit: Option<Exit>,
    /// Its program had to be ended.
    pub killed: bool,
    /// Its program had ended before it was told to.
    pub ended_early: bool,
    /// What it used.
    pub usage: Option<Usage>,
    /// What it wrote since its notes were last taken.
    pub notes: Notes,
    /// What of ours failed when it was ended.
    pub broken: Option<String>,
}

/// What a bot wrote for its author: head and tail of each.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    /// Standard error.
    pub stderr: Excerpt,
    /// Lines of standard output that are no answer.
    pub astray: Excerpt,
    /// Processor time that it used while it was not on move.
    pub pondered: Duration,
}

/// What a bot left behind that may explain what went wrong.
#[derive(Debug, Clone, Default)]
pub struct Testimony {
    /// What it wrote after its last newline.
    pub partial: Vec<u8>,
    /// Stray lines since the last request.
    pub strays: Vec<Vec<u8>>,
    /// The last lines of its standard error.
    pub stderr: Vec<Vec<u8>>,
    /// Whether others may read them.
    pub quotable: bool,
    /// The name of its script or program, which tells the language.
    pub program: String,
    /// Why it said nothing, if it did and that is known.
    pub silence: Option<Silence>,
}
