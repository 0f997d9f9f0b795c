//! Games that are played for a result: a tournament, a test of a bot, a match, games against
//! persons.
//!
//! ```text
//! play_tournament(request, options)        tournament
//!   Preparation::new, isolate              ground
//!   begin: journal, entrants, roster       begin, entrants, sharing
//!   follow(run, recorder)                  ground
//!   tables and pages from the journal      tables, result_files
//! ```

#![forbid(unsafe_code)]

pub mod absence_pages;
pub mod begin;
pub mod compared;
mod content_watch;
pub mod display;
pub mod entrants;
pub mod estimate;
pub mod feedback_links;
pub mod folder_store;
mod key;
pub mod match_store;
pub mod merge;
pub mod options;
pub mod persons;
pub mod ready_bot;
pub mod rerun;
pub mod result_files;
mod seeds;
pub mod sharing;
mod sources;
pub mod successive_runs;
pub mod tables;
pub mod tournament;
pub mod trial;
