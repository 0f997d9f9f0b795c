//! Clocks and limits of time and memory with real bots.

mod limits;
mod of_one_bot;
