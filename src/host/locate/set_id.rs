//! Clearing set-id bits after a build: a program with them would give every account of the machine
//! the organiser's rights.

use super::open::open_folder;
use super::system::FOLDER_FLAGS;
use super::walk::walk;
use crate::files::READ;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, chmodat, fchmod, openat};
use rustix::io::Errno;
use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// The bits of a file's mode that make a program run with the rights of its owner or group.
const SET_ID: Mode = Mode::SUID.union(Mode::SGID);

/// Clears the set-id bits of the regular files in a folder that belong to one of these users.
/// Folders keep theirs: a set-gid folder gives its group to what is made in it, which shared
/// folders of a course rely on.
///
/// # Errors
/// Something cannot be read or changed.
pub(crate) fn clear_set_id(folder: &Path, owners: &[u32]) -> io::Result<()> {
    let flags = FOLDER_FLAGS | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let top = openat(CWD, folder, flags, Mode::empty())?;
    walk(
        open_folder(&top, c".")?,
        (),
        None,
        |inner, (), name, stat| clear_entry(inner, name, stat, owners),
        |_, ()| Ok(()),
    )
}

/// Clears the set-id bits of one entry. Returns whether it is a folder to go into.
fn clear_entry(
    folder: &OwnedFd,
    name: &CString,
    stat: &Stat,
    owners: &[u32],
) -> io::Result<Option<()>> {
    let kind = FileType::from_raw_mode(stat.st_mode);
    let mode = Mode::from_raw_mode(stat.st_mode);
    if !owners.contains(&stat.st_uid) {
        return Ok((kind == FileType::Directory).then_some(()));
    }
    match kind {
        FileType::Directory => {
            open_or_change(folder, name, mode | Mode::RWXU)?;
            Ok(Some(()))
        }
        FileType::RegularFile if mode.intersects(SET_ID) => {
            if let Some(file) = open_or_change(folder, name, mode & !SET_ID)? {
                fchmod(&file, mode & !SET_ID)?;
            }
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Opens a file or folder; if its mode forbids that to its owner, sets its mode by its name instead
/// and returns `None`. By name is safe there: this process then runs as the owner and can change
/// nothing that the owner could not. Root is never refused, so it never changes a mode by name,
/// which could be that of a file put in its place.
fn open_or_change(folder: &OwnedFd, name: &CString, mode: Mode) -> io::Result<Option<OwnedFd>> {
    match openat(folder, name, READ | OFlags::NOFOLLOW, Mode::empty()) {
        Ok(file) => Ok(Some(file)),
        Err(Errno::ACCESS) => Ok(chmodat(folder, name, mode, AtFlags::empty()).map(|()| None)?),
        Err(error) => Err(error.into()),
    }
}
