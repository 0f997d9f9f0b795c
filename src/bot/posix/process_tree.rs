//! The processes of one bot, seen from the referee: its process group, which is stopped and goes on as one.

use crate::game::{Silence, Tasks};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::time::Duration;

/// A bot's processes.
pub(in crate::bot) struct Family {
    bot: Pid,
}

impl Family {
    /// The family of a bot that has just begun to run.
    pub fn new(bot: u32, _warden: u32, _init: Option<u32>) -> io::Result<Family> {
        let bot = i32::try_from(bot).ok().and_then(Pid::from_raw);
        Ok(Family { bot: bot.ok_or(io::ErrorKind::InvalidInput)? })
    }

    /// Looks for processes that came or went: the group knows them, and does not tell.
    pub fn look(&mut self) -> bool {
        false
    }

    /// The processes that live, and their threads: not known, and so never too many.
    pub fn tasks(&self) -> Tasks {
        Tasks::default()
    }

    /// The processor time of the bot's own program since it began, where the system tells.
    pub fn cpu(&mut self) -> Option<Duration> {
        cpu(self.bot)
    }

    /// Stops all of them.
    pub fn stop(&mut self) {
        self.signal(Signal::STOP);
    }

    /// Lets all of them go on.
    pub fn go_on(&mut self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.bot, signal); // they may have ended, which is as good
    }

    /// Bytes of memory that they have: not known, and so never too much.
    pub fn memory(&self) -> u64 {
        0
    }

    /// The most bytes that they had: not known either.
    pub fn peak(&self) -> u64 {
        0
    }
}

/// Whether it is known how much processor time a bot has used.
pub const TELLS_CPU: bool = cfg!(any(target_os = "freebsd", target_os = "dragonfly", target_os = "linux"));

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

/// What a silent program is doing: nobody tells.
pub(in crate::bot) fn look(_pid: u32) -> Option<Silence> {
    None
}

/// Processor time that a program has used, in ticks of the system: nobody tells.
pub(in crate::bot) fn ticks(_pid: u32) -> Option<u64> {
    None
}
