//! Schedules, tables and ratings: against published figures and second implementations, and laws of
//! random tournaments.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod league;
mod matching;
mod ratings;
mod schedule;
mod sequential_tests;
mod standings;
