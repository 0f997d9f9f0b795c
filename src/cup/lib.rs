//! Tournaments and what is reported of them: which game is next, what a journal means, tables,
//! pages.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types, reason = "it only computes")]

pub mod report;
pub mod tournament;
