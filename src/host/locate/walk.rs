//! Walking through a folder by descriptors, without following links, so that changes to the folder
//! meanwhile cannot lead out of it.

use super::bounds::too_large;
use super::open::open_folder;
use super::system;
use rustix::fs::{AtFlags, Dir, Stat, statat};
use rustix::io::Errno;
use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// Depth of the deepest folder that is walked through: each level needs an open descriptor.
const MAX_DEPTH: usize = 100;

/// A folder that is being walked through.
struct Level<T> {
    folder: OwnedFd,
    /// Its entries that are still to be visited.
    names: Vec<CString>,
    /// What the caller of [`walk`] keeps for it.
    with: T,
}

/// The names in a folder, without `.` and `..`.
///
/// # Errors
/// It cannot be listed.
pub(crate) fn entries(folder: &OwnedFd) -> io::Result<Vec<CString>> {
    entries_up_to(folder, None)
}

/// The same of a folder that may have this many entries at most.
fn entries_up_to(folder: &OwnedFd, most: Option<u64>) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push(entry.file_name().to_owned());
        }
        // While it is listed: a folder may have more names than fit into memory.
        if most.is_some_and(|most| names.len() as u64 > most) {
            return Err(too_large());
        }
    }
    Ok(names)
}

/// Opens a folder by its path from a folder above it, or that folder itself if the path is empty.
/// No link is followed.
///
/// # Errors
/// It cannot be opened, is no folder, or the path has a link or a `..`.
pub(crate) fn open_beneath(top: &OwnedFd, below: &Path) -> io::Result<OwnedFd> {
    if below.as_os_str().is_empty() {
        open_folder(top, c".")
    } else {
        system::open_beneath(top, below)
    }
}

impl<T> Level<T> {
    /// `left` is how many entries the walk may still list, if it is limited.
    fn new(folder: OwnedFd, with: T, left: &mut Option<u64>) -> io::Result<Level<T>> {
        let mut names = entries_up_to(&folder, *left)?;
        names.sort_unstable_by(|one, other| other.cmp(one)); // the last is visited first
        if let Some(left) = left {
            *left -= names.len() as u64;
        }
        Ok(Level { names, folder, with })
    }

    /// Visits an entry, and opens it if it is to be walked through.
    fn enter(
        &mut self,
        name: &CString,
        visit: &mut impl FnMut(&OwnedFd, &mut T, &CString, &Stat) -> io::Result<Option<T>>,
        left: &mut Option<u64>,
    ) -> io::Result<Option<Level<T>>> {
        let stat = match statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(None), // it was removed meanwhile
            stat => stat?,
        };
        match visit(&self.folder, &mut self.with, name, &stat)? {
            Some(with) => Level::new(open_folder(&self.folder, name)?, with, left).map(Some),
            None => Ok(None),
        }
    }
}

/// Visits everything in a folder, sorted by name and without following links. `visit` is called for
/// each entry; if it returns a value, the entry is a folder to walk through, and the value is kept
/// with it. `leave` is called after the last entry of a folder. `most` is the maximum number of
/// entries in all folders of a submission together: their names are kept, and a stranger must not
/// fill the memory with them.
///
/// # Errors
/// What `visit` and `leave` return, a folder that cannot be read, too many entries, or folders
/// nested deeper than [`MAX_DEPTH`].
pub(super) fn walk<T>(
    top: OwnedFd,
    with: T,
    most: Option<u64>,
    mut visit: impl FnMut(&OwnedFd, &mut T, &CString, &Stat) -> io::Result<Option<T>>,
    mut leave: impl FnMut(&OwnedFd, &mut T) -> io::Result<()>,
) -> io::Result<()> {
    let mut left = most;
    let mut open = vec![Level::new(top, with, &mut left)?];
    while let Some(level) = open.last_mut() {
        let Some(name) = level.names.pop() else {
            leave(&level.folder, &mut level.with)?;
            open.pop();
            continue;
        };
        let inner = level.enter(&name, &mut visit, &mut left).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", name.to_string_lossy()))
        })?;
        if let Some(inner) = inner {
            if open.len() == MAX_DEPTH {
                return Err(io::Error::other(format!(
                    "folders are nested deeper than {MAX_DEPTH}"
                )));
            }
            open.push(inner);
        }
    }
    Ok(())
}
