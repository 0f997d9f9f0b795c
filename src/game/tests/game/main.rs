//! Logs, their replay and openings: with all shared vectors, and against second implementations.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../../rules/tests/rules/games/mod.rs"]
mod games;
mod log;
mod openings;
mod vectors;

/// Whether tests run in full (`ARBITER_ALL`) rather than on a sample.
fn plays_all() -> bool {
    std::env::var_os("ARBITER_ALL").is_some()
}
