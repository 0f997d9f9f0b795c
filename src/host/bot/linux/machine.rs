//! This process and its machine: program, cores, ignored signals, the user's tasks, and times that
//! other programs took.

use super::proc::{TICK, proc_text};
use crate::files::list;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// Units of `ru_maxrss` in a KiB.
pub(in crate::bot) const RSS_PER_KIB: u64 = 1;

/// The path of this process's program; works even if the file has been replaced.
pub fn myself() -> PathBuf {
    PathBuf::from("/proc/self/exe")
}

/// The cores that this thread may run on; empty if that is unknown.
pub fn cores() -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect()
}

/// The core that this thread runs on at the moment.
pub fn core_in_use() -> usize {
    sched_getcpu()
}

/// Pins this thread, and every process that it starts, to one core.
///
/// # Errors
/// This thread may not run there.
pub fn keep_to(core: usize) -> io::Result<()> {
    let mut one = CpuSet::new();
    one.set(core);
    Ok(sched_setaffinity(None, &one)?)
}

/// The signals that this process ignores since it was started, one bit each (proc_pid_status(5),
/// `SigIgn`).
pub fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    u64::from_str_radix(mask.trim(), 16).unwrap_or_default()
}

/// Steal time since boot: what the host of a virtual machine gave to others, summed over all
/// processors. Zero if the kernel does not report it.
pub fn stolen() -> Duration {
    stolen_in(&proc_text("/proc/stat"))
}

/// How long this thread has waited for a processor while it could run
/// (`/proc/thread-self/schedstat`, the second number, in nanoseconds); `None` if the kernel does
/// not count it.
pub fn kept_waiting() -> Option<Duration> {
    let line = proc_text("/proc/thread-self/schedstat");
    line.split_ascii_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// How long the machine was suspended since boot. Of the two clocks only `CLOCK_BOOTTIME` goes on
/// then; deadlines are measured by the other one.
pub fn suspended() -> Duration {
    let since_boot = Duration::try_from(clock_gettime(ClockId::Boottime)).unwrap_or_default();
    let running = Duration::try_from(clock_gettime(ClockId::Monotonic)).unwrap_or_default();
    since_boot.saturating_sub(running)
}

/// How long programs waited for memory since boot. Zero if the kernel does not report it.
pub fn starved() -> Duration {
    starved_in(&proc_text("/proc/pressure/memory"))
}

/// The eighth number of the first line of `/proc/stat` (proc_stat(5)).
fn stolen_in(stat: &str) -> Duration {
    let line = stat.lines().next().unwrap_or_default();
    let ticks = line.split_ascii_whitespace().nth(8).unwrap_or_default();
    TICK * ticks.parse::<u32>().unwrap_or_default()
}

/// The same in the text of a file `memory.pressure` of a control group: the total of the line
/// `some`, in microseconds.
pub(in crate::bot) fn starved_in(pressure: &str) -> Duration {
    let line = pressure.lines().find(|line| line.starts_with("some ")).unwrap_or_default();
    let (_, total) = line.rsplit_once("total=").unwrap_or_default();
    Duration::from_micros(total.parse().unwrap_or_default())
}

/// The number of processes and threads of this user, which the kernel counts together with a bot's.
/// Counted once.
pub(in crate::bot) fn tasks_of_this_user() -> u32 {
    static TASKS: OnceLock<u32> = OnceLock::new();
    *TASKS.get_or_init(count_tasks)
}

fn count_tasks() -> u32 {
    let me = rustix::process::getuid().as_raw();
    let mut tasks = 0;
    for process in list(Path::new("/proc")) {
        if let Ok(status) = fs::read_to_string(process.join("status")) {
            tasks += threads(&status, me).unwrap_or_default();
        }
    }
    tasks
}

/// The number of threads in the status of a process, if it is a process of `user`.
fn threads(status: &str, user: u32) -> Option<u32> {
    if field(status, "Uid:")? != user {
        return None;
    }
    field(status, "Threads:")
}

/// The first number of a line of a status.
fn field(status: &str, name: &str) -> Option<u32> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_counters_are_read() {
        assert_eq!(stolen_in("cpu  1 2 3 4 5 6 7 89 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n"), TICK * 89);
        assert_eq!(stolen_in(""), Duration::ZERO);
        let pressure =
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345\nfull avg10=0.00 total=1\n";
        assert_eq!(starved_in(pressure), Duration::from_micros(12_345));
        assert_eq!(starved_in(""), Duration::ZERO);
    }

    #[test]
    fn the_threads_of_a_user_are_counted() {
        let status = "Name:\ta\nUid:\t7\t0\t0\t0\nThreads:\t3\n";
        assert_eq!(threads(status, 7), Some(3));
        assert_eq!(threads(status, 0), None);
        assert!(tasks_of_this_user() > 0);
    }
}
