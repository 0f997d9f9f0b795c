//! Linux: system folders, and how programs look.

use super::open::{LISTED, open_one_by_one};
use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// Folders that every bot may read: programs and libraries of the system. Not `/opt` and similar,
/// where whole tournaments may lie; what a bot needs from there is found from its command.
pub(super) const SYSTEM_FOLDERS: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
];
/// Bytes of the shortest ELF program: the header of 32-bit files (elf(5)).
const ELF_HEADER: usize = 52;

/// Flag to open a folder only to reach what is in it: works without the right to list it.
pub(super) const FOLDER_FLAGS: OFlags = OFlags::PATH;

/// Opens a folder by its path from a folder above it, without following links.
pub(super) fn open_beneath(top: &OwnedFd, below: &Path) -> io::Result<OwnedFd> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(top, below, LISTED, Mode::empty(), resolve) {
        // Linux before 5.6, and containers that refuse new calls.
        Err(Errno::NOSYS | Errno::PERM) => open_one_by_one(top, below),
        opened => Ok(opened?),
    }
}

/// Whether a file with this beginning is a program of this system.
pub(super) fn is_program(head: &[u8]) -> bool {
    head.starts_with(b"\x7fELF") && head.len() >= ELF_HEADER
}

/// Whether the kernel starts other programs by interpreters that are registered; `register` and
/// `status` are always there.
pub(super) fn has_emulators() -> bool {
    std::fs::read_dir("/proc/sys/fs/binfmt_misc").is_ok_and(|entries| entries.count() > 2)
}
