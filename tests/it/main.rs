//! The program as its users run it: real processes, with a module for each command or subject.
//!
//! What needs no process is tested in the crates of `src`. `ARBITER_ALL=1`, as in `.ci/slow`, plays long tables in
//! every combination; without it a part of them is played, which is the same every time.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod adapters;
mod broken_bots;
mod check;
mod clocks;
mod command_line;
mod console_programs;
mod custom_games;
mod documentation;
mod explanations;
mod fuzz_corpus;
mod grade;
mod hostile_bots;
mod hotseat;
mod late_answers;
#[cfg(target_os = "linux")]
mod left_processes;
mod new;
mod play;
mod replay;
mod report;
mod rerun;
#[cfg(target_os = "linux")]
mod sandbox;
mod season;
mod serve;
mod shards;
mod standings;
mod support;
mod survivors;
mod terminal;
mod tournament;
mod try_bot;
mod turning;
mod ugi;

#[path = "../../fuzz/checks.rs"]
mod checks;
#[path = "../../benches/compare/planned.rs"]
mod planned;
