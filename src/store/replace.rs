//! Replacing a file as a whole: whoever looks at it sees the old one or the new one, never half of either.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is being written beside the one it will replace.
#[derive(Debug)]
pub struct Replacement {
    file: BufWriter<File>,
    /// Beside the target, so that it can take its place; what a crash leaves of it the next one overwrites.
    beside: PathBuf,
    target: PathBuf,
}

impl Replacement {
    /// Begins to write what will be the file of that name.
    ///
    /// # Errors
    /// Nothing can be written there.
    pub fn of(target: &Path) -> io::Result<Replacement> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let beside = target.with_file_name(format!(".{name}.new"));
        let file = BufWriter::new(File::create(&beside)?);
        Ok(Replacement { file, beside, target: target.to_owned() })
    }

    /// All is written: takes the place of the file.
    ///
    /// # Errors
    /// It could not be written to the end, or not be put in place; the old file is still there then.
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

/// Writes a whole file, in place of the old one.
///
/// # Errors
/// It cannot be written; the old file is still there then.
pub fn replace(target: &Path, text: &str) -> io::Result<()> {
    let mut file = Replacement::of(target)?;
    file.write_all(text.as_bytes())?;
    file.commit()
}
