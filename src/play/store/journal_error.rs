//! Why a journal cannot be used, and what its owner can do about it.

use super::journal::LINE_BYTES;
use arbiter_cup::tournament::JOURNAL_VERSION;
use arbiter_rules::text::counted;
use std::io;
use std::path::PathBuf;

/// Why a journal cannot be used. The file is not changed. A `line` is counted from 1; `lost` are
/// the games after it.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another process has locked it.
    #[error("{0}: another arbiter is running in this folder")]
    Busy(PathBuf),
    /// It is damaged before its end.
    #[error(
        "{path}:{line}: the line is damaged, and it is not the last one; nothing was changed. To \
         continue without the games from there on, cut the file before that line, which loses the \
         line and {} after it",
        counted(*lost, "game")
    )]
    Damaged { path: PathBuf, line: usize, lost: u64 },
    /// A line is as it was written, and its entry cannot be read.
    #[error(
        "{path}:{line}: the line is whole, but this arbiter does not know its entry ({why}): a \
         newer arbiter or another program wrote it; nothing was changed. Use a newer arbiter; to \
         continue without this line and those after it, cut the file before it, which loses {} \
         after it",
        counted(*lost, "game")
    )]
    Unknown { path: PathBuf, line: usize, lost: u64, why: String },
    /// A line is longer than any that arbiter writes.
    #[error(
        "{path}:{line}: the line is longer than {} MiB, so arbiter has not written it; nothing was \
         changed. To continue without it and what comes after it, cut the file before it",
        LINE_BYTES >> 20
    )]
    TooLong { path: PathBuf, line: usize },
    /// It does not begin with a head.
    #[error("{0}: this is not the journal of a tournament; nothing was changed")]
    Foreign(PathBuf),
    /// It is no regular file, such as a folder or a pipe.
    #[error("{0}: is not a regular file, so it is not the journal of a tournament")]
    NoFile(PathBuf),
    /// It was written by a newer program.
    #[error(
        "{path}: the journal has version {found}, this arbiter reads up to {JOURNAL_VERSION}; use \
         a newer arbiter"
    )]
    Newer { path: PathBuf, found: u64 },
    /// It was written by an older program.
    #[error(
        "{path}: the journal has version {found}, this arbiter reads version \
         {JOURNAL_VERSION}: go on with the arbiter that began the folder, or name another folder \
         with --out"
    )]
    Older { path: PathBuf, found: u64 },
    /// A system call failed.
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
}
