//! A tournament as its journal records it: the configuration, the roster, and the games by their positions in
//! the journal.

use crate::arena::Finished;
use crate::config::Config;
use crate::content::short_digest;
use crate::game_id::names_in;
use crate::record::Record;
use crate::report::anonymizer::Anonymizer;
use crate::store::journal::{Journal, JournalError};
use crate::text::printable;
use crate::tournament::{
    CountedGame, GameIndex, JournalContents, JournalHead, RecordedGame, RunEntry, TournamentProgress,
};
use anyhow::anyhow;
use std::path::Path;

/// Bytes of the loser's standard error that are kept in the journal.
const STDERR_KEPT: usize = 2_000;
/// Lines of the loser's standard error that are kept in the journal.
const STDERR_LINES: usize = 20;

/// A tournament, as far as its journal records it.
#[derive(Debug)]
pub(super) struct Recorded {
    pub config: Config,
    pub head: JournalHead,
    pub journal: Journal,
    pub index: GameIndex,
    /// The runs, the oldest first.
    pub runs: Vec<RunEntry>,
}

impl Recorded {
    /// Reads a journal without continuing it.
    ///
    /// # Errors
    /// The file cannot be read, or is not a journal.
    pub fn read(path: &Path) -> anyhow::Result<Recorded> {
        let mut contents = JournalContents::default();
        let opened = Journal::read_only(path, |place, entry| contents.add(place, entry))?;
        let JournalContents { head, games: mut index, runs, .. } = contents;
        let head = head.ok_or_else(|| JournalError::Foreign(path.to_owned()))?;
        index.select(index.counting_for(&head.roster, head.keep_changed));
        let config = Config::parse(&head.config).map_err(|errors| {
            anyhow!("{}: its configuration cannot be read: {}", path.display(), errors.display("cup.toml"))
        })?;
        Ok(Recorded { config, head, journal: opened.journal, index, runs })
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

    /// What a table has to say of games that count though they were played with another content.
    pub fn note_of_kept_games(&self) -> Option<String> {
        let kept = self.index.counting().kept;
        (kept > 0).then(|| {
            format!("games that were played with an earlier content of a bot (--keep-changed): {kept}")
        })
    }

    /// The digest of a bot's content.
    fn digest(&self, name: &str) -> Option<&String> {
        self.head.roster.iter().find(|bot| bot.name == name)?.digest.as_ref()
    }

    /// The digest of a bot's content as logs have it.
    pub fn short_digest(&self, name: &str) -> Option<String> {
        self.digest(name).map(|digest| short_digest(digest))
    }

    /// A finished game as the journal keeps it: without the organiser's folders in what its loser wrote.
    pub fn game(&self, finished: &Finished, mask: &Anonymizer) -> RecordedGame {
        let stderr = finished.record.outcome.loser().map(|loser| {
            let lines = finished.notes[loser].stderr.last_lines(STDERR_LINES);
            let lines = lines.iter().map(|line| printable(line, STDERR_KEPT / STDERR_LINES));
            lines.collect::<Vec<_>>().join("\n")
        });
        let id = &finished.pairing.id;
        let digests = names_in(id)
            .and_then(|(one, other)| Some([self.digest(one)?.clone(), self.digest(other)?.clone()]));
        RecordedGame {
            id: id.clone(),
            attempt: finished.attempt,
            round: finished.pairing.round,
            pair: finished.pairing.pair,
            digests,
            log: finished.record.to_string(),
            stderr: mask.text(&stderr.unwrap_or_default()),
        }
    }
}
