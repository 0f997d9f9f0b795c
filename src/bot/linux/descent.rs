//! Ending everything that a bot started, and finding it.
//!
//! The caller is a child subreaper, so each process that the bot started, or that those started, is its descendant
//! until the caller itself reaps it. Processes that fork faster than they are killed are beaten by *not* reaping:
//! their zombies use up what they may fork. So: kill without reaping until three walks through `/proc` in a row find
//! nobody alive, then reap; and again until `wait` says that there is no child. That answer (`ECHILD`), not a quiet
//! walk, is the proof that nothing is left.

use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal, wait};
use std::collections::{HashMap, HashSet};
use std::{fs, io, thread, time::Duration};

/// A line of `/proc/PID/stat`, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stat {
    pid: i32,
    parent: i32,
    zombie: bool,
    /// When it started, in clock ticks since boot: tells a process from a later one with the same number.
    started: u64,
}

/// Kills and reaps until no descendant is left; which of them is the bot's own program does not matter here.
///
/// # Errors
/// `/proc` cannot be read, or `wait` fails in a way that has nothing to do with the bot.
pub(in crate::bot) fn end_all(_bot: Option<Pid>) -> io::Result<()> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Err(rustix::io::Errno::CHILD) => return Ok(()),
            Err(rustix::io::Errno::INTR) | Ok(Some(_)) => {}
            Err(error) => return Err(error.into()),
            Ok(None) => kill_until_quiet()?,
        }
    }
}

fn kill_until_quiet() -> io::Result<()> {
    let mut quiet = 0;
    while quiet < 3 {
        let alive = living_descendants(getpid().as_raw_nonzero().get())?;
        if alive.is_empty() {
            quiet += 1;
        } else {
            quiet = 0;
            alive.iter().for_each(kill);
            thread::yield_now();
            if alive.iter().all(|process| stat(process.pid).is_some_and(|now| now == *process)) {
                // Nobody died of it yet: killed processes need a moment of processor time to go.
                thread::sleep(Duration::from_micros(200));
            }
        }
    }
    Ok(())
}

/// Kills exactly the process that was seen: between the look and the signal its number may have passed to another.
fn kill(seen: &Stat) {
    let Some(pid) = Pid::from_raw(seen.pid) else { return };
    let Ok(descriptor) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    if stat(seen.pid).is_some_and(|now| now.started == seen.started && now.parent == seen.parent) {
        let _ = pidfd_send_signal(descriptor, Signal::KILL); // it may have ended meanwhile, which is as good
    }
}

/// The living processes below this one, nobody's ends being awaited: quickly where the kernel tells children
/// (`CONFIG_PROC_CHILDREN`), else by a walk through all processes.
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
    let end = line.iter().rposition(|&b| b == b')')?;
    let mut fields = std::str::from_utf8(&line[end + 1..]).ok()?.split_ascii_whitespace();
    fields.next().filter(|state| !matches!(*state, "Z" | "X"))?;
    fields.nth(16)?.parse().ok()
}

/// What the ended children of a process used that it has waited for, and those of theirs.
pub(super) fn ended_children(pid: i32) -> Option<Duration> {
    /// Of these are the times in `/proc/PID/stat`, 100 to a second on every Linux that this program runs on.
    const TICK: Duration = Duration::from_millis(10);
    let line = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let end = line.iter().rposition(|&b| b == b')')?;
    let mut fields = std::str::from_utf8(&line[end + 1..]).ok()?.split_ascii_whitespace().skip(13);
    let mut next = || fields.next()?.parse::<u32>().ok();
    Some(TICK * (next()? + next()?))
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
                found.extend((!process.zombie).then_some(process));
            }
        }
    }
    Ok(found)
}

fn stat(pid: i32) -> Option<Stat> {
    parse_stat(pid, &fs::read(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads `PID (COMM) STATE PPID …`; COMM may hold anything, so the fields count from its last parenthesis
/// (proc_pid_stat(5)).
fn parse_stat(pid: i32, line: &[u8]) -> Option<Stat> {
    let end = line.iter().rposition(|&b| b == b')')?;
    let fields: Vec<&str> = std::str::from_utf8(&line[end + 1..]).ok()?.split_ascii_whitespace().collect();
    Some(Stat {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        zombie: matches!(*fields.first()?, "Z" | "X"),
        started: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_read_whatever_the_program_is_called() {
        let line = b"17 (a) Z 9 (\xff) S 4 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 5550 0 0";
        let expected = Stat { pid: 17, parent: 4, zombie: false, started: 5550 };
        assert_eq!(parse_stat(17, line), Some(expected));
        assert_eq!(parse_stat(1, b"1 (init"), None);
        assert_eq!(parse_stat(1, b"1 (init) S"), None);
    }
}
