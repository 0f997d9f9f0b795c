//! Systems other than Linux: system folders, and how programs look.

pub(super) use super::open::open_one_by_one as open_beneath;
use rustix::fs::OFlags;

/// Folders that every bot may read: programs and libraries of the system.
pub(super) const SYSTEM_FOLDERS: [&str; 6] =
    ["/usr", "/bin", "/sbin", "/lib", "/System", "/Library"];

/// First bytes of programs: ELF, and Mach-O for one architecture.
const MAGIC: [&[u8]; 2] = [b"\x7fELF", b"\xcf\xfa\xed\xfe"];
/// First bytes of a Mach-O program for several architectures; their number follows, in one byte. A
/// Java class has the same first bytes, and its version in that place, which is at least 45.
const UNIVERSAL_MAGIC: &[u8] = b"\xca\xfe\xba\xbe\0\0\0";
/// Bytes of the shortest program: the header of 32-bit files (elf(5)).
const HEADER: usize = 52;

/// Flag to open a folder to reach what is in it.
pub(super) const FOLDER_FLAGS: OFlags = OFlags::RDONLY;

/// Whether a file with this beginning is a program of this system.
pub(super) fn is_program(head: &[u8]) -> bool {
    if head.len() < HEADER {
        return false;
    }
    match head.strip_prefix(UNIVERSAL_MAGIC) {
        Some(rest) => matches!(rest, [1..45, ..]),
        None => MAGIC.iter().any(|magic| head.starts_with(magic)),
    }
}

/// Whether the system starts programs of other processors: it may, and does not say.
pub(super) fn has_emulators() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_recognised_by_their_first_bytes() {
        let file = |begins: &[u8]| [begins, &[0; HEADER]].concat();
        assert!(is_program(&std::fs::read(std::env::current_exe().unwrap()).unwrap()));
        for begins in [&b"\x7fELF"[..], b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe\0\0\0\x02"] {
            assert!(is_program(&file(begins)) && !is_program(begins), "{begins:?}");
        }
        for begins in [&b"\xca\xfe\xba\xbe\0\0\0\x41"[..], b"\xca\xfe\xba\xbe", b"#!/bin/sh", b""] {
            assert!(!is_program(&file(begins)), "{begins:?}");
        }
    }
}
