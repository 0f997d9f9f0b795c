//! Ending everything that a bot started, and finding it.
//!
//! In a pid namespace of its own the kernel ends the bot's processes ([`PidNamespace`]). Without one the caller is a
//! child subreaper, so each process that the bot started, or that those started, is its descendant until the caller
//! itself reaps it. Processes that fork faster than they are killed are beaten by *not* reaping: their zombies use up
//! what they may fork. So: kill without reaping until three walks through `/proc` in a row find none that lives, then
//! reap. Either way the end is that `wait` says that there is no child. That answer (`ECHILD`), not a quiet walk, is
//! the proof that nothing is left.
//!
//! A process lives until its last thread has ended. Of one whose first thread has ended the kernel says `Z` all the
//! same, as of a zombie, which differs from it by the number of threads.

use crate::sandbox::PidNamespace;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal, wait};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

/// A line of `/proc/PID/stat`, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stat {
    pid: i32,
    parent: i32,
    /// Its last thread has ended; it waits to be reaped.
    ended: bool,
    /// When it started, in clock ticks since boot: tells a process from a later one with the same number.
    started: u64,
}

/// How long ending a bot may take. A killed process ends when it next runs, also on a busy machine; one that hangs in the
/// kernel, on a network file system for example, may never.
const BOUND: Duration = Duration::from_secs(15);

/// Kills and reaps until no descendant is left; which of them is the bot's own program does not matter here.
///
/// Returns what is left after [`BOUND`]: a number and a name for each process, none as a rule.
///
/// # Errors
/// `/proc` cannot be read, or `wait` fails in a way that has nothing to do with the bot.
pub(in crate::bot) fn end_all(
    _bot: Option<Pid>,
    namespace: Option<&mut PidNamespace>,
) -> io::Result<Vec<String>> {
    let began = Instant::now();
    let namespace = namespace.map(|namespace| {
        namespace.kill();
        &*namespace
    });
    loop {
        match wait(WaitOptions::NOHANG) {
            Err(rustix::io::Errno::CHILD) => return Ok(Vec::new()),
            Err(rustix::io::Errno::INTR) | Ok(Some(_)) => continue,
            Err(error) => return Err(error.into()),
            Ok(None) if began.elapsed() > BOUND => return left(namespace.map(PidNamespace::init)),
            Ok(None) => {}
        }
        match namespace {
            Some(namespace) => namespace.wait_a_moment()?,
            None => kill_until_quiet(began)?,
        }
    }
}

/// Number and name of each descendant that lives but for the first process of the pid namespace, which waits for the others.
fn left(init: Option<u32>) -> io::Result<Vec<String>> {
    let mut alive = living_descendants(getpid().as_raw_nonzero().get())?;
    alive.retain(|process| u32::try_from(process.pid).ok() != init);
    let name = |pid| fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    Ok(alive.iter().map(|process| format!("{} ({})", process.pid, name(process.pid).trim_end())).collect())
}

/// How long killed processes are given to end before they are looked at again: at first, and at most.
const PAUSES: [Duration; 2] = [Duration::from_micros(200), Duration::from_millis(20)];

fn kill_until_quiet(began: Instant) -> io::Result<()> {
    let (mut quiet, [mut pause, longest]) = (0, PAUSES);
    while quiet < 3 && began.elapsed() <= BOUND {
        kill_newest();
        let alive = living_descendants(getpid().as_raw_nonzero().get())?;
        if alive.is_empty() {
            quiet += 1;
        } else {
            quiet = 0;
            alive.iter().for_each(kill);
            thread::yield_now();
            if alive.iter().all(|process| stat(process.pid).is_some_and(|now| now == *process)) {
                // None has ended of it yet: killed processes need a moment of processor time to go.
                thread::sleep(pause);
                pause = longest.min(pause * 2);
            }
        }
    }
    Ok(())
}

/// So many of the numbers that were given last are looked at, and so often.
const NEWEST: i32 = 24;
const ROUNDS: usize = 20;

/// Kills what descends from this process among the processes that were started last. One that forks and exits again and
/// again is gone before a walk through all processes comes to it, above all on a busy machine; this takes less time than it
/// needs for a fork.
fn kill_newest() {
    let root = getpid().as_raw_nonzero().get();
    for _ in 0..ROUNDS {
        let loads = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let Some(last) = loads.split_ascii_whitespace().last().and_then(|last| last.parse::<i32>().ok())
        else {
            return;
        };
        let newest = (last.saturating_sub(NEWEST)..=last).rev().filter_map(stat);
        let alive: Vec<Stat> = newest.filter(|process| !process.ended && descends(process, root)).collect();
        alive.iter().for_each(kill);
        if alive.is_empty() {
            return;
        }
    }
}

