//! The machine as any Unix tells of it, which is little: this program, and what a program looks like.

use rustix::fs::OFlags;
use std::env;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// In what unit `ru_maxrss` is, as parts of a KiB: Apple's systems count bytes.
pub(in crate::bot) const RSS_PER_KIB: u64 = if cfg!(target_vendor = "apple") { 1024 } else { 1 };

/// How programs begin: ELF, and Mach-O for one kind of processor.
const PROGRAMS: [&[u8]; 2] = [b"\x7fELF", b"\xcf\xfa\xed\xfe"];
/// How a Mach-O program for several kinds of processor begins, with their number, which is small; a class of Java
/// begins like it and has its version there, 45 at least.
const SEVERAL: &[u8] = b"\xca\xfe\xba\xbe\0\0\0";
/// The shortest file that can be a program (elf(5), the header of 32 bits).
const HEADER: usize = 52;

/// How a folder is opened to go through it.
pub(in crate::bot) const FOLDER: OFlags = OFlags::RDONLY;

/// The program that runs here.
#[must_use]
pub fn myself() -> PathBuf {
    env::current_exe().unwrap_or_else(|_| PathBuf::from("arbiter"))
}

/// Whether a file that begins like this is a program of this system.
pub(in crate::bot) fn is_program(head: &[u8]) -> bool {
    let for_several = || head.strip_prefix(SEVERAL).is_some_and(|rest| matches!(rest, [1..45, ..]));
    head.len() >= HEADER && (PROGRAMS.iter().any(|begins| head.starts_with(begins)) || for_several())
}

/// The cores that this thread may run on: that cannot be told.
#[must_use]
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// The core that this thread runs on at the moment: that cannot be told either.
pub(crate) fn core_in_use() -> usize {
    0
}

/// Keeps this thread on one core, which is asked of none of the [`cores`] that there are.
///
/// # Errors
/// Always.
pub fn keep_to(_core: usize) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The signals that whoever started arbiter had it ignore: they can be told only by code that is not safe.
pub(crate) fn ignored_signals() -> u64 {
    0
}

/// Time of processors that the machine below this one gave to others: not told.
pub(crate) fn stolen() -> Duration {
    Duration::ZERO
}

/// How long programs had to wait for memory: not told.
pub(crate) fn starved() -> Duration {
    Duration::ZERO
}

/// How many processes and threads this user has: not told, and no limit counts them.
pub(in crate::bot) fn tasks_of_this_user() -> u32 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_how_it_begins() {
        let file = |begins: &[u8]| [begins, &[0; HEADER]].concat();
        assert!(is_program(&std::fs::read(myself()).unwrap()));
        for begins in [&b"\x7fELF"[..], b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe\0\0\0\x02"] {
            assert!(is_program(&file(begins)) && !is_program(begins), "{begins:?}");
        }
        for begins in [&b"\xca\xfe\xba\xbe\0\0\0\x41"[..], b"\xca\xfe\xba\xbe", b"#!/bin/sh", b""] {
            assert!(!is_program(&file(begins)), "{begins:?}");
        }
    }
}
