//! Console programs, which are no bots, behind their tables.

mod games;
mod tables;
