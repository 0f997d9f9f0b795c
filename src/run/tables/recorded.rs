//! A tournament as its journal records it: the configuration, the roster, and the games by their
//! positions in the journal.

use anyhow::{Context, bail};
use arbiter_config::Config;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::{
    AttemptResult, CountedGame, GameIndex, IndexedGame, JournalContents, JournalEntry, JournalHead,
    PlayedGames, PublicNames, RecordedGame, RunEntry, TournamentProgress,
};
use arbiter_game::content::short_digest;
use arbiter_game::game_id::names_in;
use arbiter_game::record::Record;
use arbiter_game::{Outcome, StderrAccess};
use arbiter_ground::recorded_bots::recorded_config;
use arbiter_play::arena::Finished;
use arbiter_play::store::journal::{Journal, JournalError};
use arbiter_rules::RulesFault;
use arbiter_rules::text::printable;
use std::collections::BTreeSet;
use std::path::Path;

/// Bytes of the loser's standard error that are kept in the journal.
const STDERR_KEPT: usize = 2_000;
/// Lines of the loser's standard error that are kept in the journal.
const STDERR_LINES: usize = 20;

/// A tournament, as far as its journal records it.
#[derive(Debug)]
pub struct Recorded {
    /// With the public names of bots.
    pub config: Config,
    pub head: JournalHead,
    pub journal: Journal,
    pub index: GameIndex,
    /// The runs, the oldest first.
    pub runs: Vec<RunEntry>,
    /// Results of other runs, which choose games of this one.
    pub elsewhere: PlayedGames,
    /// The own names of all bots that the journal ever named.
    pub private_names: BTreeSet<String>,
}

/// What came into a journal.
#[derive(Debug, Default)]
pub struct RecordedNews {
    pub games: Vec<RecordedGame>,
    /// The number of runs that ended.
    pub runs: usize,
}

/// Whether the same games count under these heads and tables show the same of the bots. The files
/// that bots make are not part of it.
fn count_alike(one: &JournalHead, other: &JournalHead) -> bool {
    let bots = one.roster.iter().map(|bot| (&bot.name, &bot.digest));
    bots.eq(other.roster.iter().map(|bot| (&bot.name, &bot.digest)))
        && one.absent == other.absent
        && one.config == other.config
        && one.keep_changed == other.keep_changed
}

/// Whether a game has a result that does not count, because the other game of its pair has none.
pub fn is_void(ended: AttemptResult, outcome: Outcome) -> bool {
    ended == AttemptResult::Aborted && !matches!(outcome, Outcome::Aborted(_))
}

impl Recorded {
    /// Reads a journal without continuing it.
    ///
    /// # Errors
    /// The file cannot be read, or is not a journal.
    pub fn read(path: &Path) -> anyhow::Result<Recorded> {
        let mut contents = JournalContents::default();
        let journal = Journal::read_only(path, |place, entry| contents.add(place, entry))?;
        let JournalContents { head, games: mut index, runs, private_names, .. } = contents;
        let Some(head) = head else { bail!(JournalError::Foreign(path.to_owned())) };
        index.follow_roster(&head);
        let config = recorded_config(&head).with_context(|| path.display().to_string())?;
        let config = PublicNames::of(config.publish.names, head.key.clone()).config(&config);
        let elsewhere = PlayedGames::new();
        Ok(Recorded { config, head, journal, index, runs, elsewhere, private_names })
    }

