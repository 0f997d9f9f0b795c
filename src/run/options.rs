//! What a run of a tournament is asked for, beside the configuration.

use super::sharing::Sharing;
use arbiter_cup::report::standings::Explanation;
use arbiter_ground::verdict::Strict;
use arbiter_show::serve::ServerAddress;
use std::time::{Duration, Instant};

/// What games are played for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// A tournament: a block shows it, and its table is printed at the end.
    Tournament,
    /// A test of one bot, whose author goes on editing, so that a changed bot stops it: a line
    /// shows it, and who asked for it prints the result.
    Test,
}

/// How a run plays its part of a tournament, and what it shows of it.
pub struct RunOptions {
    /// The number of games at a time.
    pub concurrency: u16,
    /// How long to wait between two plies.
    pub pause: Duration,
    /// When no further game begins.
    pub stop_at: Option<Instant>,
    /// Where to serve the page.
    pub address: Option<ServerAddress>,
    /// Whether games and tables are printed as JSON.
    pub json: bool,
    pub kind: RunKind,
    /// How much the tables explain.
    pub explanation: Explanation,
    pub strict: Strict,
    /// Whether games with an earlier content of a bot count.
    pub keep_changed: bool,
    /// Whether the games of earlier runs are put away.
    pub restart: bool,
    pub sharing: Sharing,
}
