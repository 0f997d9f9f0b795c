//! Logs, their replay and openings: with all shared vectors, and against second implementations.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../../rules/tests/rules/games/mod.rs"]
mod games;
mod log;
mod openings;
mod vectors;

/// Whether all is tried, as `.ci/slow` asks by `ARBITER_ALL`; otherwise it is a part.
fn plays_all() -> bool {
    std::env::var_os("ARBITER_ALL").is_some()
}