    /// Reads the games that have been recorded since; `None` if the tournament was begun anew or
    /// its bots have changed, so that all of it has to be read again.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn read_on(&mut self) -> anyhow::Result<Option<RecordedNews>> {
        let Recorded { head, journal, index, runs, private_names, .. } = self;
        let mut news = RecordedNews::default();
        let mut is_same = !journal.is_replaced();
        // Kept aside, because `journal` is borrowed; those before a failure are read again by the
        // next call.
        let mut entries = Vec::new();
        journal.read_on(|place, entry| entries.push((place, entry)))?;
        for (place, entry) in entries {
            match entry {
                JournalEntry::Game(game) => {
                    index.add(place, game.summary());
                    // In a league a game may end after a bot of it was replaced.
                    if index.counts_for(head, &game) {
                        news.games.push(game);
                    }
                }
                JournalEntry::Run(run) => {
                    runs.push(run);
                    news.runs += 1;
                }
                JournalEntry::Head(newer) => {
                    is_same &= count_alike(head, &newer);
                    private_names.extend(newer.private_names());
                    *head = newer;
                }
            }
        }
        Ok(is_same.then_some(news))
    }

    /// Goes on with this head: other bots, or other versions of them.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn change_head(&mut self, head: JournalHead) -> Result<(), JournalError> {
        if head == self.head {
            return Ok(());
        }
        self.journal.append(&JournalEntry::Head(head.clone()))?;
        self.private_names.extend(head.private_names());
        self.index.follow_roster(&head);
        self.head = head;
        Ok(())
    }

    /// The same tournament for a reader that follows its journal, which is not read again for it.
    /// Results of other runs are left out.
    ///
    /// # Errors
    /// The system has no file descriptor left.
    pub fn follower(&self) -> anyhow::Result<Recorded> {
        Ok(Recorded {
            config: self.config.clone(),
            head: self.head.clone(),
            journal: self.journal.reader()?,
            index: self.index.clone(),
            runs: self.runs.clone(),
            elsewhere: PlayedGames::new(),
            private_names: self.private_names.clone(),
        })
    }

    /// Calls `each` with every game that counts, in schedule order, without reading its log, and
    /// returns the progress of the tournament.
    ///
    /// # Errors
    /// The journal does not fit the schedule, or `each` fails.
    pub fn counted(
        &self,
        each: impl FnMut(&CountedGame, &IndexedGame) -> anyhow::Result<()>,
    ) -> anyhow::Result<TournamentProgress> {
        self.index.walk(&self.config, &self.head.bots(), &self.elsewhere, each)
    }

    /// Reads the log of every game that counts, in schedule order. This walk is the only one over
    /// the logs: it serves all files and pages that show games.
    ///
    /// # Errors
    /// A game cannot be read, or `each` fails.
    pub fn walk(
        &self,
        mut each: impl FnMut(&RecordedGame, Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let read = self.counted(|counted, indexed| {
            if is_void(counted.ended, indexed.facts.outcome) {
                return Ok(());
            }
            let game = self.journal.game(indexed.place)?;
            each(&game, game.record()?)
        });
        read.map(drop)
    }

    /// What the loser of a game wrote to standard error, if that is published.
    pub(crate) fn public_stderr(
        &self,
        game: &RecordedGame,
        anonymizer: &Anonymizer,
    ) -> Option<String> {
        match self.config.publish.stderr {
            StderrAccess::Public => Some(anonymizer.clean(&game.stderr)),
            _ => None,
        }
    }

    /// What a table has to say of games that count though they were played with another content.
    pub(crate) fn note_of_kept_games(&self) -> Option<String> {
        let kept = self.index.counting().kept;
        if kept == 0 {
            return None;
        }
        Some(format!(
            "games that were played with an earlier content of a bot (--keep-changed): {kept}"
        ))
    }

    /// Whether it is a whole tournament, not a part whose other games are elsewhere.
    pub fn is_whole(&self) -> bool {
        self.head.shard.is_none() && self.elsewhere.is_empty()
    }

    /// What a table has to say of a part of a tournament.
    pub(crate) fn note_of_part(&self) -> Option<String> {
        if self.is_whole() {
            return None;
        }
        let what = match self.head.shard {
            Some(shard) => format!("shard {shard}"),
            None => "this folder".to_owned(),
        };
        Some(format!(
            "these are the games of {what} alone; `arbiter merge` joins them with the others"
        ))
    }

    /// The digest of a bot's content.
    fn digest(&self, name: &str) -> Option<&String> {
        self.head.roster.iter().find(|bot| bot.name == name)?.digest.as_ref()
    }

    /// The digest of a bot's content as logs have it.
    pub fn short_digest(&self, name: &str) -> Option<String> {
        self.digest(name).map(|digest| short_digest(digest))
    }

    /// A finished game as the journal keeps it: without the organiser's folders and the own names
    /// of bots in what its loser and the rules wrote.
    pub fn game(&self, finished: &Finished, anonymizer: &Anonymizer) -> RecordedGame {
        let mut stderr = Vec::new();
        let mut stderr_last = None;
        if let Some(loser) = finished.record.outcome.loser() {
            let (lines, last) = finished.notes[loser].stderr.last_lines_counted(STDERR_LINES);
            stderr_last = last.filter(|_| !lines.is_empty());
            for line in lines {
                stderr.push(printable(&line, STDERR_KEPT / STDERR_LINES));
            }
        }
        let id = &finished.pairing.id;
        let (one, other) = names_in(id).unwrap_or_default();
        let digests = [one, other].map(|bot| self.digest(bot).cloned().unwrap_or_default());
        let fault = finished.fault.clone().map(|fault| RulesFault {
            what: anonymizer.clean(&fault.what),
            stderr: anonymizer.clean(&fault.stderr).into(),
            ..fault
        });
        RecordedGame {
            id: id.clone(),
            attempt: finished.attempt,
            round: finished.pairing.round,
            pair: finished.pairing.pair,
            digests,
            log: finished.record.to_string(),
            stderr: anonymizer.clean(&stderr.join("\n")),
            stderr_last,
            fault,
        }
    }
}
