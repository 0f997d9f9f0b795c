//! `arbiter tournament` as a user runs it, with real processes: continuing after any interruption,
//! equal results at any concurrency, errors before the first game, and verdicts.

mod alias_texts;
mod aliases;
mod builds;
mod config;
mod content;
mod disk;
mod folder;
mod init;
mod league;
mod links;
mod milestones;
mod order;
mod publish;
mod resume;
mod same;
mod seeds;
mod signals;
mod strangers;
mod submissions;
mod verdicts;
