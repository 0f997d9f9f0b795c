//! The file of `--transcript`: every line to and from the bots, with times; a fold over events.

use crate::game::Event;
use crate::text::printable;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

/// A transcript, with lines of the form `SECONDS NAME MARK LINE`, with the mark of the line's channel.
#[derive(Debug)]
pub struct Transcript {
    file: BufWriter<File>,
}

impl Transcript {
    /// Creates the file, or empties it.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(path: &Path) -> io::Result<Transcript> {
        Ok(Transcript { file: BufWriter::new(File::create(path)?) })
    }

    /// Writes an event if it is a line, with this time since the match began. Errors are ignored, because
    /// they must not end a game.
    pub fn write(&mut self, at: Duration, event: &Event) {
        let Event::Line { player: name, channel, line, .. } = event else { return };
        let mark = channel.mark();
        let text = printable(line.trim_ascii_end(), usize::MAX);
        let _ = writeln!(self.file, "{:.6} {name} {mark} {text}", at.as_secs_f64());
    }

    /// Notes that lines are missing here because too many came at once.
    pub fn missed(&mut self, lines: u64) {
        let _ = writeln!(self.file, "({lines} lines are left out here)");
    }

    /// Writes all lines so far to the file.
    pub fn flush(&mut self) {
        let _ = self.file.flush();
    }
}
