//! `arbiter league`: a tournament without an end, which takes submissions while it is played.

#![forbid(unsafe_code)]

pub mod uploads;
