//! Reads the log of a game in a journal, for what a tournament has to know of it.

use super::entries::RecordedGame;
use arbiter_game::Outcome;
use arbiter_game::game_id::{names_in, parts_of};
use arbiter_game::record::{PliesKey, Record, SideTimes, read_raw};
use arbiter_rank::schedule::is_bot_name;
use arbiter_rules::own::Rules;
use arbiter_rules::text::shortened;
use arbiter_rules::{BySide, Margin};

/// Why the log of a game in a journal cannot be read: another program has changed it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the journal's game {id}: {why}")]
pub struct RecordedGameError {
    id: String,
    why: String,
    /// Its position in the journal, if the schedule contradicts it.
    pub place: Option<u64>,
}

impl RecordedGameError {
    /// The error of a game that other bots played than its id and the schedule say.
    pub(super) fn other_bots(id: &str, place: Option<u64>) -> RecordedGameError {
        let why = "its log is one of other bots, or of other sides, than the schedule says. \
                   Under names = \"alias\" earlier versions of arbiter mixed up submissions, so \
                   the results in this folder cannot be used: the tournament's command with \
                   --restart begins anew, and keeps the journal as journal.1.jsonl";
        RecordedGameError { id: id.to_owned(), why: why.to_owned(), place }
    }
}

/// Whether a text has the form of a game's id: it becomes the name of files, and the names in it
/// those of folders.
fn is_id(id: &str) -> bool {
    let Some((one, other)) = names_in(id) else { return false };
    parts_of(id).is_some() && is_bot_name(one) && is_bot_name(other)
}

/// Whether the players of a record are the two bots of a game's id.
fn is_of(id: &str, record: &Record) -> bool {
    let first = &*record.players.first;
    let second = &*record.players.second;
    names_in(id) == Some((first.min(second), first.max(second)))
}

impl RecordedGame {
    /// Parses the game's log.
    ///
    /// # Errors
    /// It cannot be read, or is that of other bots, or the id is not one.
    pub fn record(&self) -> Result<Record, RecordedGameError> {
        self.record_by(None)
    }

    /// Parses the log, which may be that of a custom game with these rules.
    ///
    /// # Errors
    /// As for [`record`](RecordedGame::record).
    pub fn record_by(&self, rules: Option<&Rules>) -> Result<Record, RecordedGameError> {
        if !is_id(&self.id) {
            return Err(
                self.error("this is no id of a game; one is A~B.N, with the names of two bots")
            );
        }
        if self.attempt == 0 {
            return Err(self.error("its attempt is 0, and the first is 1"));
        }
        let Some(game) = read_raw(self.log.as_bytes()).next() else {
            return Err(self.error("it has no log"));
        };
        let record = game
            .and_then(|game| Record::from_raw(&game, rules))
            .map_err(|why| self.error(&why.to_string()))?;
        if !is_of(&self.id, &record) {
            return Err(RecordedGameError::other_bots(&self.id, None));
        }
        if let Some(other) = &record.id
            && *other != self.id
        {
            return Err(self.error(&shortened(&format!("its log has the GameId {other:?}"))));
        }
        Ok(record)
    }

    fn error(&self, why: &str) -> RecordedGameError {
        RecordedGameError { id: shortened(&self.id), why: why.to_owned(), place: None }
    }

    /// What a tournament has to know of the game.
    ///
    /// # Errors
    /// As for [`record`](RecordedGame::record).
    pub fn summary(&self) -> Result<GameSummary, RecordedGameError> {
        Ok(GameSummary::new(self, &self.record()?))
    }
}

/// What a tournament has to know of a recorded game whose log has been read: it is read once.
#[derive(Debug, Clone)]
pub struct GameSummary {
    pub(super) id: String,
    pub(super) digests: [String; 2],
    pub(super) facts: GameFacts,
    pub(super) times: Option<BySide<SideTimes>>,
}

/// The result of one attempt at a game. Kept small, because there may be millions of them.
#[derive(Debug, Clone, Copy)]
pub struct GameFacts {
    /// Which attempt it is, from 1.
    pub attempt: u32,
    pub outcome: Outcome,
    /// By how much it was won, if the rules say so.
    pub margin: Option<Margin>,
    pub plies: PliesKey,
    pub(super) first: FirstName,
}

impl GameSummary {
    /// That of a game with this record.
    pub fn new(game: &RecordedGame, record: &Record) -> GameSummary {
        GameSummary {
            id: game.id.clone(),
            digests: game.digests.clone(),
            facts: GameFacts {
                attempt: game.attempt,
                outcome: record.outcome,
                margin: record.margin,
                plies: record.plies_key(),
                first: FirstName::new(&record.players.first, &record.players.second),
            },
            times: record.times(),
        }
    }
}

/// Which bot of a game had the first side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstName {
    /// That whose name comes first in the id.
    Lesser,
    Greater,
}

impl FirstName {
    /// That of a game between a bot of this name and another one.
    pub fn new(first: &str, second: &str) -> FirstName {
        if first < second { FirstName::Lesser } else { FirstName::Greater }
    }
}
