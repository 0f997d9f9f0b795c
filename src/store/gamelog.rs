//! The file that `--log` appends game logs to.

use crate::record::Record;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file to which finished games are appended, each with one write, so that it holds only whole games if
/// arbiter is stopped.
#[derive(Debug)]
pub struct GameLog {
    file: File,
    path: PathBuf,
}

impl GameLog {
    /// Opens the file for appending, or creates it.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: &Path) -> io::Result<GameLog> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(GameLog { file, path: path.to_owned() })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        self.file.write_all(record.to_string().as_bytes())
    }
}
