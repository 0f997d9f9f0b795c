//! What is shown of games while they are played: on the terminal, and on a page.

pub mod audience;
mod keys;
pub mod league_file;
pub mod live;
pub mod person_screen;
pub mod run_display;
pub mod terminal_screen;
pub mod watched_games;
