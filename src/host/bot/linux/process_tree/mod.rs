//! The processes of one bot as the referee sees them: what they use, stopping and resuming them.
//!
//! The processes that arbiter itself has started are cheap, the bot or an adapter and the bot
//! behind it: one system call for each reads its processor clock, another stops it. Further
//! processes are searched below their warden, and only if a process or thread was started on this
//! machine since the last search, which one read of an open file shows.
//!
//! The time of a process whose parent does not wait for it (`SIGCHLD` ignored) and that starts and
//! ends between two searches is counted by the bot's control group in cgroup v2. Without one it is
//! not counted.

mod kill;
mod stat;

pub(in crate::bot) use kill::kill_all;
pub(super) use stat::{descendants, is_exiting, thread_runs};

use super::group::BotGroup;
use super::machine::kept_waiting;
use super::memory::{self, StatusFile};
use super::silence::{InputWait, observe_silence};
use crate::bot::ipc::Started;
use crate::bot::run_delay::{ARBITER, ThreadTimes, TreeTimes};
use arbiter_game::{Silence, Tasks};
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use stat::Thread;
use std::fs::File;
use std::io;
use std::iter;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Number of searches for new processes while a bot is stopped; those of a bot that forks faster
/// keep running.
const MAX_SEARCHES: usize = 100;

/// How often several processes of a bot are stopped again if they resume each other. What they use
/// then is charged (`meter`).
const MAX_STOPS: usize = 10;

/// A bot's processes.
pub(in crate::bot) struct ProcessTree {
    /// The program that arbiter talks to: the bot's own, or its adapter.
    bot: TrackedProcess,
    /// The bot behind the adapter, until it has ended.
    behind: Option<TrackedProcess>,
    warden: i32,
    /// Pid 1 of its pid namespace, which is arbiter's program and not the bot's.
    init: Option<i32>,
    /// The other processes, as of the last search.
    others: Vec<TrackedProcess>,
    new_processes: NewProcesses,
    /// Processor time of ended processes that their parents have waited for, as of the last search;
    /// in steps of 10 ms.
    reaped: Duration,
    /// Processor time of processes that are gone without having been waited for.
    lost: Duration,
    status: StatusFile,
    /// Their control group in cgroup v2, if they have one.
    group: Option<BotGroup>,
    input_wait: InputWait,
}

/// One process of a bot.
struct TrackedProcess {
    pid: i32,
    descriptor: OwnedFd,
    clock: ClockId,
    /// Its processor time when it was last read.
    read: Duration,
    /// A stop signal was sent.
    stopped: bool,
}

impl TrackedProcess {
    fn new(pid: i32) -> io::Result<TrackedProcess> {
        let id = Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidInput)?;
        let descriptor = pidfd_open(id, PidfdFlags::empty())?;
        let clock = clock_getcpuclockid(nix::unistd::Pid::from_raw(pid))?;
        Ok(TrackedProcess { pid, descriptor, clock, read: Duration::ZERO, stopped: false })
    }

    /// Its processor time; `None` when it is gone.
    fn cpu(&mut self) -> Option<Duration> {
        self.read = clock_gettime(self.clock).ok()?.into();
        Some(self.read)
    }

    fn signal(&self, signal: Signal) {
        let _ = pidfd_send_signal(&self.descriptor, signal); // fails only if it has ended
    }

    /// Processor time of its ended children, in steps of 10 ms (proc_pid_stat(5), `cutime` and
    /// `cstime`).
    fn reaped(&self) -> Duration {
        stat::reaped_children_cpu(self.pid).unwrap_or_default()
    }
}

impl ProcessTree {
    /// The processes of a bot that has just been started below `warden`; `init` is pid 1 of its pid
    /// namespace.
    pub fn new(started: &Started, warden: u32) -> io::Result<ProcessTree> {
        let bot = number(started.pid)?;
        let warden = number(warden)?;
        let behind = started.behind.map(number).transpose()?;
        let init = started.init.map(number).transpose()?;
        let group = started.group.as_deref().map(BotGroup::open).transpose()?;
        Ok(ProcessTree {
            bot: TrackedProcess::new(bot)?,
            behind: behind.and_then(|pid| TrackedProcess::new(pid).ok()), // none if it has ended
            warden,
            init,
            others: Vec::new(),
            new_processes: NewProcesses::new()?,
            reaped: Duration::ZERO,
            lost: Duration::ZERO,
            status: StatusFile::open(bot)?,
            group,
            input_wait: InputWait::new(bot),
        })
    }

