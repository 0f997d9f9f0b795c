//! The terminal: the board as a game goes, and what the bots say beside it.

mod live;

pub use live::{Astray, Colour, FRAME, Live};
