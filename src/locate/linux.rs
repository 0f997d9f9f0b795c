//! What Linux says of programs and folders.

use rustix::fs::OFlags;

/// Read by everybody: programs, libraries and what describes them. Not `/opt` and the like, where whole tournaments
/// may lie: what a bot needs from there is found from its command.
pub(crate) const SYSTEM: [&str; 10] = [
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

/// The shortest file that can be an ELF program (elf(5), the header of 32 bits).
const ELF_HEADER: usize = 52;

/// How a folder is opened to go through it: it need not be readable.
pub(super) const FOLDER: OFlags = OFlags::PATH;

/// Whether a file that begins like this is a program of this system.
pub(super) fn is_program(head: &[u8]) -> bool {
    head.starts_with(b"\x7fELF") && head.len() >= ELF_HEADER
}
