//! `arbiter grade`: a class of submissions, and how the tests of functions and of whole programs
//! judge wrong ones.

mod command;
mod compiling;
mod faults;
mod functions;
mod lineup;
mod programs;
