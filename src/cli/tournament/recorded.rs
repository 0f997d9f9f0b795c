//! A tournament as its journal records it: the configuration, the roster, and the games by their positions in
//! the journal.

use crate::config::Config;
use crate::record::Record;
use crate::store::journal::{Journal, JournalError};
use crate::tournament::{CountedGame, GameIndex, JournalHead, RecordedGame, TournamentProgress};
use anyhow::anyhow;
use std::path::Path;

/// A tournament, as far as its journal records it.
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
    /// The file cannot be read, or is not a journal.
    pub fn read(path: &Path) -> anyhow::Result<Recorded> {
        let mut index = GameIndex::default();
        let opened = Journal::read_only(path, |place, game| index.add(place, game))?;
        let head = opened.head.ok_or_else(|| JournalError::Foreign(path.to_owned()))?;
        let config = Config::parse(&head.config).map_err(|errors| {
            anyhow!("{}: its configuration cannot be read: {}", path.display(), errors.display("cup.toml"))
        })?;
        Ok(Recorded { config, head, journal: opened.journal, index })
    }

    /// Calls `each` with every game that counts, in schedule order, and returns the progress of the tournament.
    ///
    /// # Errors
    /// A game cannot be read, or `each` fails.
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