/// Whether a process is a descendant of another, as far as that can be followed while processes end.
fn descends(process: &Stat, root: i32) -> bool {
    let above = std::iter::successors(Some(*process), |process| stat(process.parent));
    above.take(DEPTH).any(|process| process.parent == root)
}

/// Parents of parents that are followed.
const DEPTH: usize = 64;

/// Kills exactly the process that was seen: between the look and the signal its number may have passed to another.
fn kill(seen: &Stat) {
    let Some(pid) = Pid::from_raw(seen.pid) else { return };
    let Ok(descriptor) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    if stat(seen.pid).is_some_and(|now| now.started == seen.started && now.parent == seen.parent) {
        let _ = pidfd_send_signal(descriptor, Signal::KILL); // it may have ended meanwhile, which is as good
    }
}

/// The processes below this one: quickly where the kernel tells children (`CONFIG_PROC_CHILDREN`), else by a walk
/// through all processes.
pub(super) fn below(root: i32) -> Vec<i32> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else { continue };
        for thread in threads.flatten() {
            let children = match fs::read_to_string(thread.path().join("children")) {
                Ok(children) => children,
                Err(_) if parent == root => return walked_below(root),
                Err(_) => continue, // it has ended meanwhile
            };
            let children = children.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok());
            children.for_each(|pid| {
                found.push(pid);
                open.push(pid);
            });
        }
    }
    found
}

fn walked_below(root: i32) -> Vec<i32> {
    living_descendants(root).unwrap_or_default().iter().map(|process| process.pid).collect()
}

/// How many threads a process has; none if it has ended.
pub(super) fn threads(pid: i32) -> Option<u32> {
    let line = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = fields(&line)?;
    let threads = stat.get(THREADS)?.parse().ok()?;
    (!ended(stat.first()?, threads)).then_some(threads)
}

/// The place of the number of threads among the fields after the name.
const THREADS: usize = 17;

/// Whether a process of this state and number of threads has ended: of one that lives on after the end of its first
/// thread that thread is counted too.
fn ended(state: &str, threads: u32) -> bool {
    matches!(state, "Z" | "X") && threads < 2
}

/// The fields of `PID (COMM) STATE PPID …` from STATE on; COMM may hold anything, so they count from its last
/// parenthesis (proc_pid_stat(5)).
fn fields(line: &[u8]) -> Option<Vec<&str>> {
    let end = line.iter().rposition(|&b| b == b')')?;
    Some(std::str::from_utf8(&line[end + 1..]).ok()?.split_ascii_whitespace().collect())
}

/// What the ended children of a process used that it has waited for, and those of theirs.
pub(super) fn ended_children(pid: i32) -> Option<Duration> {
    /// Of these are the times in `/proc/PID/stat`, 100 to a second on every Linux that this program runs on.
    const TICK: Duration = Duration::from_millis(10);
    let line = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = fields(&line)?;
    let ticks = |place: usize| stat.get(place)?.parse::<u32>().ok();
    Some(TICK * (ticks(13)? + ticks(14)?))
}

fn living_descendants(root: i32) -> io::Result<Vec<Stat>> {
    let mut children: HashMap<i32, Vec<Stat>> = HashMap::new();
    for entry in fs::read_dir("/proc")? {
        let Ok(entry) = entry else { continue };
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if let Some(process) = stat(pid) {
            children.entry(process.parent).or_default().push(process);
        }
    }
    let mut found = Vec::new();
    let mut met = HashSet::from([root]);
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        for &process in children.get(&parent).into_iter().flatten() {
            if met.insert(process.pid) {
                open.push(process.pid);
                found.extend((!process.ended).then_some(process));
            }
        }
    }
    Ok(found)
}

fn stat(pid: i32) -> Option<Stat> {
    parse_stat(pid, &fs::read(format!("/proc/{pid}/stat")).ok()?)
}

fn parse_stat(pid: i32, line: &[u8]) -> Option<Stat> {
    let fields = fields(line)?;
    Some(Stat {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        ended: ended(fields.first()?, fields.get(THREADS)?.parse().ok()?),
        started: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_read_whatever_the_program_is_called() {
        let line = b"17 (a) Z 9 (\xff) S 4 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 5550 0 0";
        let expected = Stat { pid: 17, parent: 4, ended: false, started: 5550 };
        assert_eq!(parse_stat(17, line), Some(expected));
        let zombie =
            |threads| format!("17 (a) Z 4 1 1 0 -1 4227148 1 0 0 0 0 0 0 0 20 0 {threads} 0 5550 0 0");
        assert_eq!(parse_stat(17, zombie(1).as_bytes()), Some(Stat { ended: true, ..expected }));
        assert_eq!(parse_stat(17, zombie(2).as_bytes()), Some(expected), "its first thread has ended");
        assert_eq!(parse_stat(1, b"1 (init"), None);
        assert_eq!(parse_stat(1, b"1 (init) S"), None);
    }
}
