//! This process and its machine, as far as every Unix shows them.

use std::env;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Units of `ru_maxrss` in a KiB: Apple's systems count bytes.
pub(in crate::bot) const RSS_PER_KIB: u64 = if cfg!(target_vendor = "apple") { 1024 } else { 1 };

/// The path of this process's program.
pub fn myself() -> PathBuf {
    env::current_exe().unwrap_or_else(|_| PathBuf::from("arbiter"))
}

/// The cores that this thread may run on: unknown, so empty.
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// The core that this thread runs on: unknown, so 0.
pub fn core_in_use() -> usize {
    0
}

/// Pins this thread to one core: not supported, and not called because [`cores`] is empty.
///
/// # Errors
/// Always.
pub fn keep_to(_core: usize) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The signals that this process ignores since it was started: only unsafe code can read them, so
/// none.
pub fn ignored_signals() -> u64 {
    0
}

/// Steal time: unknown, so zero.
pub fn stolen() -> Duration {
    Duration::ZERO
}

/// How long the machine was suspended: unknown, so zero.
pub fn suspended() -> Duration {
    Duration::ZERO
}

/// How long this thread has waited for a processor: unknown.
pub fn kept_waiting() -> Option<Duration> {
    None
}

/// How long programs waited for memory: unknown, so zero.
pub fn starved() -> Duration {
    Duration::ZERO
}

/// The same of a control group: only Linux has them, so zero.
pub(in crate::bot) fn starved_in(_pressure: &str) -> Duration {
    Duration::ZERO
}

/// The number of processes and threads of this user: unknown, and no limit counts them.
pub(in crate::bot) fn tasks_of_this_user() -> u32 {
    0
}
