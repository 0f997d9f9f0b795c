//! The file of `--transcript`: every line both ways, with times.

use crate::text::printable;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

/// Which way a line went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the bot: `>`.
    ToBot,
    /// From the bot: `<`.
    FromBot,
    /// From the bot, but no line of the protocol: `?`.
    Astray,
    /// From the bot's standard error: `!`.
    Stderr,
}

/// A transcript that is being written, a line at a time: `SECONDS NAME WAY LINE`.
#[derive(Debug)]
pub struct Transcript {
    file: BufWriter<File>,
}

impl Transcript {
    /// Makes the file, or empties it.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn create(path: &Path) -> io::Result<Transcript> {
        Ok(Transcript { file: BufWriter::new(File::create(path)?) })
    }

    /// Writes a line that passed at this time; one that cannot be written is lost, for the game goes on.
    pub fn write(&mut self, at: Duration, name: &str, way: Way, line: &[u8]) {
        let mark = match way {
            Way::ToBot => '>',
            Way::FromBot => '<',
            Way::Astray => '?',
            Way::Stderr => '!',
        };
        let text = printable(line.trim_ascii_end(), usize::MAX);
        let _ = writeln!(self.file, "{:.6} {name} {mark} {text}", at.as_secs_f64());
    }

    /// Says that lines are missing here, because there were too many at once.
    pub fn missed(&mut self, lines: u64) {
        let _ = writeln!(self.file, "({lines} lines are left out here)");
    }

    /// Sees to it that all lines so far are in the file.
    pub fn flush(&mut self) {
        let _ = self.file.flush();
    }
}
