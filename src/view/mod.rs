//! The terminal: the board of a running game with the lines of its bots, or the progress of a tournament.

mod live;
mod progress;

pub use live::{FRAME, Live};
pub use progress::{Progress, ProgressBlock, terminal_size};

/// Whether to use colour on the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// With escape sequences for colour.
    Yes,
    /// Without, as `NO_COLOR` asks.
    No,
}

/// The escape sequence that moves the cursor up `lines` lines and clears from there.
fn clear(lines: usize) -> String {
    if lines == 0 { String::new() } else { format!("\x1b[{lines}A\x1b[J") }
}
