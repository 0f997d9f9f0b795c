//! README and the pages of `docs/` against the program.

mod pages;
mod protocol;
mod recipes;
