//! Replaces a file atomically: readers see the old file or the new one, never a part of either.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written beside the one that it replaces.
#[derive(Debug)]
pub struct Replacement {
    file: BufWriter<File>,
    /// In the same folder as the target, so that it can be renamed; a file that a crash leaves is overwritten
    /// next time.
    beside: PathBuf,
    target: PathBuf,
}

impl Replacement {
    /// Begins to write the replacement of this file.
    ///
    /// # Errors
    /// No file can be created in the folder.
    pub fn of(target: &Path) -> io::Result<Replacement> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let beside = target.with_file_name(format!(".{name}.new"));
        let file = BufWriter::new(File::create(&beside)?);
        Ok(Replacement { file, beside, target: target.to_owned() })
    }

    /// Syncs the file to disk and renames it to the target.
    ///
    /// # Errors
    /// It cannot be written or renamed; the old file then stays.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.beside, &self.target)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Replaces a file by this text.
///
/// # Errors
/// It cannot be written; the old file then stays.
pub fn replace(target: &Path, text: &str) -> io::Result<()> {
    let mut file = Replacement::of(target)?;
    file.write_all(text.as_bytes())?;
    file.commit()
}
