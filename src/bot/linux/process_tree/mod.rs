//! The processes of one bot, seen from the referee: what they use, and stopping them and letting them go on.
//!
//! Nearly every bot is one process, and for that one all is cheap: its processor clock is read by one system call, it
//! is stopped by another. What it starts beside that stands below its warden and is looked for there, but only when
//! some process or thread was started on this machine since the last look, which is one read of an open file.
//!
//! What is not known: time of a child that its parent did not wait for (`SIGCHLD` ignored) and that came and went
//! between two looks. Where it matters forking is forbidden (the sandbox).

mod kill;

pub(in crate::bot) use kill::end_all;

use super::memory::{self, Status};
use crate::game::Tasks;
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::fs::File;
use std::io;
use std::iter;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Looks at the processes after which those that still appear are let run: a bot that forks this fast has other worries.
const LOOKS: usize = 100;

/// A bot's processes.
pub(in crate::bot) struct Family {
    bot: Member,
    warden: i32,
    /// Pid 1 of its pid namespace, which is arbiter's own and not the bot's.
    init: Option<i32>,
    /// What there is beside the bot's own program, as of the last look.
    others: Vec<Member>,
    starts: Starts,
    /// What processes used that had ended and were waited for, as of the last look; in ticks of 10 ms.
    reaped: Duration,
    /// What processes used that vanished without having been waited for.
    lost: Duration,
    status: Status,
}

/// One process.
struct Member {
    pid: i32,
    descriptor: OwnedFd,
    clock: ClockId,
    /// What the clock said last.
    read: Duration,
    /// It was told to stop.
    stopped: bool,
}

impl Member {
    fn new(pid: i32) -> io::Result<Member> {
        let id = Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidInput)?;
        let descriptor = pidfd_open(id, PidfdFlags::empty())?;
        let clock = clock_getcpuclockid(nix::unistd::Pid::from_raw(pid))?;
        Ok(Member { pid, descriptor, clock, read: Duration::ZERO, stopped: false })
    }

    /// Its processor time; none when it is gone.
    fn cpu(&mut self) -> Option<Duration> {
        self.read = clock_gettime(self.clock).ok()?.into();
        Some(self.read)
    }

    fn signal(&self, signal: Signal) {
        let _ = pidfd_send_signal(&self.descriptor, signal); // it may have ended, which is as good
    }

    /// What its ended children used, in ticks of 10 ms (proc_pid_stat(5), `cutime` and `cstime`).
    fn reaped(&self) -> Duration {
        kill::ended_children(self.pid).unwrap_or_default()
    }
}

impl Family {
    /// The family of a bot that has just begun to run below this warden, with this pid 1 of its pid namespace.
    pub fn new(bot: u32, warden: u32, init: Option<u32>) -> io::Result<Family> {
        let number = |pid: u32| i32::try_from(pid).map_err(io::Error::other);
        let (bot, warden, init) = (number(bot)?, number(warden)?, init.map(number).transpose()?);
        Ok(Family {
            bot: Member::new(bot)?,
            warden,
            init,
            others: Vec::new(),
            starts: Starts::new()?,
            reaped: Duration::ZERO,
            lost: Duration::ZERO,
            status: Status::open(bot)?,
        })
    }

    /// Looks for processes that came or went, if there can be any; whether there could.
    pub fn look(&mut self) -> bool {
        let any = self.starts.any() || !self.others.is_empty();
        if any {
            self.search();
        }
        any
    }

    /// The processes that live, and their threads, as of the last look.
    pub fn tasks(&self) -> Tasks {
        let members = iter::once(&self.bot).chain(&self.others);
        members.filter_map(|member| kill::threads(member.pid)).fold(Tasks::default(), |sum, threads| Tasks {
            processes: sum.processes + 1,
            threads: sum.threads + threads,
        })
    }

    /// The processor time of all of them since they began; none when the bot's own program is gone.
    pub fn cpu(&mut self) -> Option<Duration> {
        let own = self.bot.cpu()?;
        let others: Duration = self.others.iter_mut().filter_map(Member::cpu).sum();
        Some(own + others + self.reaped + self.lost)
    }

    /// Stops all of them.
    pub fn stop(&mut self) {
        self.bot.signal(Signal::STOP);
        self.look();
        for _ in 0..LOOKS {
            if self.others.iter().all(|member| member.stopped) {
                break;
            }
            for member in self.others.iter_mut().filter(|member| !member.stopped) {
                member.signal(Signal::STOP);
                member.stopped = true;
            }
            self.search(); // who was not stopped yet may have forked
        }
    }

    /// Lets all of them go on.
    pub fn go_on(&mut self) {
        for member in &mut self.others {
            member.signal(Signal::CONT);
            member.stopped = false;
        }
        self.bot.signal(Signal::CONT);
    }

    /// Bytes of memory that all of them have now; what they share counts for each.
    pub fn memory(&self) -> u64 {
        self.status.memory().now + self.memory_of_others()
    }

    /// The most bytes that the bot's own program had at a time, or all of them have now.
    pub fn peak(&self) -> u64 {
        let own = self.status.memory();
        own.peak.max(own.now + self.memory_of_others())
    }

    fn memory_of_others(&self) -> u64 {
        self.others.iter().map(|member| memory::memory(member.pid).now).sum()
    }

    /// Finds everything below the warden but the bot's own program.
    fn search(&mut self) {
        let found = kill::below(self.warden);
        let mut before = std::mem::take(&mut self.others);
        for pid in found {
            if pid == self.bot.pid || Some(pid) == self.init {
                continue;
            }
            match before.iter().position(|member| member.pid == pid) {
                Some(at) => self.others.push(before.swap_remove(at)),
                None => self.others.extend(Member::new(pid)), // unless it is gone already
            }
        }
        let reaped = self.bot.reaped() + self.others.iter().map(Member::reaped).sum::<Duration>();
        let vanished: Duration = before.iter().map(|member| member.read).sum();
        let waited_for = reaped.saturating_sub(self.reaped);
        if !vanished.is_zero() && waited_for.is_zero() {
            self.lost += vanished;
        }
        self.reaped = reaped;
    }
}

/// Whether a process or thread was started on this machine lately: the last number that was given to one stands at the
/// end of `/proc/loadavg` (proc_loadavg(5)).
struct Starts {
    file: File,
    seen: [u8; 16],
    /// A number is given before its process can be found, so one look more is needed.
    again: bool,
}

impl Starts {
    fn new() -> io::Result<Starts> {
        Ok(Starts { file: File::open("/proc/loadavg")?, seen: [0; 16], again: true })
    }

    fn any(&mut self) -> bool {
        let mut text = [0; 128];
        let count = self.file.read_at(&mut text, 0).unwrap_or_default();
        let last = text[..count].trim_ascii_end();
        let last = &last[last.iter().rposition(|&b| b == b' ').unwrap_or_default()..];
        let mut seen = [0; 16];
        let length = last.len().min(seen.len());
        seen[..length].copy_from_slice(&last[..length]);
        let changed = count == 0 || seen != self.seen;
        self.seen = seen;
        std::mem::replace(&mut self.again, changed) || changed
    }
}
