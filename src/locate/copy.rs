//! Trees of files that a stranger made: copied for a build, and looked through after it.
//!
//! Everything goes from folder to folder by descriptors, and no link is followed: whoever changes the tree meanwhile leads
//! nowhere.

use super::links::CAREFULLY;
use super::system::FOLDER;
use crate::game::DiskUsage;
use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, Timespec, Timestamps, chmodat, fchmod, futimens,
    mkdirat, openat, readlinkat, statat, symlinkat, utimensat,
};
use rustix::io::Errno;
use std::ffi::CString;
use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What a submission may have to be copied.
const MOST: DiskUsage = DiskUsage { bytes: 4 << 30, files: 200_000 };
/// Folders in folders that are gone into: one descriptor is open for each.
const DEPTH: usize = 100;

/// A folder that is gone through, with what is still to be seen in it.
struct Level<T> {
    folder: OwnedFd,
    names: Vec<CString>,
    with: T,
}

fn open_folder(at: impl AsFd, name: &CString) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(at, name, flags, Mode::empty())?)
}

impl<T> Level<T> {
    fn of(folder: OwnedFd, with: T) -> io::Result<Level<T>> {
        let entries = Dir::read_from(&folder)?.collect::<Result<Vec<_>, Errno>>()?;
        let names = entries.iter().map(|entry| entry.file_name().to_owned());
        let names = names.filter(|name| !matches!(name.as_bytes(), b"." | b"..")).collect();
        Ok(Level { folder, names, with })
    }
}

/// Goes through a folder and all that is in it. `see` looks at an entry of a folder, and says with what its own entries are
/// to be seen if it is a folder to be gone into; `leave` is called when all in a folder has been seen.
fn walk<T>(
    top: OwnedFd,
    with: T,
    mut see: impl FnMut(&OwnedFd, &mut T, &CString, &Stat) -> io::Result<Option<T>>,
    mut leave: impl FnMut(&OwnedFd, &mut T) -> io::Result<()>,
) -> io::Result<()> {
    let mut open = vec![Level::of(top, with)?];
    while let Some(level) = open.last_mut() {
        let Some(name) = level.names.pop() else {
            leave(&level.folder, &mut level.with)?;
            open.pop();
            continue;
        };
        let told =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", name.to_string_lossy()));
        let stat = match statat(&level.folder, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => continue, // it was removed meanwhile
            stat => stat.map_err(|error| told(error.into()))?,
        };
        if let Some(with) = see(&level.folder, &mut level.with, &name, &stat).map_err(told)? {
            let inner =
                open_folder(&level.folder, &name).and_then(|inner| Level::of(inner, with)).map_err(told)?;
            if open.len() == DEPTH {
                return Err(io::Error::other(format!("folders are nested deeper than {DEPTH}")));
            }
            open.push(inner);
        }
    }
    Ok(())
}

/// A folder of a copy, and how it is to be in the end.
struct Made {
    folder: OwnedFd,
    mode: Mode,
    times: Timestamps,
}

/// Copies a folder to a place where nothing is yet, as `cp -a` would, with these differences: no file acts as its owner or
/// its group, pipes, sockets and devices are left out, and all of it is the caller's.
///
/// # Errors
/// What cannot be read or written, or that it is too much.
pub fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let flags = FOLDER | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let source = openat(CWD, from, flags, Mode::empty())?;
    let stat = statat(&source, ".", AtFlags::empty())?;
    let source = open_folder(&source, &c".".to_owned())?;
    let name = CString::new(to.as_os_str().as_encoded_bytes())?;
    let top = make_folder(CWD, &name, &stat)?;
    let mut used = DiskUsage::default();
    let see = |source: &OwnedFd, made: &mut Made, name: &CString, stat: &Stat| {
        used.files += 1;
        used.bytes += u64::try_from(stat.st_size).unwrap_or_default();
        if used.files > MOST.files || used.bytes > MOST.bytes {
            let DiskUsage { bytes, files } = MOST;
            return Err(io::Error::other(format!(
                "it is too much to be copied: more than {files} files or {} MiB",
                bytes >> 20
            )));
        }
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => return make_folder(&made.folder, name, stat).map(Some),
            FileType::RegularFile => copy_file(source, &made.folder, name, stat)?,
            FileType::Symlink => {
                symlinkat(readlinkat(source, name, Vec::new())?, &made.folder, name)?;
                utimensat(&made.folder, name, &times(stat), AtFlags::SYMLINK_NOFOLLOW)?;
            }
            _ => {}
        }
        Ok(None)
    };
    walk(source, top, see, |_, made| {
        fchmod(&made.folder, made.mode)?;
        Ok(futimens(&made.folder, &made.times)?)
    })
}

