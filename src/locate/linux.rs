//! Linux: system folders, and how programs look.

use rustix::fs::OFlags;

/// Folders that every bot may read: programs and libraries of the system. Not `/opt` and similar, where whole
/// tournaments may lie; what a bot needs from there is found from its command.
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

/// Whether a file with this beginning is a program of this system.
pub(super) fn is_program(head: &[u8]) -> bool {
    head.starts_with(b"\x7fELF") && head.len() >= ELF_HEADER
}
