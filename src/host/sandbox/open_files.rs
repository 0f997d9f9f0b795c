//! The limit of open files. Arbiter needs about a dozen for each game that is played at a time, and
//! shells give 256 or 1,024: it raises its own limit, and bots keep the one that it was started
//! with.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;
use std::sync::OnceLock;

/// The limit where the hard limit allows more. Programs that close every possible descriptor, one
/// by one, must not take long.
const MOST: u64 = 1 << 16;

/// The soft limit that this process was started with, if it was raised.
static STARTED_WITH: OnceLock<u64> = OnceLock::new();

/// Raises the soft limit of this process as far as its hard limit allows, once. A system that
/// refuses leaves it as it is; then a file that cannot be opened is reported where it is needed.
pub fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.map_or(MOST, |hard| hard.min(MOST));
    if let Some(soft) = limit.current.filter(|&soft| soft < most)
        && setrlimit(Resource::Nofile, Rlimit { current: Some(most), ..limit }).is_ok()
    {
        let _ = STARTED_WITH.set(soft); // of a second call nothing is left to raise
    }
}

/// The soft limit for bots; `None` where they inherit it.
pub(crate) fn open_files_of_bots() -> Option<u64> {
    STARTED_WITH.get().copied()
}

/// Gives this process, which is about to become a bot, that soft limit.
///
/// # Errors
/// The system refuses it.
pub(crate) fn limit_open_files(soft: Option<u64>) -> io::Result<()> {
    if soft.is_some() {
        let limit = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: soft, ..limit })?;
    }
    Ok(())
}
