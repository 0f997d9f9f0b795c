//! Opening a folder to list it, and a file to read it, without following links.

use crate::files::READ;
use rustix::fs::{Mode, OFlags, openat};
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
