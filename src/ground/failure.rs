//! Why a command stopped before its end.

use super::rules_faults::{evidence, fault_in, is_of_file};
use anyhow::anyhow;
use arbiter_play::store::FolderError;
use arbiter_play::store::journal::JournalError;
use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

/// Why a command stopped before its end.
#[derive(Debug)]
pub enum Failure {
    /// Bad usage or input: exit status 2.
    Usage(anyhow::Error),
    /// arbiter could not finish: exit status 3.
    Unfinished(anyhow::Error),
    /// Stopped by a signal: exit status 130.
    Interrupted(anyhow::Error),
    /// The reader of standard output has closed it, as `head` does: not an error, exit status 0.
    OutputClosed,
}

impl Failure {
    /// The error to print, if there is one.
    pub fn error(&self) -> Option<&anyhow::Error> {
        match self {
            Failure::Usage(error) | Failure::Unfinished(error) | Failure::Interrupted(error) => {
                Some(error)
            }
            Failure::OutputClosed => None,
        }
    }

    /// Whether it is that a disk, or the user's share of it, is full.
    pub fn is_disk_full(&self) -> bool {
        let Some(error) = self.error() else { return false };
        let mut kinds = error.chain().filter_map(io_kind);
        kinds.any(|kind| matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
    }

    /// That something could not be written; `what` is what messages call it.
    pub fn writing(what: impl Display, error: io::Error) -> Failure {
        let kind = error.kind();
        let error = anyhow!(error).context(what.to_string());
        match kind {
            ErrorKind::BrokenPipe => Failure::OutputClosed,
            ErrorKind::IsADirectory | ErrorKind::AlreadyExists => Failure::Usage(error),
            _ => Failure::Unfinished(error),
        }
    }

    /// The exit status.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::OutputClosed => 0,
            Failure::Usage(_) => 2,
            Failure::Unfinished(_) => 3,
            Failure::Interrupted(_) => 130,
        })
    }

    /// The same failure with this change to what it says.
    pub fn reworded(mut self, change: impl FnOnce(&str) -> String) -> Failure {
        if let Failure::Usage(error) | Failure::Unfinished(error) | Failure::Interrupted(error) =
            &mut self
        {
            *error = anyhow!(change(&format!("{error:#}")));
        }
        self
    }
}

/// The kind of an error of the system.
fn io_kind(error: &(dyn std::error::Error + 'static)) -> Option<ErrorKind> {
    if let Some(error) = error.downcast_ref::<io::Error>() {
        return Some(error.kind());
    }
    match error.downcast_ref::<JournalError>()? {
        JournalError::Io { error, .. } => Some(error.kind()), // its own message has that error's
        _ => None,
    }
}

impl From<anyhow::Error> for Failure {
    /// What rules do wrong at a position is no bad input.
    fn from(error: anyhow::Error) -> Failure {
        match fault_in(&error).map(evidence) {
            Some(evidence) if is_of_file(&error) => Failure::Usage(anyhow!("{error:#}{evidence}")),
            Some(evidence) => Failure::Unfinished(anyhow!("{error:#}{evidence}")),
            None => Failure::Usage(error),
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Failure {
        match error {
            FolderError::Foreign { .. } | FolderError::Taken { .. } => {
                Failure::Usage(anyhow!(error))
            }
            FolderError::Io { .. } => Failure::Unfinished(anyhow!(error)),
        }
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Failure {
        match error {
            JournalError::Busy(_) | JournalError::Io { .. } => Failure::Unfinished(anyhow!(error)),
            JournalError::Damaged { .. }
            | JournalError::Unknown { .. }
            | JournalError::TooLong { .. }
            | JournalError::Foreign(_)
            | JournalError::NoFile(_)
            | JournalError::Newer { .. }
            | JournalError::Older { .. } => Failure::Usage(anyhow!(error)),
        }
    }
}
