//! The entries of a journal, without their form in a file.

use serde::{Deserialize, Serialize};

/// The version that this program writes, and the newest that it reads.
pub const JOURNAL_VERSION: u32 = 1;

/// The head of a journal: the tournament and its bots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHead {
    /// [`JOURNAL_VERSION`].
    pub v: u32,
    /// The tournament's name.
    pub name: String,
    /// The hash of everything that decides games.
    pub fingerprint: String,
    /// The text of the configuration.
    pub config: String,
    /// The keys that decide games and their values, so that a message can name a difference.
    pub deciding: Vec<(String, String)>,
    /// The bots that are scheduled, in the order of the configuration.
    pub roster: Vec<Entrant>,
    /// The bots that are not scheduled, with the reasons.
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
    /// The part of its configuration that decides how it plays.
    pub program: String,
}

/// A bot that cannot be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Absentee {
    /// Its name.
    pub name: String,
    /// The reason.
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
    /// The end of the loser's standard error, made printable; it is for the bot's author alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum JournalEntry {
    /// The first line, and a further line when the roster has changed; it is valid from there on.
    Head(JournalHead),
    /// A finished game.
    Game(RecordedGame),
}
