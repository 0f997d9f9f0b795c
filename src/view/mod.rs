//! The terminal: the board of a running game with the lines of its bots, the progress of a tournament, and the
//! screens of a logged game. And the pictures that are not text.

mod board;
mod gif;
mod graph;
mod live;
mod look;
mod progress;
pub mod replay;
mod terminal;

pub use board::{BoardView, Orientation};
pub use gif::write_gif;
pub use graph::Graph;
pub use live::{FRAME, Live};
pub use look::Role;
pub use progress::{Progress, ProgressBlock, terminal_size};
pub use terminal::{FullScreen, clipboard_sequence};

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
