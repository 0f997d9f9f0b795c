//! The progress of a tournament: the next game, the games that count, the roster, and the entries of its
//! journal.
//!
//! Owns [`TournamentProgress`], the entries of a journal and the decision whether a journal may be continued.
//! Knows neither bots nor files: the room `store` reads and writes journals.

mod contents;
mod entries;
mod games;
mod progress;
pub mod roster;

pub use contents::JournalContents;
pub use entries::{
    Absentee, Entrant, JOURNAL_VERSION, JournalEntry, JournalHead, RecordedGame, RunBot, RunEntry,
};
pub use games::{CountingGames, GameIndex, PlayedGames, RecordedGameError, progress, total_games};
pub use progress::{AttemptResult, CountedGame, NextAttempt, TournamentProgress, TournamentRules};

/// The most attempts at a game that keeps being aborted (tournaments.md, What counts).
pub const TRIES: u32 = 3;
