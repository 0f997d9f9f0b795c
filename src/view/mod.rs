//! The terminal: the board as a game goes and what the bots say beside it, or how a tournament goes.

mod live;
mod progress;

pub use live::{FRAME, Live};
pub use progress::{Progress, ProgressBlock, terminal_size};

/// Whether the terminal is to be coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// It is.
    Yes,
    /// It is not (`NO_COLOR`).
    No,
}

/// Takes the cursor to the first of the last `lines` lines and clears from there.
fn clear(lines: usize) -> String {
    if lines == 0 { String::new() } else { format!("\x1b[{lines}A\x1b[J") }
}
