//! The file that `--log` appends game logs to.

use crate::record::Record;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A file to which finished games are appended, each with one write, so that it holds only whole games if
/// arbiter is stopped.
#[derive(Debug)]
pub struct GameLog {
    file: File,
}

impl GameLog {
    /// Opens the file for appending, or creates it.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: &Path) -> io::Result<GameLog> {
        OpenOptions::new().append(true).create(true).open(path).map(|file| GameLog { file })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        self.file.write_all(record.to_string().as_bytes())
    }
}
