//! Plays games: the loop of questions and answers, and the workers that run it.
//!
//! Knows the pure rooms of the game and `bot`; neither files nor screens. For each ply,
//! `game::play` gets the turn from the referee, asks the player, and gives the answer to the
//! referee.

mod conditions;
mod cores;
mod event_loop;
mod game;
mod machine;
mod person;
mod player;
mod prepare;
mod queue;
mod rerun;
mod seat;
mod signals;
mod workers;

pub use conditions::{Conditions, SentSource};
pub use cores::Cores;
pub use game::{Assignment, Finished};
pub use person::{Person, PersonReplies};
pub use player::PlayerSpec;
pub use prepare::{TrialDepth, build, try_start};
pub use queue::{GameQueue, GameRow, GameSource, NextGame, Players, RowGame, ScheduledGames};
pub use rerun::{Beyond, Rerun, RerunRole};
pub use signals::{EndSignals, fail_writes_beyond_limit};
pub use workers::{Match, Run, RunEvent, RunUpdate, Watchers, run, run_beside};
