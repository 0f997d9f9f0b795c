//! The whole terminal as a screen, which is left as it was: at the end, after an error, and after a
//! panic.

use arbiter_rules::text::base64;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use std::io::{self, Stdout, Write, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the terminal has to be put back.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// The hook for panics is set only once.
static HOOK: Once = Once::new();

/// The terminal while a program fills it. There is one at most; when it is dropped, the terminal is
/// as before.
pub struct FullScreen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl FullScreen {
    /// Fills the terminal on standard output. From here on keys come one by one and are not shown,
    /// and Ctrl-C is a key.
    ///
    /// # Errors
    /// Standard output or standard input is no terminal that can do this.
    pub fn enter() -> io::Result<FullScreen> {
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
            .and_then(|()| execute!(stdout(), EnterAlternateScreen, EnableMouseCapture))
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        if entered.is_err() {
            leave();
        }
        Ok(FullScreen { terminal: entered? })
    }

    /// Columns and rows of the terminal.
    ///
    /// # Errors
    /// It does not say.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Draws; only what differs from the last drawing is written.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        self.terminal.draw(|frame| draw(frame.buffer_mut()))?;
        Ok(())
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
