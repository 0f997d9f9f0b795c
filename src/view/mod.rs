//! The terminal: the board of a running game with the lines of its bots, the progress of a tournament or match,
//! and what bots are waited for before it.

mod block;
mod live;
mod progress;
mod waiting;
mod wrap;

pub use block::{Block, TerminalSize, terminal_size};
pub use live::{FRAME, Live};
pub use progress::{PROGRESS_FRAME, Progress};
pub use waiting::Waiting;
pub use wrap::wrap;

/// Whether to use colour on the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// With escape sequences for colour.
    Yes,
    /// Without, as `NO_COLOR` asks.
    No,
}
