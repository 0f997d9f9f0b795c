//! How much room the files in a folder take.

use super::open::LISTED;
use super::walk::{entries, open_beneath};
use arbiter_game::DiskUsage;
use rustix::fs::{AtFlags, CWD, FileType, Mode, openat, statat};
use rustix::io::Errno;
use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What was found in a folder.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FoundUsage {
    pub used: DiskUsage,
    /// Whether a folder could not be read: its owner has taken its own rights, or made it deeper
    /// than the longest path, and may hide files in it.
    pub hides_files: bool,
}

/// The room that everything in a folder takes, without what cannot be read. No link is followed,
/// and what is removed meanwhile is left out.
///
/// # Errors
/// The folder cannot be opened.
pub fn disk_usage(folder: &Path) -> io::Result<DiskUsage> {
    let top = openat(CWD, folder, LISTED, Mode::empty())?;
    Ok(usage_of(&top, DiskUsage { bytes: u64::MAX, files: u64::MAX }).used)
}

/// The same of an open folder. Counting stops above `most`.
pub(crate) fn usage_of(top: &OwnedFd, most: DiskUsage) -> FoundUsage {
    let mut found = FoundUsage::default();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        let (folder, names) = match list(top, &below) {
            Ok(listed) => listed,
            Err(error) => {
                found.hides_files |= !is_gone(&error);
                continue;
            }
        };
        for name in names {
            let stat = match statat(&folder, &name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => stat,
                Err(error) => {
                    found.hides_files |= !is_gone(&error.into());
                    continue;
                }
            };
            found.used.files += 1;
            found.used.bytes += u64::try_from(stat.st_blocks).unwrap_or_default() * 512;
            if found.used.files > most.files || found.used.bytes > most.bytes {
                return found;
            }
            if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
                open.push(below.join(OsStr::from_bytes(name.as_bytes())));
            }
        }
    }
    found
}

/// Opens a folder below another one, and lists it.
fn list(top: &OwnedFd, below: &Path) -> io::Result<(OwnedFd, Vec<CString>)> {
    let folder = open_beneath(top, below)?;
    let names = entries(&folder)?;
    Ok((folder, names))
}

/// Whether an error means that a folder was removed meanwhile, or something else put in its place.
fn is_gone(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP))
}
