//! A block of lines at the bottom of a terminal, which is redrawn in place; lines that stay scroll
//! above it.

use super::Colour;
use super::grid::{Grid, Rect};
use super::look::Role;
use arbiter_rules::text::wrap;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// Columns and lines of a terminal.
pub type TerminalSize = (usize, usize);

/// The size of this terminal; 80 columns and 24 lines if it is none.
pub fn terminal_size(of: impl AsFd) -> TerminalSize {
    match rustix::termios::tcgetwinsize(of) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col.into(), size.ws_row.into()),
        _ => (80, 24),
    }
}

/// The block on a terminal. Errors of the terminal are ignored, because they must not end a game.
pub struct Block<W> {
    out: W,
    colour: Colour,
    size: fn() -> TerminalSize,
    /// The rows that were last drawn.
    drawn: Vec<String>,
    last: Option<Instant>,
}

impl<W: Write> Block<W> {
    /// A block on the terminal `out` of this size.
    pub fn new(out: W, colour: Colour, size: fn() -> TerminalSize) -> Block<W> {
        Block { out, colour, size, drawn: Vec::new(), last: None }
    }

    /// Whether this much time has passed since the last drawing.
    pub fn is_due(&self, frame: Duration) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= frame)
    }

    /// The columns and lines that a block may use: one less than the terminal has, but no fewer
    /// than 20 and 3.
    pub fn room(&self) -> TerminalSize {
        let (columns, lines) = (self.size)();
        (columns.max(21) - 1, lines.max(4) - 1)
    }

    /// Draws these lines in the place of the last ones, the first one as a title. What does not fit
    /// into the terminal is cut off.
    pub fn draw_lines(&mut self, lines: &[String]) {
        let (columns, most) = self.room();
        let mut drawing = Grid::new(Rect::of_size((columns, lines.len().min(most))));
        for (line, row) in lines.iter().zip(drawing.area().rows()) {
            let role = if row.y == 0 { Role::Title } else { Role::Text };
            drawing.text(role, row, line);
        }
        self.draw(&drawing);
    }

    /// Draws this in the place of the last drawing, if it differs. It has to fit into
    /// [`room`](Block::room).
    pub fn draw(&mut self, drawing: &Grid) {
        self.last = Some(Instant::now());
        let rows = drawing.to_ansi(self.colour);
        if rows == self.drawn {
            return;
        }
        // Lines are overwritten, not cleared first, so that nothing flickers.
        let mut text = self.up();
        let is_redrawn = !text.is_empty();
        for row in &rows {
            text += row.trim_end_matches(' ');
            text += "\x1b[K\n";
        }
        if is_redrawn {
            text += "\x1b[J"; // the drawing before may have had more lines
        }
        self.write(&text);
        self.drawn = rows;
    }

    /// Writes lines that stay, broken between words; the next drawing puts the block below them.
    pub fn write_above(&mut self, lines: &str) {
        let text = format!("{}{}\n", self.clear(), wrap(lines, (self.size)().0));
        self.write(&text);
        self.last = None;
    }

    /// Leaves the block as it is, without what was typed behind it; the next drawing begins another
    /// one below it.
    pub fn leave(&mut self) {
        if !std::mem::take(&mut self.drawn).is_empty() {
            self.write("\r\x1b[J");
        }
    }

    /// Removes the block.
    pub fn end(&mut self) {
        let text = self.clear();
        self.write(&text);
    }

    /// What removes the block: the cursor goes up to its first line, and all from there on is
    /// cleared.
    fn clear(&mut self) -> String {
        let mut text = self.up();
        if !text.is_empty() {
            text += "\x1b[J";
        }
        self.drawn.clear();
        text
    }

    /// What leads up to the first line of the block, from behind what was typed after it, which the
    /// terminal shows there; nothing if there is no block.
    fn up(&self) -> String {
        match self.drawn.len() {
            0 => String::new(),
            lines => format!("\r\x1b[{lines}A"),
        }
    }

    fn write(&mut self, text: &str) {
        let _: io::Result<()> = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }

    /// What it is written to.
    #[cfg(test)]
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// A duration, shown as minutes and seconds, and hours if there are any.
pub struct ClockTime(pub Duration);

impl std::fmt::Display for ClockTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.0.as_secs();
        let hours = seconds / 3600;
        let minutes = seconds / 60 % 60;
        let seconds = seconds % 60;
        match hours {
            0 => write!(f, "{minutes}:{seconds:02}"),
            _ => write!(f, "{hours}:{minutes:02}:{seconds:02}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_to_the_terminal_and_is_drawn_in_its_place() {
        let mut block = Block::new(Vec::new(), Colour::No, || (24, 4));
        let lines = |word: &str| {
            [word, "a line that is longer than the terminal", "c", "d"].map(str::to_owned)
        };
        block.draw_lines(&lines("one"));
        block.draw_lines(&lines("one"));
        block.draw_lines(&lines("two"));
        block.write_above("a~b.4 is over, and more is said of it");
        block.draw_lines(&lines("two"));
        block.end();
        let text = String::from_utf8(block.into_inner()).unwrap();
        let drawn = |word: &str| {
            format!("\x1b[1m{word}\x1b[0m\x1b[K\na line that is longer t\x1b[K\nc\x1b[K\n")
        };
        let expected = [
            &*drawn("one"),
            "\r\x1b[3A",
            &drawn("two"),
            "\x1b[J\r\x1b[3A\x1b[Ja~b.4 is over, and more\nis said of it\n",
            &drawn("two"),
            "\r\x1b[3A\x1b[J",
        ];
        assert_eq!(text, expected.concat());
    }

    #[test]
    fn times_are_shown_as_on_a_clock() {
        let shown =
            [0, 61, 3723].map(|seconds| ClockTime(Duration::from_secs(seconds)).to_string());
        assert_eq!(shown, ["0:00", "1:01", "1:02:03"]);
    }
}
