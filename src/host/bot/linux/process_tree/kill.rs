//! Killing everything that a bot started.
//!
//! In a pid namespace the kernel kills the bot's processes ([`PidNamespace`]). Without one the
//! caller is a child subreaper: every process that the bot started, directly or not, is its
//! descendant until it reaps that process itself. Some bots fork faster than they are killed. They
//! are stopped by *not* reaping: their zombies use up the processes that they may have. So this
//! reaps what has ended already, kills without reaping until a walk through its descendants finds
//! none that lives, then reaps again. It is done when `wait` reports that there is no child
//! (`ECHILD`); a walk that finds none is no proof. If a child is left, it takes [`STUBBORN_WALKS`]
//! such walks in a row before it reaps the next time.

use super::stat::{ProcessStat, living_descendants, process_stat};
use crate::bot::system::proc::proc_text;
use crate::sandbox::PidNamespace;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal, wait,
};
use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// How long killing a bot may take. A killed process ends when it is next scheduled, also on a busy
/// machine; one that hangs in the kernel, for example on a network file system, may never end.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// Kills and reaps until this process has no descendant left; the bot's pid is not needed here.
///
/// Returns pid and name of each process that is left after [`TIME_LIMIT`].
///
/// # Errors
/// `/proc` cannot be read, or `wait` fails for another reason than that there is no child.
pub(in crate::bot) fn kill_all(
    _bot: Option<Pid>,
    namespace: Option<&PidNamespace>,
) -> io::Result<Vec<String>> {
    let began = Instant::now();
    let mut walks = 1;
    if let Some(namespace) = namespace {
        namespace.kill();
    }
    loop {
        match wait(WaitOptions::NOHANG) {
            Err(rustix::io::Errno::CHILD) => return Ok(Vec::new()),
            Err(rustix::io::Errno::INTR) | Ok(Some(_)) => continue,
            Err(error) => return Err(error.into()),
            Ok(None) if began.elapsed() > TIME_LIMIT => {
                return list_survivors(namespace.map(PidNamespace::init));
            }
            Ok(None) => {}
        }
        match namespace {
            Some(namespace) => namespace.wait_a_moment()?,
            None => {
                kill_until_none_lives(began, walks)?;
                walks = STUBBORN_WALKS;
            }
        }
    }
}

/// Pid and name of each living descendant, without pid 1 of the pid namespace, which waits for the
/// others. Without a namespace at least one is left: if none is found, it keeps forking and ending.
fn list_survivors(init: Option<u32>) -> io::Result<Vec<String>> {
    let mut survivors = Vec::new();
    for ProcessStat { pid, .. } in living_descendants(getpid().as_raw_nonzero().get())? {
        if u32::try_from(pid).ok() != init {
            let name = proc_text(format!("/proc/{pid}/comm"));
            survivors.push(format!("{pid} ({})", name.trim_end()));
        }
    }
    if survivors.is_empty() && init.is_none() {
        survivors.push("a process that ends before its pid can be read".to_owned());
    }
    Ok(survivors)
}

/// The longest wait for the end of a killed process: the first one, and after doubling.
const PAUSES: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(20)];

/// How many walks in a row have to find no living descendant if a child was left after the first
/// that found none.
const STUBBORN_WALKS: usize = 3;

/// Kills without reaping until `walks` walks in a row find no living descendant, or the time is
/// over.
fn kill_until_none_lives(began: Instant, walks: usize) -> io::Result<()> {
    let [mut pause, longest] = PAUSES;
    let mut quiet = 0;
    for round in 0.. {
        if quiet == walks || began.elapsed() > TIME_LIMIT {
            break;
        }
        // For most bots the first round kills everything and the second finds nothing alive.
        if round > 1 || walks > 1 {
            kill_newest();
        }
        let alive = living_descendants(getpid().as_raw_nonzero().get())?;
        if alive.is_empty() {
            quiet += 1;
            continue;
        }
        quiet = 0;
        let mut killed = Vec::new();
        for member in &alive {
            if let Some(descriptor) = kill(member)
                && killed.len() < WATCHED
            {
                killed.push(descriptor);
            }
        }
        // A killed process needs some processor time to end.
        if !one_ends(&killed, pause) {
            pause = longest.min(pause * 2);
        }
    }
    Ok(())
}

/// The most killed processes whose end is waited for at once; each has an open descriptor.
const WATCHED: usize = 16;

/// Waits until one of these processes has ended, for this long at most; returns whether one has.
fn one_ends(processes: &[OwnedFd], longest: Duration) -> bool {
    let mut watched: Vec<_> =
        processes.iter().map(|process| PollFd::new(process, PollFlags::IN)).collect();
    let longest =
        Timespec { tv_sec: longest.as_secs() as i64, tv_nsec: longest.subsec_nanos().into() };
    poll(&mut watched, Some(&longest)).is_ok_and(|ended| ended > 0)
}

/// The number of highest pids that are checked for new processes, and how often.
const NEWEST: i32 = 24;
const ROUNDS: usize = 20;

/// Kills the descendants of this process among the newest processes of the machine. A process that
/// forks and exits again and again is gone before a walk reaches it, above all on a busy machine;
/// this check takes less time than a fork.
fn kill_newest() {
    let root = getpid().as_raw_nonzero().get();
    for _ in 0..ROUNDS {
        let loads = proc_text("/proc/loadavg");
        let last = loads.split_ascii_whitespace().last().unwrap_or_default();
        let Ok(last) = last.parse::<i32>() else { return };
        // All are read before the first is killed: who loses its parent gets another one.
        let mut alive: Vec<ProcessStat> =
            (last.saturating_sub(NEWEST)..=last).rev().filter_map(process_stat).collect();
        alive.retain(|process| !process.ended && descends(process, root));
        for member in &alive {
            kill(member);
        }
        if alive.is_empty() {
            return;
        }
    }
}

/// Whether a process is a descendant of `root`, as far as its parents still exist.
fn descends(process: &ProcessStat, root: i32) -> bool {
    let mut ancestor = *process;
    for _ in 0..MAX_DEPTH {
        if ancestor.parent == root {
            return true;
        }
        let Some(parent) = process_stat(ancestor.parent) else { return false };
        ancestor = parent;
    }
    false
}

/// The number of generations that are followed.
const MAX_DEPTH: usize = 64;

/// Kills a process, if its pid has not passed to another process since it was read. Returns a
/// descriptor that becomes readable when it has ended.
fn kill(seen: &ProcessStat) -> Option<OwnedFd> {
    let descriptor = pidfd_open(Pid::from_raw(seen.pid)?, PidfdFlags::empty()).ok()?;
    let now = process_stat(seen.pid)?;
    if now.started != seen.started || now.parent != seen.parent {
        return None;
    }
    let _ = pidfd_send_signal(&descriptor, Signal::KILL); // fails only if it has ended
    Some(descriptor)
}
