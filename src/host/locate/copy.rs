//! Copying the folder of a submission for its build and its games.
//!
//! Two folders whose content has the same digest have identical copies: everything else about a
//! file (times, most of its mode, extended attributes, hard links, holes) is the same in every
//! copy. Otherwise a submission could hide a program there, and exchange it while its old games
//! count.
//!
//! A copy is made from folder to folder by descriptors, and no link is followed, so that changes to
//! the folder meanwhile cannot lead out of it.

use super::bounds::{LIMIT, SubmissionSize};
use super::leftovers::{CACHE, VIRTUAL_ENVIRONMENT, is_leftover};
use super::open::{open_file, open_folder};
use super::remove::remove_folder;
use super::submission::Submission;
use super::system::FOLDER_FLAGS;
use super::walk::{entries, open_beneath, walk};
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, Stat, Timespec, Timestamps, fchmod, futimens, mkdirat,
    openat, readlinkat, statat, symlinkat, utimensat,
};
use rustix::io::Errno;
use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// When everything in a copy was changed: 2000-01-01 in UTC. Some build tools take 0 for a file
/// that is not there.
const CHANGED: Timestamps = {
    let time = Timespec { tv_sec: 946_684_800, tv_nsec: 0 };
    Timestamps { last_access: time, last_modification: time }
};
/// The mode of folders and programs in a copy.
const PASSABLE: Mode = Mode::from_bits_retain(0o755);
/// The mode of other files in a copy.
const PLAIN: Mode = Mode::from_bits_retain(0o644);

/// A folder of a copy.
struct CopiedFolder {
    folder: OwnedFd,
    /// Whether it is in a virtual environment.
    in_environment: bool,
}

/// Copies a folder to a path that does not exist yet: its folders, files and links, sorted by name.
/// Pipes, sockets, devices and what is no content of a submission (`.git`) are left out. The caller
/// owns the copy and may write in it, all may read it, and a file is executable if its owner may
/// execute it. What cannot be read is there, and cannot be read either.
///
/// # Errors
/// Something cannot be read or written, or the folder is larger than a submission may be, or nests
/// deeper than 100 folders. Nothing is left of the copy.
pub fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    copy_below(from, Path::new(""), to)
}

/// Copies the folder of a submission as [`copy_folder`] does. No link below the folder of all
/// submissions is followed: the author could put one in the place of a folder that was entered.
///
/// # Errors
/// As [`copy_folder`].
pub fn copy_submission(from: &Submission, to: &Path) -> io::Result<()> {
    let (above, below) = from.opened_from();
    copy_below(above, below, to)
}

/// Copies the folder `below` another one, or this itself if the path is empty.
fn copy_below(above: &Path, below: &Path, to: &Path) -> io::Result<()> {
    let flags = FOLDER_FLAGS | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let above = openat(CWD, above, flags, Mode::empty())?;
    let submission = open_beneath(&above, below)?;
    let owner = statat(&submission, ".", AtFlags::empty())?.st_uid;
    let top = make_folder(CWD, &CString::new(to.as_os_str().as_encoded_bytes())?)?;
    let mut used = SubmissionSize::default();
    let copied = walk(
        submission,
        top,
        Some(LIMIT.files),
        |source, made, name, stat| copy_entry(source, made, name, stat, owner, &mut used),
        |_, made| finish_folder(made),
    );
    if copied.is_err() {
        // A part that filled the disk would leave no room for other submissions.
        let _ = remove_folder(to);
    }
    copied
}

/// Copies an entry of a folder whose submission has this owner. Returns the copy of a folder, which
/// is still empty.
fn copy_entry(
    source: &OwnedFd,
    made: &CopiedFolder,
    name: &CString,
    stat: &Stat,
    owner: u32,
    used: &mut SubmissionSize,
) -> io::Result<Option<CopiedFolder>> {
    let kind = FileType::from_raw_mode(stat.st_mode);
    let is_kept_cache = made.in_environment && name.as_bytes() == CACHE.as_bytes();
    if matches!(kind, FileType::Directory | FileType::RegularFile)
        && !is_kept_cache
        && is_leftover(name.as_bytes(), kind == FileType::Directory)
    {
        return Ok(None);
    }
    used.add(u64::try_from(stat.st_size).unwrap_or_default(), name.as_bytes().len())?;
    match kind {
        FileType::Directory => {
            let inner = make_folder(&made.folder, name)?;
            if is_unreadable(&open_folder(source, name)) {
                finish(&inner.folder, Mode::empty())?;
                return Ok(None);
            }
            let in_environment =
                made.in_environment || name.as_bytes() == VIRTUAL_ENVIRONMENT.as_bytes();
            return Ok(Some(CopiedFolder { in_environment, ..inner }));
        }
        FileType::RegularFile => copy_file(source, &made.folder, name, stat, owner)?,
        FileType::Symlink => {
            symlinkat(readlinkat(source, name, Vec::new())?, &made.folder, name)?;
            utimensat(&made.folder, name, &CHANGED, AtFlags::SYMLINK_NOFOLLOW)?;
        }
        _ => {} // pipes, sockets and devices
    }
    Ok(None)
}

/// Finishes a folder of a copy, when all is in it.
fn finish_folder(made: &CopiedFolder) -> io::Result<()> {
    if made.in_environment {
        date_modules(&made.folder)?;
    }
    finish(&made.folder, PASSABLE)
}

