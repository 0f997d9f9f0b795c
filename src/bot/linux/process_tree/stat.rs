//! Processes in `/proc`: `/proc/PID/stat` (proc_pid_stat(5)), and the descendants of a process.
//!
//! A process lives until its last thread has ended. If its first thread has ended and others run, the kernel
//! reports the state `Z`, as for a zombie; the two differ in the number of threads.

use crate::bot::system::machine::{proc_text, read_proc};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::time::Duration;

/// Fields of `/proc/PID/stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProcessStat {
    pub pid: i32,
    pub parent: i32,
    /// Its last thread has ended; it is a zombie that waits to be reaped.
    pub ended: bool,
    /// Its start time in clock ticks since boot: distinguishes it from a later process with the same pid.
    pub started: u64,
}

/// Index of the number of threads in the fields after the name.
const THREADS: usize = 17;

/// The pids of the descendants of `root`; reaps none. Reads `/proc/PID/task/TID/children` where the kernel
/// has that (`CONFIG_PROC_CHILDREN`), else reads all of `/proc`. It takes no longer when other programs have
/// many processes, but misses a process whose parent ends meanwhile.
///
/// # Errors
/// `/proc` cannot be read.
pub(super) fn descendants(root: i32) -> io::Result<Vec<i32>> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        let threads = match fs::read_dir(format!("/proc/{parent}/task")) {
            Ok(threads) => threads,
            Err(error) if parent == root => return Err(error),
            Err(_) => continue, // it has ended
        };
        for thread in threads.flatten() {
            let children = match fs::read_to_string(thread.path().join("children")) {
                Ok(children) => children,
                Err(_) if parent == root => return scan_descendants(root),
                Err(_) => continue, // it has ended
            };
            let children = children.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok());
            children.for_each(|pid| {
                found.push(pid);
                open.push(pid);
            });
        }
    }
    Ok(found)
}

/// The pids of the descendants of `root`, by a walk through all of `/proc`.
///
/// # Errors
/// `/proc` cannot be read.
fn scan_descendants(root: i32) -> io::Result<Vec<i32>> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some(process) = pid.and_then(process_stat) {
            children.entry(process.parent).or_default().push(process.pid);
        }
    }
    let (mut found, mut open) = (Vec::new(), vec![root]);
    while let Some(parent) = open.pop() {
        // Each list is taken once, so that the walk ends whatever was read while processes came and went.
        let below = children.remove(&parent).unwrap_or_default();
        open.extend(&below);
        found.extend(below);
    }
    Ok(found)
}

/// The descendants of `root` that have not ended.
///
/// # Errors
/// `/proc` cannot be read.
pub(super) fn living_descendants(root: i32) -> io::Result<Vec<ProcessStat>> {
    let seen = descendants(root)?.into_iter().filter_map(process_stat);
    Ok(seen.filter(|process| !process.ended).collect())
}

/// The number of threads of a process; none if it has ended.
pub(super) fn thread_count(pid: i32) -> Option<u32> {
    let line = read_proc(format!("/proc/{pid}/stat")).ok()?;
    let fields = stat_fields(&line)?;
    let threads = fields.get(THREADS)?.parse().ok()?;
    (!ended(fields.first()?, threads)).then_some(threads)
}

/// How long the threads of a process have waited for a processor while they could run (`/proc/PID/task/TID/schedstat`, the
/// second number, in nanoseconds); none if the process has ended or the kernel does not count it (`CONFIG_SCHED_INFO`).
pub(super) fn waited(pid: i32) -> Option<Duration> {
    let of_thread = |thread: fs::DirEntry| {
        let line = proc_text(thread.path().join("schedstat"));
        line.split_ascii_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
    };
    fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten().map(of_thread).sum()
}

/// Whether a process may run: it has not ended, and no signal or debugger has stopped it.
pub(super) fn runs(pid: i32) -> bool {
    let Ok(line) = read_proc(format!("/proc/{pid}/stat")) else { return false };
    let fields = stat_fields(&line).unwrap_or_default();
    fields.first().is_some_and(|state| !matches!(*state, "T" | "t" | "Z" | "X"))
}

/// The processor time of the ended children of a process that it has waited for, and of theirs, in steps of
/// 10 ms.
pub(super) fn reaped_children_cpu(pid: i32) -> Option<Duration> {
    /// The unit of times in `/proc/PID/stat`: 100 a second on every Linux that this program supports.
    const TICK: Duration = Duration::from_millis(10);
    let line = read_proc(format!("/proc/{pid}/stat")).ok()?;
    let fields = stat_fields(&line)?;
    let ticks = |index: usize| fields.get(index)?.parse::<u32>().ok();
    Some(TICK * (ticks(13)? + ticks(14)?))
}

/// Reads the fields of a process; none if it is gone.
pub(super) fn process_stat(pid: i32) -> Option<ProcessStat> {
    parse_stat(pid, &read_proc(format!("/proc/{pid}/stat")).ok()?)
}

fn parse_stat(pid: i32, line: &[u8]) -> Option<ProcessStat> {
    let fields = stat_fields(line)?;
    Some(ProcessStat {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        ended: ended(fields.first()?, fields.get(THREADS)?.parse().ok()?),
        started: fields.get(19)?.parse().ok()?,
    })
}

/// Whether a process with this state and number of threads has ended.
fn ended(state: &str, threads: u32) -> bool {
    matches!(state, "Z" | "X") && threads < 2
}

/// The fields of `PID (COMM) STATE PPID …` from STATE on. COMM may contain any byte, so the fields follow its
/// last parenthesis.
fn stat_fields(line: &[u8]) -> Option<Vec<&str>> {
    let end = line.iter().rposition(|&b| b == b')')?;
    Some(std::str::from_utf8(&line[end + 1..]).ok()?.split_ascii_whitespace().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::io::Read;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    #[test]
    fn both_ways_find_a_child_and_its_child() {
        let script = "sleep 600 & echo; wait";
        let mut child =
            Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).process_group(0).spawn().unwrap();
        let _ = child.stdout.as_mut().unwrap().read(&mut [0]).unwrap(); // its child has been started
        let own = std::process::id().cast_signed();
        let mut found = [descendants(own), scan_descendants(own)].map(Result::unwrap);
        let below = child.id().cast_signed();
        let grandchildren = descendants(below).unwrap();
        assert_eq!(grandchildren.len(), 1);
        for found in &mut found {
            assert!(found.contains(&below) && found.contains(&grandchildren[0]), "{found:?}");
        }
        assert!(living_descendants(own).unwrap().iter().any(|process| process.pid == grandchildren[0]));
        let group = Pid::from_child(&child);
        kill_process_group(group, Signal::KILL).unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_stat_line_is_read_whatever_the_name_of_the_program() {
        let line = b"17 (a) Z 9 (\xff) S 4 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 5550 0 0";
        let expected = ProcessStat { pid: 17, parent: 4, ended: false, started: 5550 };
        assert_eq!(parse_stat(17, line), Some(expected));
        let zombie =
            |threads| format!("17 (a) Z 4 1 1 0 -1 4227148 1 0 0 0 0 0 0 0 20 0 {threads} 0 5550 0 0");
        assert_eq!(parse_stat(17, zombie(1).as_bytes()), Some(ProcessStat { ended: true, ..expected }));
        assert_eq!(parse_stat(17, zombie(2).as_bytes()), Some(expected), "its first thread has ended");
        assert_eq!(parse_stat(1, b"1 (init"), None);
        assert_eq!(parse_stat(1, b"1 (init) S"), None);
    }
}
