//! A tournament: its games are kept in the journal of a result folder, whose tables follow the
//! journal.

use super::content_watch::{ContentChange, ContentWatch};
use super::options::RunKind;
use super::ready_bot::ReadyBot;
use super::result_files::ResultFiles;
use crate::display::terminal_screen::TerminalScreen;
use crate::tables::recorded::Recorded;
use crate::tables::report::{run_bots, standings_report};
use anyhow::{Context, anyhow};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::standings::StandingsReport;
use arbiter_cup::tournament::{GameSummary, JournalEntry, RunEntry};
use arbiter_game::Sandbox;
use arbiter_ground::bot_log_writer::BotLogWriter;
use arbiter_ground::builds::Builds;
use arbiter_ground::failure::Failure;
use arbiter_ground::follow::RunEnd;
use arbiter_ground::limited_work::LimitedWork;
use arbiter_ground::recorder::{Interruption, RecordStore, Recorder, RunScreen};
use arbiter_ground::utc;
use arbiter_play::arena::{Finished, Run};
use arbiter_rules::text::{Message, printable};
use std::path::Path;

/// Where the games of a tournament are kept.
pub struct FolderStore<'a> {
    /// The folder with the programs of submissions. It is removed at the end, before the journal is
    /// unlocked: a run that locks it next prepares the folder for itself. Fields are dropped in
    /// this order.
    pub builds: Builds,
    pub recorded: Recorded,
    pub watch: ContentWatch,
    /// Whether bots may change their own files.
    pub bots_can_write: bool,
    pub kind: RunKind,
    pub files: ResultFiles<'a>,
    pub anonymizer: &'a Anonymizer,
    /// Updates of the tables.
    pub refresh: LimitedWork,
    /// Whether the user knows that an update has failed.
    pub refresh_failed: bool,
}

impl<'a> FolderStore<'a> {
    /// The store of a tournament with these bots in this sandbox. Its tables are brought up to date
    /// when `refresh` allows it.
    pub fn new(
        recorded: Recorded,
        builds: Builds,
        bots: &[ReadyBot],
        sandbox: Sandbox,
        files: ResultFiles<'a>,
        refresh: LimitedWork,
    ) -> FolderStore<'a> {
        let bots_can_write = sandbox < Sandbox::Strict;
        FolderStore {
            builds,
            watch: ContentWatch::new(bots, !bots_can_write),
            bots_can_write,
            kind: RunKind::Tournament,
            anonymizer: files.anonymizer,
            files,
            recorded,
            refresh,
            refresh_failed: false,
        }
    }

    /// Reports programs that changed during the run.
    ///
    /// # Errors
    /// A program changed that its bot cannot have changed itself, so it was exchanged between two
    /// games; in `try` any program that changed: its author goes on editing.
    fn report_changes(
        &self,
        changes: impl IntoIterator<Item = ContentChange>,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        for ContentChange { bot, files } in changes {
            let files = printable(files.join(", ").as_bytes(), 400);
            let shown = self.anonymizer.clean(&files);
            if !self.bots_can_write || self.kind == RunKind::Test {
                let not_itself = if self.bots_can_write {
                    String::new()
                } else {
                    let sandbox = Sandbox::Strict.word();
                    format!(", and under {sandbox} it cannot have done so itself")
                };
                return Err(Failure::Unfinished(anyhow!(
                    "{bot} changed during the run ({shown}){not_itself}; the games that ended are \
                     recorded, the last of them may have been played with either content. The \
                     same command continues with the new one"
                )));
            }
            let changed = format!("warning: {bot} changed during the run (");
            let changed = Message::from(changed).quoted(files);
            screen.note(&changed.own(
                "); its games may be of two programs. A file that it writes itself is better left \
                 out: see `digest` in arbiter tournament --print-default",
            ));
        }
        Ok(())
    }

    /// Writes the end of the run, or of a part of it, into the journal, with the number of its
    /// `games`, and returns the entry. Files that appeared in the folder of a `[[bot]]` are its own
    /// output if it may write there, and no change of its content from then on.
    pub fn enter_run(
        &mut self,
        bots: &[ReadyBot],
        games: u64,
        report: &StandingsReport,
        screen: &mut dyn RunScreen,
    ) -> anyhow::Result<RunEntry> {
        let head = &mut self.recorded.head;
        let mut made = false;
        for bot in bots {
            let program = &bot.program;
            if !self.bots_can_write || !program.owns_folder() || program.access.submission.is_some()
            {
                continue;
            }
            let mut roster = head.roster.iter_mut();
            let Some(entrant) = roster.find(|entrant| entrant.name == bot.entrant.name) else {
                continue;
            };
            let script = program.script_name();
            let extension = Path::new(&script).extension();
            for file in bot.appeared().unwrap_or_default() {
                // What looks like a part of its program counts as a change in any case.
                if extension.is_none() || Path::new(&file).extension() != extension {
                    let note = Message::from("note: ").quoted(printable(file.as_bytes(), 200));
                    screen.note(&note.own(format!(
                        " appeared in the folder of {} and is taken for its own output, not for a \
                         part of it",
                        entrant.name
                    )));
                    entrant.products.insert(file, None);
                    made = true;
                }
            }
        }
        if made {
            self.recorded.journal.append(&JournalEntry::Head(head.clone()))?;
        }
        let time = utc::now();
        let run = RunEntry { time, games, bots: run_bots(report, &self.recorded.head) };
        self.recorded.journal.append(&JournalEntry::Run(run.clone()))?;
        Ok(run)
    }

    /// Updates the tables from time to time, so that the folder shows the progress of the run. If
    /// that fails, the games go on: they need the journal alone, and the end of the run writes the
    /// tables again.
    fn refresh(&mut self, screen: &mut dyn RunScreen) {
        if !self.refresh.is_due() {
            return;
        }
        let FolderStore { recorded, files, anonymizer, refresh, .. } = self;
        let updated =
            refresh.run(|| files.refresh(recorded, &standings_report(recorded, anonymizer)?));
        if let Err(error) = updated
            && !self.refresh_failed
        {
            self.refresh_failed = true;
            let why = Message::from("warning: the tables cannot be brought up to date: ");
            screen.note(&why.quoted(format!("{error:#}")));
        }
    }
}

