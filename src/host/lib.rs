//! The machine that bots run on: files and folders, what finds a bot's program, what isolates it,
//! the processes of bots and of custom rules.

#![forbid(unsafe_code)]

pub mod bot;
pub mod files;
pub mod locate;
pub mod rules_process;
pub mod sandbox;
