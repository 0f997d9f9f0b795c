//! Schedules, tables and ratings: against published figures and second implementations, and laws of
//! random tournaments.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod league;
mod matching;
mod ratings;
mod schedule;
mod sequential_tests;
mod standings;

use proptest::prelude::ProptestConfig;

/// Whether tests run in full (`ARBITER_ALL`) rather than on a sample.
fn plays_all() -> bool {
    std::env::var_os("ARBITER_ALL").is_some()
}

/// This many cases in `.ci/slow`; otherwise an eighth of them, but at least 32.
fn cases(all: u32) -> ProptestConfig {
    let cases = if plays_all() { all } else { (all / 8).max(32) };
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}
