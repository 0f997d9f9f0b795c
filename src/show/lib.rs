//! What is seen of games: boards and progress on a terminal, and pages in a browser.

#![forbid(unsafe_code)]

pub mod serve;
pub mod view;
