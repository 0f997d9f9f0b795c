//! Plays games and keeps what happened: the loop of questions and answers, its workers, and the
//! files of a match or a tournament.

#![forbid(unsafe_code)]

pub mod arena;
pub mod store;
