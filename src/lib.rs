//! **arbiter**: a referee and arena for bot programs over standard input and output.
//!
//! The program `arbiter` stands on this library. Its pure rooms read no file, no clock and no pipe, and can be used by
//! others: a bot in Rust searches with [`rules`], a course's own tools read logs with [`record`].
#![forbid(unsafe_code)]

pub mod builtin;
pub mod clock;
pub mod explain;
pub mod protocol;
pub mod record;
pub mod referee;
pub mod replay;
pub mod rules;
pub mod seed;
