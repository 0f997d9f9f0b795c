//! Opening folders and files of a submission by descriptors, without following links: what was
//! checked is what is opened, whatever the author puts in its place meanwhile.

use super::system::FOLDER_FLAGS;
use crate::files::{READ, open_at};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

/// Flags to open a folder and list it.
pub(super) const LISTED: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

pub(super) fn open_folder(at: impl AsFd, name: &CStr) -> io::Result<OwnedFd> {
    Ok(openat(at, name, LISTED, Mode::empty())?)
}

pub(super) fn open_file(at: impl AsFd, name: &CStr) -> io::Result<File> {
    Ok(openat(at, name, READ | OFlags::NOFOLLOW, Mode::empty())?.into())
}

/// Opens a folder by its path from a folder above it, on a system that has no call for it: one
/// folder after the other.
pub(super) fn open_one_by_one(top: &OwnedFd, below: &Path) -> io::Result<OwnedFd> {
    let mut at = open_folder(top, c".")?;
    for part in below.components() {
        let Component::Normal(name) = part else { return Err(io::ErrorKind::InvalidInput.into()) };
        at = openat(&at, name, LISTED, Mode::empty())?;
    }
    Ok(at)
}

/// Opens a regular file below the folder `base` by its canonical path. No link is followed, so a
/// link that is put in its way after the path was resolved makes this fail.
///
/// # Errors
/// It cannot be opened, is no regular file, or does not lie below `base`.
pub(super) fn open_regular_within(base: &Path, path: &Path) -> io::Result<File> {
    let folder = FOLDER_FLAGS | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let below = path.strip_prefix(base).map_err(io::Error::other)?;
    if below.components().any(|part| !matches!(part, Component::Normal(_))) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let (Some(above), Some(name)) = (below.parent(), below.file_name()) else {
        return Err(io::ErrorKind::IsADirectory.into());
    };
    let mut at = openat(CWD, base, folder, Mode::empty())?;
    for part in above {
        at = openat(&at, part, folder, Mode::empty())?;
    }
    open_at(&at, Path::new(name), OFlags::NOFOLLOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    #[test]
    fn within_a_folder_only_regular_files_are_opened_and_no_link_is_followed() {
        let temporary = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(temporary.path()).unwrap().join("base");
        fs::create_dir_all(base.join("deep/er")).unwrap();
        fs::write(base.join("deep/x"), "x").unwrap();
        fs::write(base.join("../outside"), "secret").unwrap();
        for (target, at) in [
            ("deep/er", "d"),
            ("d/../x", "by-link"),
            ("../outside", "out"),
            ("../../out", "d/chain"),
        ] {
            symlink(target, base.join(at)).unwrap();
        }
        assert!(Command::new("mkfifo").arg(base.join("pipe")).status().unwrap().success());
        assert!(open_regular_within(&base, &base.join("deep/x")).is_ok());
        for path in ["by-link", "d/../x", "out", "pipe", "deep", "", "d/chain", "../outside"] {
            assert!(open_regular_within(&base, &base.join(path)).is_err(), "{path}");
        }
    }
}