    /// Searches for started and ended processes, if there can be any; returns whether there can.
    pub fn look(&mut self) -> bool {
        let any = self.new_processes.any() || !self.others.is_empty();
        if any {
            self.search();
        }
        any
    }

    /// Whether there is one process with one thread, as of the last search.
    pub fn is_single(&self) -> bool {
        self.behind.is_none() && self.is_as_started()
    }

    /// Whether there are no processes but those that arbiter has started, each with one thread, as
    /// of the last search.
    pub fn is_as_started(&self) -> bool {
        self.others.is_empty()
            && self.members().all(|member| stat::thread_count(member.pid) == Some(1))
    }

    /// The number of living processes, and of their threads, as of the last search.
    pub fn tasks(&self) -> Tasks {
        let mut tasks = Tasks::default();
        for member in self.members() {
            if let Some(threads) = stat::thread_count(member.pid) {
                tasks.processes += 1;
                tasks.threads += threads;
            }
        }
        tasks
    }

    /// How long all processes have waited for a processor since they were started; `None` if
    /// that is not known.
    pub fn waited(&self) -> Option<Duration> {
        Some(self.threads().map(|thread| thread.times.waited).sum())
    }

    /// Whether a thread runs or waits for a processor.
    pub fn can_run(&self) -> bool {
        self.threads().any(|thread| thread.can_run)
    }

    /// The times of all threads, and of this one; `None` if the bot's own program has ended.
    pub fn times(&mut self) -> Option<TreeTimes> {
        let waited = kept_waiting().unwrap_or_default();
        let mut threads = vec![ThreadTimes { id: ARBITER, ran: Duration::ZERO, waited }];
        let cpu = self.cpu()?;
        threads.extend(self.threads().map(|thread| thread.times));
        Some(TreeTimes { cpu, threads })
    }

    /// The threads that have not lowered their priority.
    fn threads(&self) -> impl Iterator<Item = Thread> {
        self.members().flat_map(|member| stat::threads(member.pid))
    }

    /// The processor time of all processes since the bot was started; `None` if the bot's own
    /// program has ended.
    pub fn cpu(&mut self) -> Option<Duration> {
        let own = self.bot.cpu()?;
        let behind = self.cpu_behind();
        let others: Duration = self.others.iter_mut().filter_map(TrackedProcess::cpu).sum();
        let seen = own + behind + others + self.reaped + self.lost;
        // The group also counts what was not seen, and what was seen is up to date while it runs.
        let of_group = self.group.as_ref().and_then(BotGroup::cpu);
        Some(seen.max(of_group.unwrap_or_default()))
    }

    /// The processor time of the bot behind an adapter. When it is gone, the next search counts
    /// what it used, as that of all others that are gone.
    fn cpu_behind(&mut self) -> Duration {
        let Some(behind) = &mut self.behind else { return Duration::ZERO };
        let cpu = behind.cpu();
        if cpu.is_none() {
            self.others.extend(self.behind.take());
        }
        cpu.unwrap_or_default()
    }

    /// Searches for new processes if there are any that arbiter has not started; those that it has
    /// start none while they are stopped.
    pub fn look_at_others(&mut self) {
        if !self.others.is_empty() {
            self.search();
        }
    }

    /// Whether nothing of the bot runs after [`stop`](Self::stop), as of the last search.
    pub fn is_stopped(&self) -> bool {
        self.group.is_some() || self.members().all(|member| !stat::runs(member.pid))
    }

    fn members(&self) -> impl Iterator<Item = &TrackedProcess> {
        iter::once(&self.bot).chain(&self.behind).chain(&self.others)
    }

    /// What all processes do together: they compute if one does, else they wait for standard input
    /// if one does; `None` if `/proc` shows none of them.
    pub fn silence(&mut self) -> Option<Silence> {
        self.look();
        let seen: Vec<Silence> =
            self.members().filter_map(|member| observe_silence(member.pid)).collect();
        let order = [Silence::Computing, Silence::Waiting, Silence::Sleeping];
        order.into_iter().find(|silence| seen.contains(silence))
    }

