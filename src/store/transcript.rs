//! The file of `--transcript`: every line both ways, with times; a fold over events.

use crate::game::{Channel, Event};
use crate::text::printable;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

/// A transcript that is being written, a line at a time: `SECONDS NAME MARK LINE`. The mark is `>` to the bot, `<` from it, `?` from it and
/// unrecognised, `!` on its standard error.
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

    /// Takes an event that happened at this time; lines are written, other events are not. A line that cannot be written is
    /// lost, for the game goes on.
    pub fn write(&mut self, at: Duration, event: &Event) {
        let Event::Line { player: name, channel, line, .. } = event else { return };
        let mark = match channel {
            Channel::Request => '>',
            Channel::Reply => '<',
            Channel::Unrecognised => '?',
            Channel::Stderr => '!',
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
