//! The terminal: the board of a running game with the lines of its bots, the progress of a
//! tournament or match, what bots are waited for before it, and the screens of a logged game. And
//! the pictures that are not text.

mod block;
mod board;
mod choice;
mod gif;
mod graph;
mod grid;
mod live;
mod live_game;
mod look;
mod progress;
pub mod replay;
mod table;
mod terminal;
mod waiting;

pub use block::{Block, TerminalSize, terminal_size};
pub use board::{BoardView, Orientation};
pub use gif::{GIF_PLIES, write_gif};
pub use graph::Graph;
pub use grid::{Grid, Rect};
pub use live::{FRAME, Live};
pub use live_game::LiveGame;
pub use look::Role;
pub use progress::{PROGRESS_FRAME, Progress};
pub use table::{TableEffect, TableModel};
pub use terminal::{FullScreen, clipboard_sequence};
pub use waiting::Waiting;

/// Whether to use colour on the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colour {
    /// With escape sequences for colour.
    #[default]
    Yes,
    /// Without, as `NO_COLOR` asks.
    No,
}
