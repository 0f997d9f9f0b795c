//! Killing everything that a bot started.
//!
//! In a pid namespace the kernel kills the bot's processes ([`PidNamespace`]). Without one the
//! caller is a child subreaper: every process that the bot started, directly or not, is its
//! descendant until it reaps that process itself. Some bots fork faster than they are killed. They
//! are stopped by *not* reaping: their zombies use up the processes that they may have. So this
//! kills without reaping until three walks through its descendants in a row find none that lives,
//! then reaps. It is done when `wait` reports that there is no child (`ECHILD`); a walk that finds
//! none is no proof.

use super::stat::{ProcessStat, living_descendants, process_stat};
use crate::bot::system::proc::proc_text;
use crate::sandbox::PidNamespace;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal, wait,
};
use std::io;
use std::thread;
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
            None => kill_until_none_lives(began)?,
        }
    }
}

/// Pid and name of each living descendant, without pid 1 of the pid namespace, which waits for the
/// others.
fn list_survivors(init: Option<u32>) -> io::Result<Vec<String>> {
    let mut survivors = Vec::new();
    for ProcessStat { pid, .. } in living_descendants(getpid().as_raw_nonzero().get())? {
        if u32::try_from(pid).ok() != init {
            let name = proc_text(format!("/proc/{pid}/comm"));
            survivors.push(format!("{pid} ({})", name.trim_end()));
        }
    }
    Ok(survivors)
}

/// How long to wait for killed processes before they are looked at again: the first time, and at
/// most.
const PAUSES: [Duration; 2] = [Duration::from_micros(200), Duration::from_millis(20)];

/// Kills without reaping until three walks in a row find no living descendant, or the time is over.
fn kill_until_none_lives(began: Instant) -> io::Result<()> {
    let [mut pause, longest] = PAUSES;
    let mut quiet = 0;
    while quiet < 3 && began.elapsed() <= TIME_LIMIT {
        kill_newest();
        let alive = living_descendants(getpid().as_raw_nonzero().get())?;
        if alive.is_empty() {
            quiet += 1;
        } else {
            quiet = 0;
            for member in &alive {
                kill(member);
            }
            thread::yield_now();
            if alive.iter().all(|process| process_stat(process.pid) == Some(*process)) {
                // None has ended yet: a killed process needs some processor time to end.
                thread::sleep(pause);
                pause = longest.min(pause * 2);
            }
        }
    }
    Ok(())
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

/// Kills a process, if its pid has not passed to another process since it was read.
fn kill(seen: &ProcessStat) {
    let Some(pid) = Pid::from_raw(seen.pid) else { return };
    let Ok(descriptor) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    if let Some(now) = process_stat(seen.pid)
        && now.started == seen.started
        && now.parent == seen.parent
    {
        let _ = pidfd_send_signal(descriptor, Signal::KILL); // fails only if it has ended
    }
}
