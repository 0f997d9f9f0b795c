//! `arbiter check`: which situations find which fault, its flags and files, and every broken bot of
//! the other tests.

mod broken_bots;
mod by_hand;
mod command;
mod situations;
