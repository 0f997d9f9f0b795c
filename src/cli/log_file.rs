//! The logs that a command line names: files, folders, standard input.

use anyhow::Context;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// An open log.
pub(super) struct LogFile {
    /// What messages call it; `-` is standard input.
    pub(super) name: String,
    /// Its bytes.
    pub(super) source: Box<dyn Read>,
}

impl LogFile {
    /// Opens a log, the `games.pgn` of a folder, or standard input if the path is `-`.
    ///
    /// # Errors
    /// The file cannot be opened; the error names it.
    pub(super) fn open(path: &Path) -> anyhow::Result<LogFile> {
        if path.as_os_str() == "-" {
            return Ok(LogFile { name: "-".to_owned(), source: Box::new(io::stdin().lock()) });
        }
        let path = if path.is_dir() { path.join("games.pgn") } else { path.to_owned() };
        let name = path.display().to_string();
        let file = File::open(&path).with_context(|| name.clone())?;
        Ok(LogFile { name, source: Box::new(file) })
    }
}
