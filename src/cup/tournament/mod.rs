//! The progress of a tournament: the next game, the games that count, the roster, and the entries
//! of its journal, the shares of several runs in its games, and how their journals are merged.
//!
//! Owns [`TournamentProgress`], the entries of a journal and the decision whether a journal may be
//! continued. Knows neither bots nor files: the room `store` reads and writes journals.

mod alias_words;
mod attempt_result;
mod contents;
mod entries;
mod estimate;
mod games;
mod identity;
mod merge;
mod milestones;
mod progress;
mod public_names;
mod recorded_game;
pub mod roster;
mod shard;
mod share;
mod stages;

pub use attempt_result::AttemptResult;
pub use contents::{JournalContents, Seniority};
pub use entries::{
    Absentee, Entrant, JOURNAL_VERSION, JournalEntry, JournalHead, PreviousResults, RecordedGame,
    RecordedRules, RunBot, RunEntry,
};
pub use estimate::{Effort, Estimate, pairs_at_once};
pub use games::{CountingGames, GameIndex, IndexedGame, PlayedGames, progress};
pub use merge::{
    DifferingGame, JournalPlace, MergedGames, MergedRecords, RecordCopy, check_configurations,
    merged_head,
};
pub use milestones::{Milestones, StepStatus};
pub use progress::{CountedGame, NextAttempt, PairTests, TournamentProgress, TournamentRules};
pub use public_names::PublicNames;
pub use recorded_game::{GameFacts, GameSummary, RecordedGameError};
pub use shard::{Shard, ShardError};
pub use share::Share;
pub use stages::{OpenStage, open_stage, results_after};

/// Maximum number of attempts at a game that keeps being aborted (docs/reference/tournaments.md,
/// What counts).
pub const TRIES: u32 = 3;