/// The folder from whose copies submissions play is not there any more.
pub fn renamed() -> Failure {
    Failure::Unfinished(anyhow!(
        "the result folder was renamed, and submissions play from copies in it; the games before \
         are recorded, and the same command with --out continues from there"
    ))
}

/// A finished game is on disk before it counts, and counts before it is shown.
impl RecordStore for FolderStore<'_> {
    fn look(&mut self, _: &Run, screen: &mut dyn RunScreen) -> Result<(), Failure> {
        self.report_changes(self.watch.changes(), screen)?;
        self.refresh(screen);
        Ok(())
    }

    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        // A bot that is not found there would lose by a fault that is not its own.
        if self.builds.are_moved() {
            return Err(renamed());
        }
        let record = &mut finished.record;
        record.digests = record.players.as_ref().map(|name| self.recorded.short_digest(name));
        // The folders are those of this run: a later one may not know them.
        if let Some(detail) = &record.detail {
            let public = self.anonymizer.detail(&record.players, record.outcome, detail);
            record.detail = Some(public);
        }
        let game = self.recorded.game(finished, self.anonymizer);
        let Recorded { journal, index, .. } = &mut self.recorded;
        let appended = journal.append(&JournalEntry::Game(game.clone())).with_context(|| {
            format!(
                "the game {} cannot be recorded; the {} games before it are recorded, and the same \
                 command continues from there",
                game.id,
                index.count()
            )
        });
        let place = appended.map_err(Failure::Unfinished)?;
        index.add(place, Ok(GameSummary::new(&game, &finished.record)));
        Ok(())
    }

    fn outlasts_output(&self) -> bool {
        true
    }

    fn interrupt(
        &mut self,
        interruption: Interruption,
        _: u64,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        interruption.announce("the games that had ended are recorded", screen)
    }
}

/// What the end of the run means.
///
/// # Errors
/// Not all games were played.
pub(crate) fn end_run(
    recorder: &mut Recorder<FolderStore<'_>, TerminalScreen>,
    end: RunEnd,
) -> Result<(), Failure> {
    if let Some(failed) = recorder.logs.as_ref().and_then(BotLogWriter::failed) {
        recorder.screen.note(&format!("warning: {failed}").into());
    }
    let changes = recorder.store.watch.finish();
    recorder.store.report_changes(changes, &mut recorder.screen)?;
    match end {
        RunEnd::Played | RunEnd::RulesFail | RunEnd::TimeUp => Ok(()),
        RunEnd::Broken(what) => {
            Err(Failure::Unfinished(anyhow!("{what}; the games that had ended are recorded")))
        }
        RunEnd::Interrupted => Err(Failure::Interrupted(anyhow!(
            "interrupted after {} games; the same command continues from here",
            recorder.store.recorded.index.count()
        ))),
    }
}
