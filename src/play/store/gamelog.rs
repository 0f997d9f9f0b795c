//! The file that `--log` appends game logs to.

use arbiter_game::record::Record;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Seek, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// What ends a game in a log: an empty line. A reader finds the game behind one even where the game
/// before it was cut off (docs/reference/gamelog.md, Reading).
const END: &[u8; 2] = b"\n\n";

/// A file to which finished games are appended, each whole or not at all.
#[derive(Debug)]
pub struct GameLog {
    file: File,
    /// The same file, to look at its end; `None` if it is no regular file, or may only be written.
    reader: Option<File>,
    path: PathBuf,
}

impl GameLog {
    /// Opens the file for appending, or creates it.
    ///
    /// # Errors
    /// It cannot be opened, or begins as a file of JSON does, such as a journal.
    pub fn open(path: &Path) -> io::Result<GameLog> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        // A pipe that is opened for reading too would never have a last reader that leaves.
        let reader = if file.metadata()?.is_file() { File::open(path).ok() } else { None };
        let mut first = [0; 2];
        if let Some(reader) = &reader
            && reader.read_at(&mut first, 0)? > 0
            && first == *b"{\""
        {
            let why = "this is a file of JSON and no game log; name another file";
            return Err(io::Error::new(ErrorKind::InvalidInput, why));
        }
        Ok(GameLog { file, reader, path: path.to_owned() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a game with one write, behind an empty line.
    ///
    /// # Errors
    /// It cannot be written; what was written of it is removed.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        let mut text = self.missing_end()?.to_owned();
        text.extend_from_slice(record.to_string().as_bytes());
        let mut written = 0;
        while written < text.len() {
            match self.file.write(&text[written..]) {
                Ok(count) if count > 0 => written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                failed => {
                    self.cut_back(written as u64);
                    return Err(failed.err().unwrap_or_else(|| ErrorKind::WriteZero.into()));
                }
            }
        }
        Ok(())
    }

    /// What the last game lacks at its end: it was cut off if a disk was full or the machine
    /// stopped, by this process or by another one that appends to the same file.
    fn missing_end(&self) -> io::Result<&'static [u8]> {
        let Some(reader) = &self.reader else { return Ok(b"") };
        let length = reader.metadata()?.len();
        // Of a file of one byte the byte before counts as a line end.
        let mut last = *END;
        let looked_at = length.min(END.len() as u64);
        let last_bytes = &mut last[END.len() - looked_at as usize..];
        reader.read_exact_at(last_bytes, length - looked_at)?;
        Ok(match &last {
            END => b"",
            [_, b'\n'] => b"\n",
            _ => END,
        })
    }

    /// Removes what was written of a game that could not be written whole. Errors are ignored: the
    /// next game is separated from it in any case.
    fn cut_back(&mut self, written: u64) {
        // After an appending write the position is its end. If the file does not end there, another
        // process has appended since, and its game must stay.
        if let (Ok(end), Ok(file)) = (self.file.stream_position(), self.file.metadata())
            && file.is_file()
            && file.len() == end
        {
            let _ = self.file.set_len(end.saturating_sub(written));
        }
    }
}
