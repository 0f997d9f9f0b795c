//! The built-in bots: what they find, what they answer, and that their levels stay as they are. And
//! what needs bots or a trial, though it is of other crates: custom rules that are no process, and
//! what is said of lost games.
//!
//! `ARBITER_ALL=1`, as in `.ci/slow`, plays all of the games.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod conversation;
mod custom_rules;
mod forced_wins;
mod levels;
mod solved_boards;
mod turning;

/// Whether all games are played, as `.ci/slow` asks by `ARBITER_ALL`; otherwise it is a part of
/// them.
fn plays_all() -> bool {
    std::env::var_os("ARBITER_ALL").is_some()
}
