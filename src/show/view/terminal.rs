//! The whole terminal as a screen, which is left as it was: at the end, after an error, and after a
//! panic.

use super::Colour;
use super::block::terminal_size;
use super::grid::{Grid, Rect};
use arbiter_rules::text::base64;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use std::io::{self, Write, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the terminal has to be put back.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// The hook for panics is set only once.
static HOOK: Once = Once::new();

/// The terminal while a program fills it. There is one at most; when it is dropped, the terminal is
/// as before.
pub struct FullScreen {
    colour: Colour,
    /// The area and the rows that were last drawn.
    area: Rect,
    drawn: Vec<String>,
}

impl FullScreen {
    /// Fills the terminal on standard output. From here on keys come one by one and are not shown,
    /// and Ctrl-C is a key.
    ///
    /// # Errors
    /// Standard output or standard input is no terminal that can do this.
    pub fn enter(colour: Colour) -> io::Result<FullScreen> {
        // The report of a panic would vanish with the alternate screen, so that is left first.
        HOOK.call_once(|| {
            let report = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                leave();
                report(panic);
            }));
        });
        // Before the first change: if a later one fails, the earlier ones are undone.
        ENTERED.store(true, Ordering::SeqCst);
        let entered = enable_raw_mode()
            .and_then(|()| execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, Hide));
        if entered.is_err() {
            leave();
        }
        entered?;
        Ok(FullScreen { colour, area: Rect::default(), drawn: Vec::new() })
    }

    /// All columns and lines of the terminal.
    pub fn area(&self) -> Rect {
        Rect::of_size(terminal_size(stdout()))
    }

    /// Draws; only the rows that differ from the last drawing are written.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Grid)) -> io::Result<()> {
        let area = self.area();
        let mut grid = Grid::new(area);
        draw(&mut grid);
        let rows = grid.to_ansi(self.colour);
        let mut text = String::new();
        if area != self.area {
            // What a terminal of another size still shows is not known.
            text += "\x1b[2J";
            self.area = area;
            self.drawn.clear();
        }
        text += &changes(&self.drawn, &rows);
        self.drawn = rows;
        self.send(&text)
    }

    /// Writes a sequence that draws nothing, such as [`clipboard_sequence`].
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn send(&mut self, sequence: &str) -> io::Result<()> {
        let mut out = stdout().lock();
        out.write_all(sequence.as_bytes())?;
        out.flush()
    }
}

/// The output that turns these rows of a terminal into others.
fn changes(drawn: &[String], rows: &[String]) -> String {
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        if drawn.get(index) == Some(row) {
            continue;
        }
        let shown = row.trim_end_matches(' ');
        text += &format!("\x1b[{};1H{shown}", index + 1);
        // After a full row this would erase its last character.
        if shown.len() < row.len() {
            text += "\x1b[K";
        }
    }
    text
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        leave();
    }
}

/// Puts the terminal back, once. Errors are ignored: there is nothing to be done about them.
fn leave() {
    if ENTERED.swap(false, Ordering::SeqCst) {
        let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// The sequence (OSC 52) by which a terminal copies a text to the clipboard, also through SSH.
/// Terminals that do not know it ignore it.
///
/// ```
/// use arbiter_show::view::clipboard_sequence;
/// assert_eq!(clipboard_sequence("a2c4"), "\x1b]52;c;YTJjNA==\x07");
/// ```
pub fn clipboard_sequence(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", base64(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn only_rows_that_differ_are_written() {
        let rows = |rows: [&str; 2]| rows.map(str::to_owned);
        let (drawn, next) = (rows(["ab ", "cd "]), rows(["ab ", "xyz"]));
        assert_eq!(changes(&drawn, &next), "\x1b[2;1Hxyz");
        assert_eq!(changes(&[], &drawn), "\x1b[1;1Hab\x1b[K\x1b[2;1Hcd\x1b[K");
    }
}
