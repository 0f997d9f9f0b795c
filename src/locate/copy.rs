//! Copying the folder of a submission for a build, and clearing set-id bits after it.
//!
//! A copy is made from folder to folder by descriptors, and no link is followed, so that changes to the
//! folder meanwhile cannot lead out of it.

use super::bounds::{LIMIT, SubmissionSize, VIRTUAL_ENVIRONMENT, is_left_out};
use super::extents;
use super::links::READ_FLAGS;
use super::system::FOLDER_FLAGS;
use super::walk::{open_folder, walk};
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, Stat, Timespec, Timestamps, chmodat, fchmod, futimens, mkdirat,
    openat, readlinkat, statat, symlinkat, utimensat,
};
use rustix::io::Errno;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// A folder of a copy, and the mode and times that it gets when everything is in it.
struct CopiedFolder {
    folder: OwnedFd,
    mode: Mode,
    times: Timestamps,
    /// Whether it is in a virtual environment.
    in_environment: bool,
}

/// Copies a folder to a path that does not exist yet, like `cp -a`, with these differences: set-id bits of
/// files are dropped, pipes, sockets, devices and what is no content of a submission (`.git`) are left out, holes stay
/// holes, and the caller owns the copy.
///
/// # Errors
/// Something cannot be read or written, or the folder is larger than a submission may be, or nests deeper than 100
/// folders.
pub fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let flags = FOLDER_FLAGS | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let source = openat(CWD, from, flags, Mode::empty())?;
    let stat = statat(&source, ".", AtFlags::empty())?;
    let source = open_folder(&source, &c".".to_owned())?;
    let name = CString::new(to.as_os_str().as_encoded_bytes())?;
    let top = make_folder(CWD, &name, &stat)?;
    let mut used = SubmissionSize::default();
    let visit = |source: &OwnedFd, made: &mut CopiedFolder, name: &CString, stat: &Stat| {
        if !made.in_environment && is_left_out(name, stat) {
            return Ok(None);
        }
        used.add(u64::try_from(stat.st_size).unwrap_or_default(), name.as_bytes().len())?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                let inner = make_folder(&made.folder, name, stat)?;
                let in_environment = made.in_environment || name.as_bytes() == VIRTUAL_ENVIRONMENT.as_bytes();
                return Ok(Some(CopiedFolder { in_environment, ..inner }));
            }
            FileType::RegularFile => copy_file(source, &made.folder, name, stat)?,
            FileType::Symlink => {
                symlinkat(readlinkat(source, name, Vec::new())?, &made.folder, name)?;
                utimensat(&made.folder, name, &times(stat), AtFlags::SYMLINK_NOFOLLOW)?;
            }
            _ => {}
        }
        Ok(None)
    };
    walk(source, top, Some(LIMIT.files), visit, |_, made| {
        fchmod(&made.folder, made.mode)?;
        Ok(futimens(&made.folder, &made.times)?)
    })
}

/// Makes a folder that only its owner can open until everything is in it.
fn make_folder(at: impl AsFd, name: &CString, stat: &Stat) -> io::Result<CopiedFolder> {
    mkdirat(&at, name, Mode::RWXU)?;
    let folder = open_folder(at, name)?;
    let mode = Mode::from_raw_mode(stat.st_mode);
    Ok(CopiedFolder { folder, mode, times: times(stat), in_environment: false })
}

fn copy_file(source: &OwnedFd, to: &OwnedFd, name: &CString, stat: &Stat) -> io::Result<()> {
    let read = File::from(openat(source, name, READ_FLAGS | OFlags::NOFOLLOW, Mode::empty())?);
    if !read.metadata()?.is_file() {
        return Err(io::Error::other("it was changed while it was copied"));
    }
    let making = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let made = File::from(openat(to, name, making, Mode::RUSR | Mode::WUSR)?);
    // Up to the size that was counted: the file may grow meanwhile.
    extents::copy(&read, &made, u64::try_from(stat.st_size).unwrap_or_default())?;
    fchmod(&made, Mode::from_raw_mode(stat.st_mode) & !SET_ID)?;
    Ok(futimens(&made, &times(stat))?)
}

/// The bits of a file's mode that make a program run with the rights of its owner or group.
const SET_ID: Mode = Mode::SUID.union(Mode::SGID);

fn times(stat: &Stat) -> Timestamps {
    // The fields of `stat` have other types on other systems.
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        reason = "the fields differ from system to system"
    )]
    let modified = Timespec { tv_sec: stat.st_mtime as _, tv_nsec: stat.st_mtime_nsec as _ };
    Timestamps { last_access: modified, last_modification: modified }
}

/// Clears the set-id bits of the regular files in a folder that belong to one of these users. Folders keep
/// theirs: a set-gid folder gives its group to what is made in it, which shared folders of a course rely on.
///
/// # Errors
/// Something cannot be read or changed.
pub(crate) fn clear_set_id(folder: &Path, owners: &[u32]) -> io::Result<()> {
    let flags = FOLDER_FLAGS | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let top = openat(CWD, folder, flags, Mode::empty())?;
    let visit = |folder: &OwnedFd, (): &mut (), name: &CString, stat: &Stat| {
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
    };
    walk(open_folder(&top, &c".".to_owned())?, (), None, visit, |_, ()| Ok(()))
}

/// Opens a file or folder; if its mode forbids that to its owner, sets its mode by its name instead and
/// returns none. By name is safe there: this process then runs as the owner and can change nothing that the
/// owner could not. Root is never refused, so it never changes a mode by name, which could be that of a file
/// put in its place.
fn open_or_change(folder: &OwnedFd, name: &CString, mode: Mode) -> io::Result<Option<OwnedFd>> {
    match openat(folder, name, READ_FLAGS | OFlags::NOFOLLOW, Mode::empty()) {
        Ok(file) => Ok(Some(file)),
        Err(Errno::ACCESS) => Ok(chmodat(folder, name, mode, AtFlags::empty()).map(|()| None)?),
        Err(error) => Err(error.into()),
    }
}
