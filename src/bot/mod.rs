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

use crate::game::{Channel, Event, Exit, Watcher};
use std::sync::Arc;
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

/// Where the lines of one bot go that are watched.
#[derive(Clone)]
pub struct LineSink {
    player: Arc<str>,
    watcher: Arc<dyn Watcher>,
}

impl LineSink {
    /// Sends the lines of the bot of this name to the watcher.
    #[must_use]
    pub fn new(player: &str, watcher: Arc<dyn Watcher>) -> LineSink {
        LineSink { player: player.into(), watcher }
    }

    fn wants(&self, channel: Channel) -> bool {
        self.watcher.wants(channel)
    }

    fn send(&self, channel: Channel, line: &[u8]) {
        self.send_corrected(channel, line, None);
    }

    fn send_corrected(&self, channel: Channel, line: &[u8], correction: Option<String>) {
        if self.wants(channel) {
            let (player, line) = (Arc::clone(&self.player), line.to_vec());
            self.watcher.event(Event::Line { player, channel, line, correction });
        }
    }
}

/// How a bot ended.
#[derive(Debug, Clone)]
pub struct ExitReport {
    /// How its program ended; none if that is not known.
    pub exit: Option<Exit>,
    /// Its program was killed, because it did not end in time.
    pub killed: bool,
    /// Its program had ended before it was told to.
    pub ended_early: bool,
    /// What it used.
    pub usage: Option<Usage>,
    /// What it wrote since its notes were last taken.
    pub notes: Notes,
    /// What of arbiter failed when it was ended.
    pub broken: Option<String>,
}

/// What a bot wrote for its author: head and tail of each.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    /// Standard error.
    pub stderr: Excerpt,
    /// Lines of standard output that are no answer.
    pub unrecognised: Excerpt,
    /// Processor time that it used while it was not on move.
    pub pondered: Duration,
}
