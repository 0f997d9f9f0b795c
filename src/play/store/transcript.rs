//! The file of `--transcript`: every line to and from the bots, with times; a fold over events.

use arbiter_game::Event;
use arbiter_rules::text::printable;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

/// A transcript, with lines of the form `SECONDS NAME MARK LINE`, with the mark of the line's
/// channel.
///
/// A write that fails must not end a game, so the first error is kept until
/// [`finish`](Self::finish), and nothing more is written: a file with a gap in it would lead
/// astray.
#[derive(Debug)]
pub struct Transcript {
    file: BufWriter<File>,
    error: Option<io::Error>,
}

impl Transcript {
    /// Creates the file, or empties it.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(path: &Path) -> io::Result<Transcript> {
        Ok(Transcript { file: BufWriter::new(File::create(path)?), error: None })
    }

    /// Writes an event if it is a line, with this time since the match began.
    pub fn write(&mut self, at: Duration, event: &Event) {
        let Event::Line { player: name, channel, line, .. } = event else { return };
        let mark = channel.mark();
        let text = printable(line.trim_ascii_end(), usize::MAX);
        self.write_line(format_args!("{:.6} {name} {mark} {text}", at.as_secs_f64()));
    }

    /// Notes that lines are missing here because too many came at once.
    pub fn missed(&mut self, lines: u64) {
        self.write_line(format_args!("({lines} lines are left out here)"));
    }

    /// Writes all lines so far to the file.
    pub fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.file.flush().err();
        }
    }

    /// Writes all lines to the file.
    ///
    /// # Errors
    /// The file does not have all of them.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.error.map_or(Ok(()), Err)
    }

    fn write_line(&mut self, line: fmt::Arguments<'_>) {
        if self.error.is_none() {
            self.error = writeln!(self.file, "{line}").err();
        }
    }
}
