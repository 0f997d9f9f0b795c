//! A bot: an external program that is asked for plies over standard input and output.
//!
//! Owns processes, pipes and deadlines. Knows the protocol and none of the rules: [`Bot::ask`]
//! reports everything that happened, and other rooms decide what an answer is worth and whether the
//! bot has lost.
//!
//! ```text
//! let mut bot = Bot::start(&launcher, &program, &settings, None).await?;
//! let ready = bot.ready(&start, opponent).await?;
//! let answer = bot.ask(&turn, opponent).await?;
//! let exit_report = bot.stop().await;
//! ```
//!
//! What has no event loop waits for its program by `poll` ([`Responder`]): the rules of a custom
//! game answer a line for a line, and a build, a homework and the isolation probe run to their end.
//!
//! Who runs:
//!
//! | process | started by | rights | ends when |
//! |---|---|---|---|
//! | referee | the user | the user's | the command is done |
//! | warden (`arbiter __launch`) | the referee | the referee's | nothing of the bot is left |
//! | pid 1 of the bot's pid namespace | the warden, by fork | none | the warden ends |
//! | exec stage | the warden, by fork | the warden's, which it gives up | it has become the bot |
//! | adapter, bot | the exec stage, by exec | what `sandbox` leaves | the warden kills it |
//!
//! The bot is not trusted. It controls everything that it writes and starts, and may do or refuse
//! anything: write without end or half a line, close its pipes, fork, stop or kill whatever it has
//! the right to (under `basic` also the warden and arbiter itself). It has three pipes and no other
//! descriptor of arbiter.

mod conversation;
mod excerpt;
mod exec_stage;
mod ipc;
mod isolation_probe;
mod launcher;
mod meter;
mod process;
mod responder;
mod run_delay;
mod spawn;
mod stall;
mod warden;

// The only place of this room that chooses by system. `RUSTFLAGS='--cfg arbiter_posix'` builds the
// POSIX files on Linux, so that they can be tested there.
#[cfg_attr(all(target_os = "linux", not(arbiter_posix)), path = "linux/mod.rs")]
#[cfg_attr(not(all(target_os = "linux", not(arbiter_posix))), path = "posix/mod.rs")]
mod system;

pub use conversation::Bot;
pub use excerpt::Excerpt;
pub use isolation_probe::probe_isolation;
pub use launcher::Launcher;
pub use meter::{Delays, Opponent};
pub use responder::{
    NoAnswer, Responder, RunBounds, TimedRun, Waiting, blocking, run_whole, run_within,
};
pub use spawn::BotError;
pub use stall::StallDetector;
pub use system::{
    EVENT_LOOP_TIMERS, core_in_use, ignored_signals, kept_waiting, starved, stolen, suspended,
};
pub use system::{TELLS_CPU, cores, keep_to, myself};
pub use warden::{WARDEN, warden};

pub use crate::sandbox::throttled;
use arbiter_game::{Channel, Event, Exit, Watcher};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// Waits this long on a worker's event loop.
pub async fn wait(time: Duration) {
    let _ = system::within(time, std::future::pending::<()>()).await;
}

/// Resource usage of all processes of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time in user mode.
    pub user: Duration,
    /// Processor time in the kernel.
    pub system: Duration,
    /// The largest resident memory of a single process, in KiB.
    pub peak_kib: u64,
}

/// Sends the lines to and from one bot to a watcher.
#[derive(Clone)]
pub struct LineSink {
    player: Arc<str>,
    watcher: Arc<dyn Watcher>,
}

impl LineSink {
    /// Sends the lines of the bot of this name to the watcher.
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
            let player = Arc::clone(&self.player);
            let line = line.to_vec();
            self.watcher.event(Event::Line { player, channel, line, correction });
        }
    }
}

/// How a bot ended.
#[derive(Debug, Clone, Default)]
pub struct ExitReport {
    /// How its program ended; `None` if that is unknown.
    pub exit: Option<Exit>,
    /// Its program was killed, because it did not end in time.
    pub killed: bool,
    /// Its program had ended before `quit` was sent.
    pub ended_early: bool,
    /// The resources that it used.
    pub usage: Option<Usage>,
    /// What it wrote since its last [notes](Bot::take_notes).
    pub notes: Notes,
    /// What failed in arbiter when the bot was ended.
    pub broken: Option<String>,
}

/// What a bot wrote that is not part of the protocol.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Notes {
    /// Standard error.
    pub stderr: Excerpt,
    /// Lines of standard output that are not part of the protocol.
    pub unrecognised: Excerpt,
    /// Processor time that it used while it was not on move.
    pub pondered: Duration,
}