/// Gives the modules of Python in a folder of a copy the times that their caches were made for.
/// Python takes a cache for old if its module has another time, and would compile all of a virtual
/// environment at each start. The times follow from the caches, which are content.
fn date_modules(folder: &OwnedFd) -> io::Result<()> {
    let Ok(caches) = open_folder(folder, c"__pycache__") else { return Ok(()) };
    let mut names = entries(&caches)?;
    names.sort_unstable();
    for name in names {
        let Ok(text) = name.to_str() else { continue };
        let Some((module, _)) = text.split_once(".cpython-") else { continue };
        let Ok(mut cache) = open_file(&caches, &name) else { continue };
        // PEP 552: four little-endian numbers of 32 bits are the version, flags (0: the cache is
        // valid as long as the module has this time), the time, the size.
        let mut begin = [0; 16];
        if cache.read_exact(&mut begin).is_err() || begin[4..8] != [0; 4] {
            continue;
        }
        let seconds = u32::from_le_bytes([begin[8], begin[9], begin[10], begin[11]]);
        let time = Timespec { tv_sec: seconds.into(), tv_nsec: 0 };
        let times = Timestamps { last_access: time, last_modification: time };
        match utimensat(folder, format!("{module}.py"), &times, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) | Ok(()) => {} // a module may have a cache alone
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Gives a file or folder of a copy its mode and its times, when all is in it.
fn finish(made: impl AsFd, mode: Mode) -> io::Result<()> {
    fchmod(&made, mode)?;
    Ok(futimens(made, &CHANGED)?)
}

/// Whether something could not be opened because of its mode or owner.
fn is_unreadable<T>(opened: &io::Result<T>) -> bool {
    opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

/// Makes a folder that only its owner can open until everything is in it.
fn make_folder(at: impl AsFd, name: &CString) -> io::Result<CopiedFolder> {
    mkdirat(&at, name, Mode::RWXU)?;
    Ok(CopiedFolder { folder: open_folder(at, name)?, in_environment: false })
}

/// Copies a regular file of a submission whose folder has this owner.
fn copy_file(
    source: &OwnedFd,
    to: &OwnedFd,
    name: &CString,
    stat: &Stat,
    owner: u32,
) -> io::Result<()> {
    let opened = open_file(source, name);
    let making =
        OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let made = File::from(openat(to, name, making, Mode::RUSR | Mode::WUSR)?);
    if is_unreadable(&opened) {
        return finish(&made, Mode::empty());
    }
    let read = opened?;
    // Of the open file: the one that was looked at may have been replaced since.
    let meta = read.metadata()?;
    if !meta.is_file() {
        return Err(changed());
    }
    // Everything in a copy can be read, and root can read what the author cannot.
    if meta.nlink() > 1 && meta.uid() != owner {
        return Err(io::Error::other(
            "it is a hard link to a file of another user; put a copy there",
        ));
    }
    // Up to the size that was counted: the file may grow meanwhile.
    let size = u64::try_from(stat.st_size).unwrap_or_default();
    // By read and write: between two files `io::copy` lets the kernel copy, which may keep the
    // holes.
    let content: &mut dyn Read = &mut read.take(size);
    let copied = io::copy(content, &mut &made)?;
    if copied < size {
        return Err(changed());
    }
    let is_program = Mode::from_raw_mode(stat.st_mode).contains(Mode::XUSR);
    finish(&made, if is_program { PASSABLE } else { PLAIN })
}

fn changed() -> io::Error {
    io::Error::other("it was changed while it was copied")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_module_of_a_virtual_environment_has_the_time_of_its_cache() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = place.path().join("from").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        };
        let cache = |flags: u8| {
            [[1, 2, 3, 4], [flags, 0, 0, 0], 1_234_567_890_u32.to_le_bytes(), [9; 4]].concat()
        };
        for folder in [".venv/lib", "lib"] {
            for (module, bytes) in
                [("timed", cache(0)), ("hashed", cache(1)), ("cut", cache(0)[..15].to_vec())]
            {
                write(&format!("{folder}/{module}.py"), b"");
                write(&format!("{folder}/__pycache__/{module}.cpython-311.pyc"), &bytes);
            }
            write(&format!("{folder}/__pycache__/gone.cpython-311.pyc"), &cache(0));
        }
        copy_folder(&place.path().join("from"), &place.path().join("to")).unwrap();
        let time = |name: &str| fs::metadata(place.path().join("to").join(name)).unwrap().mtime();
        assert_eq!(time(".venv/lib/timed.py"), 1_234_567_890);
        for name in [
            ".venv/lib/hashed.py",
            ".venv/lib/cut.py",
            ".venv/lib",
            ".venv",
            "lib/timed.py",
            "lib",
            "",
        ] {
            assert_eq!(time(name), 946_684_800, "{name}");
        }
        assert!(!place.path().join("to/lib/__pycache__").exists());
    }

    #[test]
    fn nothing_is_left_of_a_copy_that_failed() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("d/".repeat(100))).unwrap();
        fs::write(from.join("a"), "text").unwrap();
        assert!(copy_folder(&from, &to).unwrap_err().to_string().contains("nested deeper"));
        assert!(!to.exists());
    }
}
