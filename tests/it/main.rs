//! The program as its users run it: real processes, with a module for each command or subject.
//!
//! What needs no process is tested in the crates of `src`, and what needs the machine to itself in
//! `tests/alone`. `ARBITER_ALL=1`, as in `.ci/slow`, plays long tables in every combination;
//! without it a part of them is played, which is the same every time.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(
    clippy::shadow_unrelated,
    clippy::too_many_lines,
    reason = "a test runs the program again and again, and one story is told in one function"
)]

mod adapters;
mod broken_bots;
mod check;
mod clock_of_one_bot;
mod command_line;
mod console_programs;
mod custom_games;
mod documentation;
mod explanations;
mod fuzz_corpus;
mod grade;
mod hotseat;
mod late_answers;
mod league;
mod new;
mod play;
mod replay;
mod report;
mod rerun;
mod season;
mod serve;
mod shards;
mod standings;
mod support;
mod system_files;
mod terminal;
mod tournament;
mod try_bot;
mod turning;
mod ugi;

#[path = "../../fuzz/checks.rs"]
mod checks;
#[path = "../../benches/compare/planned.rs"]
mod planned;
