//! What plays by the rules of any game: the bots that come along, what custom rules and bots are
//! tried by, and the programs for two persons at one keyboard.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types, reason = "it only computes")]

pub mod bot_check;
pub mod builtin;
pub mod hotseat;
pub mod rules_check;
