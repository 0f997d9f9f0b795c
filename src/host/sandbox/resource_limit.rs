//! Lowering a resource limit (setrlimit(2)), as every system does it.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;

/// Bytes of the longest file that a build may write.
pub(super) const BUILT_BYTES: u64 = 4 << 30;

/// Sets the soft and the hard limit; a hard limit that is lower already stays.
pub(super) fn lower(resource: Resource, value: u64) -> io::Result<()> {
    let value = getrlimit(resource).maximum.map_or(value, |hard| hard.min(value));
    Ok(setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?)
}
