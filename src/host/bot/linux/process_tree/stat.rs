//! Processes in `/proc`: `/proc/PID/stat` (proc_pid_stat(5)), and the descendants of a process.
//!
//! A field has the number in proc_pid_stat(5) less 3 as its index, because the pid and the name are
//! left out and indexes begin with 0: the state is field 3 and has the index 0.
//!
//! A process lives until its last thread has ended. If its first thread has ended and others run,
//! the kernel reports the state `Z`, as for a zombie; the two differ in the number of threads.

use crate::bot::run_delay::ThreadTimes;
use crate::bot::system::proc::{TICK, proc_text, read_proc, thread_folders};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

/// Fields of `/proc/PID/stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProcessStat {
    pub pid: i32,
    pub parent: i32,
    /// Its last thread has ended; it is a zombie that waits to be reaped.
    pub ended: bool,
    /// Its start time in clock ticks since boot: distinguishes it from a later process with the
    /// same pid.
    pub started: u64,
}

/// Index of the number of threads in the fields after the name.
const THREADS: usize = 17;

/// The pids of the descendants of `root`; reaps none. Reads `/proc/PID/task/TID/children` where the
/// kernel has that (`CONFIG_PROC_CHILDREN`), else reads all of `/proc`. It takes no longer when
/// other programs have many processes, but misses a process whose parent ends meanwhile.
///
/// # Errors
/// `/proc` cannot be read.
pub(in crate::bot::system) fn descendants(root: i32) -> io::Result<Vec<i32>> {
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
            for pid in children.split_ascii_whitespace().flat_map(str::parse::<i32>) {
                found.push(pid);
                open.push(pid);
            }
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
        if let Some(name) = entry.file_name().to_str()
            && let Ok(pid) = name.parse()
            && let Some(process) = process_stat(pid)
        {
            children.entry(process.parent).or_default().push(process.pid);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        // Each list is taken once, so that the walk ends whatever was read while processes came and
        // went.
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
    let mut living: Vec<ProcessStat> =
        descendants(root)?.into_iter().filter_map(process_stat).collect();
    living.retain(|process| !process.ended);
    Ok(living)
}

/// The number of threads of a process; `None` if it has ended.
pub(super) fn thread_count(pid: i32) -> Option<u32> {
    let line = read_proc(format!("/proc/{pid}/stat")).ok()?;
    let fields = stat_fields(&line)?;
    let threads = field(&fields, THREADS)?;
    (!ended(fields.first()?, threads)).then_some(threads)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Thread {
    pub times: ThreadTimes,
    /// It runs or waits for a processor.
    pub can_run: bool,
}

/// The threads of a process. Those with a lower priority than arbiter's are left out: they have
/// lowered it themselves, so that they wait is their own doing.
pub(super) fn threads(pid: i32) -> Vec<Thread> {
    thread_folders(pid).filter_map(|folder| thread(&folder)).collect()
}

/// What a thread used and waited for: the first two numbers of its `schedstat`, in nanoseconds;
/// zero if the kernel does not count them (`CONFIG_SCHED_INFO`).
fn thread(folder: &Path) -> Option<Thread> {
    static OWN: OnceLock<Option<Priority>> = OnceLock::new();
    let stat = read_proc(folder.join("stat")).ok()?;
    let fields = stat_fields(&stat)?;
    let own = (*OWN.get_or_init(own_priority))?;
    if Priority::read(&fields)?.is_lower(own) {
        return None;
    }
    let schedstat = proc_text(folder.join("schedstat"));
    let numbers: Vec<&str> = schedstat.split_ascii_whitespace().collect();
    let times = ThreadTimes {
        id: folder.file_name()?.to_str()?.parse().ok()?,
        ran: Duration::from_nanos(field(&numbers, 0).unwrap_or_default()),
        waited: Duration::from_nanos(field(&numbers, 1).unwrap_or_default()),
    };
    Some(Thread { times, can_run: fields.first() == Some(&"R") })
}

fn own_priority() -> Option<Priority> {
    Priority::read(&stat_fields(&read_proc("/proc/self/stat").ok()?)?)
}

/// What decides how soon the kernel runs a thread (sched(7)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Priority {
    nice: i32,
    policy: u32,
}

impl Priority {
    fn read(fields: &[&str]) -> Option<Priority> {
        Some(Priority { nice: field(fields, 16)?, policy: field(fields, 38)? })
    }

    /// Whether a thread with this one is run after one with `other`; any other policy counts as
    /// lower.
    fn is_lower(self, other: Priority) -> bool {
        self.nice > other.nice || self.policy != other.policy
    }
}

/// Whether a thread, by its folder in `/proc`, runs or waits for a processor; `None` if it has
/// ended.
pub(in crate::bot::system) fn thread_runs(folder: &Path) -> Option<bool> {
    let line = read_proc(folder.join("stat")).ok()?;
    Some(stat_fields(&line)?.first() == Some(&"R"))
}

/// Whether a process may run: it has not ended, and no signal or debugger has stopped it.
pub(super) fn runs(pid: i32) -> bool {
    let Ok(line) = read_proc(format!("/proc/{pid}/stat")) else { return false };
    let fields = stat_fields(&line).unwrap_or_default();
    fields.first().is_some_and(|state| !matches!(*state, "T" | "t" | "Z" | "X"))
}

/// Whether the thread of this folder of `/proc` is ending, or has ended and waits to be reaped. The
/// kernel says so before the thread gives up its memory and its files (`PF_EXITING` in
/// `flags`, proc_pid_stat(5)).
pub(in crate::bot::system) fn is_exiting(thread: &Path) -> bool {
    const PF_EXITING: u32 = 0x4;
    let Ok(line) = read_proc(thread.join("stat")) else { return true };
    let fields = stat_fields(&line).unwrap_or_default();
    field::<u32>(&fields, 6).unwrap_or_default() & PF_EXITING != 0
}

/// The processor time of the ended children of a process that it has waited for, and of theirs, in
/// steps of 10 ms.
pub(super) fn reaped_children_cpu(pid: i32) -> Option<Duration> {
    let line = read_proc(format!("/proc/{pid}/stat")).ok()?;
    let fields = stat_fields(&line)?;
    Some(TICK * (field::<u32>(&fields, 13)? + field::<u32>(&fields, 14)?))
}

/// Reads the fields of a process; `None` if it is gone.
pub(super) fn process_stat(pid: i32) -> Option<ProcessStat> {
    parse_stat(pid, &read_proc(format!("/proc/{pid}/stat")).ok()?)
}

fn parse_stat(pid: i32, line: &[u8]) -> Option<ProcessStat> {
    let fields = stat_fields(line)?;
    Some(ProcessStat {
        pid,
        parent: field(&fields, 1)?,
        ended: ended(fields.first()?, field(&fields, THREADS)?),
        started: field(&fields, 19)?,
    })
}

/// Whether a process with this state and number of threads has ended.
fn ended(state: &str, threads: u32) -> bool {
    matches!(state, "Z" | "X") && threads < 2
}

/// The number in a field; `None` if it has none.
fn field<T: FromStr>(fields: &[&str], index: usize) -> Option<T> {
    fields.get(index)?.parse().ok()
}

/// The fields of `PID (COMM) STATE PPID …` from STATE on. COMM may contain any byte, so the
/// fields follow its last parenthesis.
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
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        // By its output, its child has been started.
        let _ = child.stdout.as_mut().unwrap().read(&mut [0]).unwrap();
        let own = std::process::id().cast_signed();
        let both = [descendants(own), scan_descendants(own)].map(Result::unwrap);
        let below = child.id().cast_signed();
        let grandchildren = descendants(below).unwrap();
        assert_eq!(grandchildren.len(), 1);
        for found in &both {
            assert!(found.contains(&below) && found.contains(&grandchildren[0]), "{found:?}");
        }
        assert!(
            living_descendants(own).unwrap().iter().any(|process| process.pid == grandchildren[0])
        );
        let group = Pid::from_child(&child);
        kill_process_group(group, Signal::KILL).unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn the_threads_of_this_process_are_read() {
        let own = std::process::id().cast_signed();
        let (sender, ends) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let other = scope.spawn(move || (rustix::thread::gettid(), ends.recv()).0);
            let running = loop {
                let seen = threads(own);
                if seen.len() > 1 && seen.iter().any(|thread| !thread.can_run) {
                    break seen; // another thread waits, for the sender or for a test
                }
            };
            let this = rustix::thread::gettid().as_raw_nonzero().get();
            let this = running.iter().find(|thread| thread.times.id == this).unwrap();
            assert!(this.can_run && !this.times.ran.is_zero());
            drop(sender);
            other.join().unwrap();
        });
        assert_eq!(threads(i32::MAX), []);
    }

    #[test]
    fn a_thread_that_is_run_later_than_arbiter_is_told_by_its_fields() {
        let line = b"7 (a) R 4 1 1 0 -1 0 1 0 0 0 0 0 0 0 39 19 1 0 5550 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 5 0 0 0";
        let read = Priority::read(&stat_fields(line).unwrap());
        assert_eq!(read, Some(Priority { nice: 19, policy: 5 }));
        let own = Priority { nice: 0, policy: 0 };
        for (nice, policy, is_lower) in
            [(0, 0, false), (-5, 0, false), (1, 0, true), (0, 3, true), (0, 5, true)]
        {
            assert_eq!(Priority { nice, policy }.is_lower(own), is_lower, "{nice} {policy}");
        }
        assert_eq!(Priority::read(&["R"]), None);
    }

    #[test]
    fn a_stat_line_is_read_whatever_the_name_of_the_program() {
        let line = b"17 (a) Z 9 (\xff) S 4 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 5550 0 0";
        let expected = ProcessStat { pid: 17, parent: 4, ended: false, started: 5550 };
        assert_eq!(parse_stat(17, line), Some(expected));
        let zombie = |threads| {
            format!("17 (a) Z 4 1 1 0 -1 4227148 1 0 0 0 0 0 0 0 20 0 {threads} 0 5550 0 0")
        };
        assert_eq!(
            parse_stat(17, zombie(1).as_bytes()),
            Some(ProcessStat { ended: true, ..expected })
        );
        assert_eq!(
            parse_stat(17, zombie(2).as_bytes()),
            Some(expected),
            "its first thread has ended"
        );
        assert_eq!(parse_stat(1, b"1 (init"), None);
        assert_eq!(parse_stat(1, b"1 (init) S"), None);
    }
}
