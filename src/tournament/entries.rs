//! What a journal says: the lines of it, apart from how they are kept in a file.

use serde::{Deserialize, Serialize};

/// The version that this program writes, and the newest that it reads.
pub const JOURNAL_VERSION: u32 = 1;

/// What a journal begins with: what is being played, by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHead {
    /// [`JOURNAL_VERSION`].
    pub v: u32,
    /// The tournament's name.
    pub name: String,
    /// The hash of what decides games.
    pub fingerprint: String,
    /// The text of the configuration.
    pub config: String,
    /// What decides games, key by key, so that a difference can be named.
    pub deciding: Vec<(String, String)>,
    /// The bots that are scheduled, in the order of the configuration.
    pub roster: Vec<Entrant>,
    /// Bots that are not, and why.
    pub absent: Vec<Absentee>,
}

impl JournalHead {
    /// The names of the bots that are scheduled.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.roster.iter().map(|bot| bot.name.clone()).collect()
    }
}

/// A bot that is scheduled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name.
    pub name: String,
    /// What of its configuration decides how it plays.
    pub program: String,
}

/// A bot that cannot be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Absentee {
    /// Its name.
    pub name: String,
    /// Why it cannot.
    pub reason: String,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedGame {
    /// The game's id.
    pub id: String,
    /// Which attempt at it this was, from 1.
    pub attempt: u32,
    /// Its round, from 1.
    pub round: u32,
    /// The number of its pair; none for a single game.
    pub pair: Option<u64>,
    /// Its log.
    pub log: String,
    /// The end of what the loser wrote to standard error, made printable; it is for its author alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum JournalEntry {
    /// The first line, and again whenever the roster has changed: what it says holds from there on.
    Head(JournalHead),
    /// A finished game.
    Game(RecordedGame),
}
