//! What other systems than Linux say of programs and folders.

use rustix::fs::OFlags;

/// Where the system keeps what everybody may read.
pub(crate) const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/System", "/Library"];

/// How programs begin: ELF, and Mach-O for one kind of processor.
const PROGRAMS: [&[u8]; 2] = [b"\x7fELF", b"\xcf\xfa\xed\xfe"];
/// How a Mach-O program for several kinds of processor begins, with their number, which is small; a class of Java
/// begins like it and has its version there, 45 at least.
const SEVERAL: &[u8] = b"\xca\xfe\xba\xbe\0\0\0";
/// The shortest file that can be a program (elf(5), the header of 32 bits).
const HEADER: usize = 52;

/// How a folder is opened to go through it.
pub(super) const FOLDER: OFlags = OFlags::RDONLY;

/// Whether a file that begins like this is a program of this system.
pub(super) fn is_program(head: &[u8]) -> bool {
    let for_several = || head.strip_prefix(SEVERAL).is_some_and(|rest| matches!(rest, [1..45, ..]));
    head.len() >= HEADER && (PROGRAMS.iter().any(|begins| head.starts_with(begins)) || for_several())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_how_it_begins() {
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