    /// Whether one of their threads waits for standard input, or did when it was stopped; none if
    /// `/proc` does not show it.
    pub fn waits_for_input(&mut self) -> Option<bool> {
        let members = iter::once(&self.bot).chain(&self.behind).chain(&self.others);
        self.input_wait.observe(members.map(|member| member.pid))
    }

    /// Stops all processes.
    pub fn stop(&mut self) {
        if let Some(group) = &self.group
            && group.freeze().is_ok()
        {
            self.look();
            return;
        }
        // The bot first: it could resume its adapter, which resumes nobody.
        if let Some(behind) = &self.behind {
            behind.signal(Signal::STOP);
        }
        self.bot.signal(Signal::STOP);
        self.look();
        for _ in 0..MAX_SEARCHES {
            if self.others.iter().all(|member| member.stopped) {
                break;
            }
            for member in &mut self.others {
                if !member.stopped {
                    member.signal(Signal::STOP);
                    member.stopped = true;
                }
            }
            self.search(); // a process may have forked before it was stopped
        }
        self.stop_again();
    }

    /// Stops again those of several processes that another one resumed before it was stopped
    /// itself.
    fn stop_again(&self) {
        for _ in 0..MAX_STOPS {
            let is_alone = self.behind.is_none() && self.others.is_empty();
            if is_alone || self.is_stopped() {
                return;
            }
            for member in self.members() {
                if stat::runs(member.pid) {
                    member.signal(Signal::STOP);
                }
            }
        }
    }

    /// Resumes all processes.
    pub fn resume(&mut self) {
        if let Some(group) = &self.group {
            let _ = group.thaw(); // fails only if the bot has ended
        }
        for member in &mut self.others {
            member.signal(Signal::CONT);
            member.stopped = false;
        }
        if let Some(behind) = &self.behind {
            behind.signal(Signal::CONT);
        }
        self.bot.signal(Signal::CONT);
    }

    /// Bytes of memory of all processes now; shared memory counts for each.
    pub fn memory(&self) -> u64 {
        self.status.memory().now + self.memory_of_others()
    }

    /// Bytes: the peak of the program that arbiter talks to, or what all processes have now,
    /// whichever is larger.
    pub fn peak(&self) -> u64 {
        let own = self.status.memory();
        own.peak.max(own.now + self.memory_of_others())
    }

    fn memory_of_others(&self) -> u64 {
        self.members().skip(1).map(|member| memory::memory(member.pid).now).sum()
    }

    /// Finds all processes below the warden that arbiter has not started.
    fn search(&mut self) {
        let found = descendants(self.warden).unwrap_or_default(); // the warden may have ended
        let mut before = std::mem::take(&mut self.others);
        for pid in found {
            let is_behind = self.behind.as_ref().is_some_and(|behind| behind.pid == pid);
            if pid == self.bot.pid || is_behind || Some(pid) == self.init {
                continue;
            }
            match before.iter().position(|member| member.pid == pid) {
                Some(at) => self.others.push(before.swap_remove(at)),
                None => self.others.extend(TrackedProcess::new(pid)), // none if it has ended
            }
        }
        let reaped = self.members().map(TrackedProcess::reaped).sum::<Duration>()
            + stat::reaped_children_cpu(self.warden).unwrap_or_default();
        // What a process used is among the times that its parent has reaped, unless nobody waited
        // for it: then what was last read of it is all that is known.
        let vanished: Duration = before.iter().map(|member| member.read).sum();
        let waited_for = reaped.saturating_sub(self.reaped);
        if !vanished.is_zero() && waited_for.is_zero() {
            self.lost += vanished;
        }
        self.reaped = reaped;
    }
}

fn number(pid: u32) -> io::Result<i32> {
    i32::try_from(pid).map_err(io::Error::other)
}

/// Detects that a process or thread was started on this machine: the end of `/proc/loadavg` is the
/// last pid that was given (proc_loadavg(5)).
struct NewProcesses {
    file: File,
    seen: [u8; 16],
    /// A pid is given before its process appears in `/proc`, so a second search is needed.
    again: bool,
}

impl NewProcesses {
    fn new() -> io::Result<NewProcesses> {
        Ok(NewProcesses { file: File::open("/proc/loadavg")?, seen: [0; 16], again: true })
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
