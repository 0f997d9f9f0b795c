//! What every command that runs programs needs before it begins: its flags and the files that it
//! names, isolation and what is agreed with the machine, the bots and their builds, output and
//! failures, and the loop that follows a run.
//!
//! Knows no command line, but for [`flags`] and [`trust`]: flags are also the language of the
//! `Settings` tag of a log. Each way to play goes through [`Preparation`](preparation::Preparation)
//! and [`follow()`](follow::follow).

#![forbid(unsafe_code)]

pub mod bot_log_writer;
pub mod bot_names;
pub mod builds;
pub mod candidate;
pub mod failure;
pub mod finder;
pub mod flags;
pub mod follow;
pub mod input_file;
pub mod isolation;
pub mod limited_work;
pub mod output;
pub mod own_rules;
pub mod parallel;
pub mod preparation;
pub mod public_names;
pub mod recorded_bots;
pub mod recorder;
pub mod repeated;
pub mod request;
pub mod rules_faults;
pub mod submissions;
pub mod trial_progress;
pub mod trust;
pub mod utc;
pub mod verdict;
