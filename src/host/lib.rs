//! The machine that bots run on: files and folders, what finds a bot's program, what isolates it,
//! the processes of bots and of custom rules.
//!
//! ```text
//! locate          a BOT -> Program: its command, folder, and what it may reach
//! bot             Program -> a running bot, below its warden; a build or homework, to its end
//!   sandbox       what the processes apply to themselves before they become the bot
//! rules_process   the rules of a custom game, asked as a bot is
//! files           opening what may be anything
//! ```
//!
//! Each of the rooms `bot`, `locate` and `sandbox` has one place that chooses by system: Linux, or
//! what every Unix has.

#![forbid(unsafe_code)]

pub mod bot;
pub mod files;
pub mod locate;
pub mod rules_process;
pub mod sandbox;
