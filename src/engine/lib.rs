//! What plays by the rules of any game, without a process or a clock of its own:
//!
//! - [`builtin`]: the bots that come along
//! - [`bot_check`]: the situations in which `arbiter check` puts a bot
//! - [`rules_check`]: random games in which it tries the rules of a custom game
//! - [`hotseat`]: the programs for two people at one terminal
//!
//! The four do not know each other.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types, reason = "it only computes")]

pub mod bot_check;
pub mod builtin;
pub mod hotseat;
pub mod rules_check;
