//! Locks on folders (flock(2)) that show whether their maker lives: the kernel releases a lock when
//! the process that holds it ends. Pids would not show that: they are reused, and a process in
//! another pid namespace has no pid here.

use crate::files::identity;
use rustix::fs::{CWD, FlockOperation, Mode, OFlags, flock, openat};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Locks a folder as long as the returned file is open; `None` if another process has locked or
/// removed it, and if the path is no folder but a link or a file.
///
/// # Errors
/// The folder cannot be opened or locked.
pub(super) fn lock_folder(folder: &Path) -> io::Result<Option<File>> {
    use rustix::io::Errno;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = match openat(CWD, folder, flags, Mode::empty()) {
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
        opened => File::from(opened?),
    };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => return Ok(None),
        locked => locked?,
    }
    // Between opening and locking it, its owner may have removed it, and another have made one of
    // the same name.
    let held = file.metadata()?;
    match fs::symlink_metadata(folder) {
        Ok(now) if identity(&now) == identity(&held) => Ok(Some(file)),
        _ => Ok(None),
    }
}

/// Whether a name is a prefix, the pid of the maker, and a number in this base, as folders of
/// arbiter are called, unlike `arbiter-cup.service`.
pub(super) fn is_named(name: &OsStr, prefix: &str, radix: u32) -> bool {
    if let Some(name) = name.to_str()
        && let Some(name) = name.strip_prefix(prefix)
        && let Some((pid, number)) = name.split_once('-')
    {
        return is_number(pid, 10) && is_number(number, radix);
    }
    false
}

fn is_number(text: &str, radix: u32) -> bool {
    !text.is_empty() && text.chars().all(|digit| digit.is_digit(radix))
}
