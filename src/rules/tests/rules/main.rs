//! The rules against a slow second implementation, against cases by hand, and against laws that
//! hold in every position.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod cases;
mod games;
mod laws;
mod options;
mod reading;
mod second_implementation;

/// Whether everything is tried, as `.ci/slow` asks by `ARBITER_ALL`; otherwise only a sample is.
fn plays_all() -> bool {
    std::env::var_os("ARBITER_ALL").is_some()
}