/// Makes a folder, open to its maker alone until all is in it.
fn make_folder(at: impl AsFd, name: &CString, stat: &Stat) -> io::Result<Made> {
    mkdirat(&at, name, Mode::RWXU)?;
    let folder = open_folder(at, name)?;
    Ok(Made { folder, mode: Mode::from_raw_mode(stat.st_mode), times: times(stat) })
}

fn copy_file(source: &OwnedFd, to: &OwnedFd, name: &CString, stat: &Stat) -> io::Result<()> {
    let read = File::from(openat(source, name, CAREFULLY | OFlags::NOFOLLOW, Mode::empty())?);
    if !read.metadata()?.is_file() {
        return Err(io::Error::other("it was changed while it was copied"));
    }
    let making = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut made = File::from(openat(to, name, making, Mode::RUSR | Mode::WUSR)?);
    // What is written to it meanwhile is not the submission any more.
    io::copy(&mut read.take(u64::try_from(stat.st_size).unwrap_or_default()), &mut made)?;
    fchmod(&made, Mode::from_raw_mode(stat.st_mode) & !SET_ID)?;
    Ok(futimens(&made, &times(stat))?)
}

/// What makes a program act as its owner, or as its group.
const SET_ID: Mode = Mode::SUID.union(Mode::SGID);

fn times(stat: &Stat) -> Timestamps {
    // Of the same width everywhere once they are of this type, which not every system has in its `stat`.
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        reason = "the fields differ from system to system"
    )]
    let modified = Timespec { tv_sec: stat.st_mtime as _, tv_nsec: stat.st_mtime_nsec as _ };
    Timestamps { last_access: modified, last_modification: modified }
}

/// Takes from the regular files of these owners in a folder what makes programs act as their owner or their group. Folders
/// keep it: what is made in those of a course gets the course's group by it.
///
/// # Errors
/// Something cannot be looked at or changed.
pub(crate) fn take_set_id(folder: &Path, owners: &[u32]) -> io::Result<()> {
    let flags = FOLDER | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let top = openat(CWD, folder, flags, Mode::empty())?;
    let see = |folder: &OwnedFd, (): &mut (), name: &CString, stat: &Stat| {
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
    walk(open_folder(&top, &c".".to_owned())?, (), see, |_, ()| Ok(()))
}

/// Opens what has this name; where its own user may not, it is changed by its name, which leads no further than that user
/// may go anyway. (Root may always, and must not change what another one puts in its place.)
fn open_or_change(folder: &OwnedFd, name: &CString, mode: Mode) -> io::Result<Option<OwnedFd>> {
    match openat(folder, name, CAREFULLY | OFlags::NOFOLLOW, Mode::empty()) {
        Ok(file) => Ok(Some(file)),
        Err(Errno::ACCESS) => Ok(chmodat(folder, name, mode, AtFlags::empty()).map(|()| None)?),
        Err(error) => Err(error.into()),
    }
}

/// Removes a folder and all that is in it, whoever made it and however deep it is.
///
/// # Errors
/// Something cannot be removed.
pub fn remove_folder(folder: &Path) -> io::Result<()> {
    clear(folder)?;
    fs::remove_dir(folder)
}

/// Removes what is in a folder, in steps that no depth and no name can stop: each folder's folders are moved up before
/// it is removed, so nothing is ever named that lies deeper than two levels.
pub(crate) fn clear(folder: &Path) -> io::Result<()> {
    open_up(folder);
    let mut moved = 0_u64;
    loop {
        let mut empty = true;
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            empty = false;
            if !is_folder(&path) {
                fs::remove_file(&path)?;
                continue;
            }
            open_up(&path);
            for inner in fs::read_dir(&path)? {
                let inner = inner?.path();
                if is_folder(&inner) {
                    open_up(&inner); // to move a folder one must be able to write in it
                    loop {
                        moved += 1;
                        let to = folder.join(format!("{moved}:{}", std::process::id()));
                        match fs::rename(&inner, &to) {
                            Ok(()) => break,
                            Err(_) if fs::symlink_metadata(&to).is_ok() => {} // the name is taken
                            Err(error) => return Err(error),
                        }
                    }
                } else {
                    fs::remove_file(&inner)?;
                }
            }
            fs::remove_dir(&path)?;
        }
        if empty {
            return Ok(());
        }
    }
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
}

/// A bot may have closed its folders to itself.
fn open_up(folder: &Path) {
    let _ = fs::set_permissions(folder, Permissions::from_mode(0o700)); // if it stays closed, removing it says so
}
