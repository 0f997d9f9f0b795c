//! The processes of one bot as the referee sees them: its process group, which is stopped and
//! resumed as one.

use super::machine::kept_waiting;
use crate::bot::ipc::Started;
use crate::bot::run_delay::{ARBITER, ThreadTimes, TreeTimes};
use arbiter_game::{Silence, Tasks};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::time::Duration;

/// A bot's processes.
pub(in crate::bot) struct ProcessTree {
    bot: Pid,
}

impl ProcessTree {
    /// The processes of a bot that has just been started.
    pub fn new(started: &Started, _warden: u32) -> io::Result<ProcessTree> {
        let bot = i32::try_from(started.pid).ok().and_then(Pid::from_raw);
        Ok(ProcessTree { bot: bot.ok_or(io::ErrorKind::InvalidInput)? })
    }

    /// Searches for started and ended processes: not possible, so false.
    pub fn look(&mut self) -> bool {
        false
    }

    /// The number of living processes and threads: unknown, so zero.
    pub fn tasks(&self) -> Tasks {
        Tasks::default()
    }

    /// How long they waited for a processor: unknown.
    pub fn waited(&self) -> Option<Duration> {
        None
    }

    /// Whether a thread runs or waits for a processor: unknown, so false.
    pub fn can_run(&self) -> bool {
        false
    }

    /// The times of all threads: unknown, and of this one.
    pub fn times(&mut self) -> Option<TreeTimes> {
        let this = ThreadTimes { id: ARBITER, ran: Duration::ZERO, waited: kept_waiting()? };
        Some(TreeTimes { cpu: self.cpu()?, threads: vec![this] })
    }

    /// The processor time of the bot's own program since it was started, where the system reports
    /// it.
    pub fn cpu(&mut self) -> Option<Duration> {
        cpu(self.bot)
    }

    /// Searches for processes that other processes of the bot started: not possible.
    pub fn look_at_others(&mut self) {}

    /// Whether there are only the processes that arbiter has started: unknown, so false.
    pub fn is_as_started(&self) -> bool {
        false
    }

    /// Whether there is one process with one thread: unknown, so false.
    pub fn is_single(&self) -> bool {
        false
    }

    /// Whether all processes are stopped: unknown, so true.
    pub fn is_stopped(&self) -> bool {
        true
    }

    /// What all processes do together: unknown.
    pub fn silence(&mut self) -> Option<Silence> {
        None
    }

    /// Whether one of them waits for standard input: unknown.
    pub fn waits_for_input(&mut self) -> Option<bool> {
        None
    }

    /// Stops all processes.
    pub fn stop(&mut self) {
        self.signal(Signal::STOP);
    }

    /// Resumes all processes.
    pub fn resume(&mut self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.bot, signal); // fails only if they have ended
    }

    /// Bytes of memory of all processes: unknown, so zero.
    pub fn memory(&self) -> u64 {
        0
    }

    /// The peak in bytes: unknown, so zero.
    pub fn peak(&self) -> u64 {
        0
    }
}

/// Whether the processor time of a bot can be read.
pub const TELLS_CPU: bool =
    cfg!(any(target_os = "freebsd", target_os = "dragonfly", target_os = "linux"));

#[cfg(any(target_os = "freebsd", target_os = "dragonfly", target_os = "linux"))]
fn cpu(bot: Pid) -> Option<Duration> {
    let bot = nix::unistd::Pid::from_raw(bot.as_raw_nonzero().get());
    let clock = nix::time::clock_getcpuclockid(bot).ok()?;
    Some(nix::time::clock_gettime(clock).ok()?.into())
}

#[cfg(not(any(target_os = "freebsd", target_os = "dragonfly", target_os = "linux")))]
fn cpu(_bot: Pid) -> Option<Duration> {
    None
}
