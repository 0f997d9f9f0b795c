//! A tournament as its journal has it: the configuration, the roster, and the games by their places in the journal.

use crate::config::Config;
use crate::record::Record;
use crate::store::journal::{Journal, JournalError};
use crate::tournament::{CountedGame, GameIndex, JournalHead, RecordedGame, TournamentProgress};
use anyhow::anyhow;
use std::path::Path;

/// A tournament, as far as it is recorded.
#[derive(Debug)]
pub(super) struct Recorded {
    pub config: Config,
    pub head: JournalHead,
    pub journal: Journal,
    pub index: GameIndex,
}

impl Recorded {
    /// Reads a journal without continuing it.
    ///
    /// # Errors
    /// It cannot be read, or is not one.
    pub fn look(path: &Path) -> anyhow::Result<Recorded> {
        let mut index = GameIndex::default();
        let opened = Journal::look(path, |place, game| index.add(place, game))?;
        let head = opened.head.ok_or_else(|| JournalError::Foreign(path.to_owned()))?;
        let config = Config::parse(&head.config).map_err(|errors| {
            anyhow!("{}: its configuration cannot be read: {}", path.display(), errors.display("cup.toml"))
        })?;
        Ok(Recorded { config, head, journal: opened.journal, index })
    }

    /// Walks through the games that count, in schedule order, and returns how far the tournament has come.
    ///
    /// # Errors
    /// A game cannot be read any more, or `each` fails.
    pub fn walk(
        &self,
        mut each: impl FnMut(&CountedGame, &RecordedGame, Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<TournamentProgress> {
        self.index.walk(&self.config, &self.head.names(), |counted, place| {
            let game = self.journal.game(place)?;
            let record = game.record()?;
            each(counted, &game, record)
        })
    }
}
