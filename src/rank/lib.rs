//! Who plays whom, and what the results say: schedules, pairings of a league, crosstables and
//! ratings.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types, reason = "it only computes")]

pub mod league;
pub mod rating;
pub mod schedule;
pub mod standings;
