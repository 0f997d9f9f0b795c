//! The machine as any Unix tells of it, which is little: this program, and what a program looks like.

use std::env;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// In what unit `ru_maxrss` is, as parts of a KiB: Apple's systems count bytes.
pub(in crate::bot) const RSS_PER_KIB: u64 = if cfg!(target_vendor = "apple") { 1024 } else { 1 };

/// The program that runs here.
#[must_use]
pub fn myself() -> PathBuf {
    env::current_exe().unwrap_or_else(|_| PathBuf::from("arbiter"))
}

/// The cores that this thread may run on: that cannot be told.
#[must_use]
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// The core that this thread runs on at the moment: that cannot be told either.
pub(crate) fn core_in_use() -> usize {
    0
}

/// Keeps this thread on one core, which is asked of none of the [`cores`] that there are.
///
/// # Errors
/// Always.
pub fn keep_to(_core: usize) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The signals that whoever started arbiter had it ignore: they can be told only by code that is not safe.
pub(crate) fn ignored_signals() -> u64 {
    0
}

/// Time of processors that the machine below this one gave to others: not told.
pub(crate) fn stolen() -> Duration {
    Duration::ZERO
}

/// How long programs had to wait for memory: not told.
pub(crate) fn starved() -> Duration {
    Duration::ZERO
}

/// How many processes and threads this user has: not told, and no limit counts them.
pub(in crate::bot) fn tasks_of_this_user() -> u32 {
    0
}
