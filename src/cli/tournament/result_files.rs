//! The files of a result folder that are computed from the journal.

use super::recorded::Recorded;
use super::report::{PAGE_GAMES, TournamentReport, games_for_page};
use crate::config::Junit;
use crate::game::StderrAccess;
use crate::record::Record;
use crate::report::anonymizer::Anonymizer;
use crate::report::feedback::{Feedback, LOSSES, Loss, feedback, kind};
use crate::report::junit::{Cases, JUnit, JUnitGame};
use crate::report::page::page;
use crate::report::standings;
use crate::rules::{BySide, Side};
use crate::standings::Row;
use crate::store::ResultFolder;
use crate::tournament::Entrant;
use anyhow::Context;
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// Writes these files.
pub(in crate::cli) struct ResultFiles<'a> {
    folder: &'a ResultFolder,
    mask: &'a Anonymizer,
}

/// A lost game, for the feedback to its loser: with the real names, and without the organiser's folders.
struct Lost {
    record: Record,
    side: Side,
    stderr: String,
    /// The file of its log, as seen from the feedback page.
    file: String,
}

impl Lost {
    fn new(record: &Record, side: Side, stderr: &str, mask: &Anonymizer) -> Lost {
        let name = &record.players[side];
        let folder = ResultFolder::feedback_games(name);
        let file = format!("{folder}/{}.pgn", record.id.as_deref().unwrap_or_default());
        let detail = record.detail.as_ref().map(|detail| mask.text(detail));
        Lost { record: Record { detail, ..record.clone() }, side, stderr: mask.text(stderr), file }
    }
}

impl<'a> ResultFiles<'a> {
    pub fn new(folder: &'a ResultFolder, mask: &'a Anonymizer) -> ResultFiles<'a> {
        ResultFiles { folder, mask }
    }

    /// Replaces all files.
    ///
    /// # Errors
    /// The journal cannot be read, or a file cannot be written; that file then keeps its old content.
    pub fn write(&self, recorded: &Recorded) -> anyhow::Result<TournamentReport> {
        let publish = &recorded.config.publish;
        let cases = match publish.junit {
            Junit::Bots => Cases::Bots,
            Junit::Games => Cases::Games,
        };
        let names = recorded.head.roster.iter().map(|bot| self.mask.name(&bot.name));
        let mut junit = JUnit::new(&recorded.head.name, cases, names);
        let mut games = self.folder.new_games().with_context(|| self.context("games.pgn"))?;
        let mut lost: HashMap<String, Vec<Lost>> = HashMap::new();
        let table = TournamentReport::of(recorded, self.mask, |game, record, public| {
            write!(games, "{public}").with_context(|| self.context("games.pgn"))?;
            let loser = record.outcome.loser();
            let public_stderr = self.mask.text_of_all(&game.stderr);
            let stderr = (publish.stderr == StderrAccess::Public).then(|| {
                let of = |side| if loser == Some(side) { public_stderr.as_bytes() } else { b"" };
                BySide { first: of(Side::First), second: of(Side::Second) }
            });
            junit.game(&JUnitGame { record: public, stderr, time: None });
            if let Some(side) = loser {
                let losses = lost.entry(record.players[side].clone()).or_default();
                if losses.len() < LOSSES || losses.iter().all(|lost| kind(&lost.record) != kind(record)) {
                    losses.push(Lost::new(record, side, &game.stderr, self.mask));
                }
            }
            Ok(())
        })?;
        games.commit().with_context(|| self.context("games.pgn"))?;
        for absent in &table.absent {
            junit.absent(&absent.name, &absent.reason);
        }
        self.replace("junit.xml", &junit.finish())?;
        self.write_json(&table)?;
        self.replace("standings.md", &standings::markdown(&table.standings_report()))?;
        self.write_feedback(recorded, &table, &lost)?;
        Ok(table)
    }

    /// Replaces the file that shows the runs.
    ///
    /// # Errors
    /// It cannot be written; it then keeps its old content.
    pub fn write_json(&self, table: &TournamentReport) -> anyhow::Result<()> {
        self.replace("standings.json", &standings::json(&table.standings_report()))
    }

    /// Replaces the page with the table and the games.
    ///
    /// # Errors
    /// The journal cannot be read, or the file cannot be written; it then keeps its old content.
    pub fn write_page(&self, recorded: &Recorded, table: &TournamentReport) -> anyhow::Result<()> {
        let games = games_for_page(recorded, self.mask, Some(PAGE_GAMES))?;
        let json = standings::json(&table.standings_report());
        self.replace("report.html", &page(&table.name, &json, games))
    }

    fn write_feedback(
        &self,
        recorded: &Recorded,
        table: &TournamentReport,
        lost: &HashMap<String, Vec<Lost>>,
    ) -> anyhow::Result<()> {
        for placed in table.standings.table() {
            let Entrant { name, content, .. } = &recorded.head.roster[placed.bot];
            let lost = lost.get(name).map_or(&[][..], Vec::as_slice);
            let logs: Vec<(&str, String)> = lost
                .iter()
                .filter_map(|lost| Some((lost.record.id.as_deref()?, lost.record.to_string())))
                .collect();
            let written = self.folder.replace_feedback_games(name, &logs);
            written.with_context(|| self.context(&format!("feedback/{name}")))?;
            let losses: Vec<Loss<'_>> = lost
                .iter()
                .map(|Lost { record, side, stderr, file }| Loss {
                    record,
                    side: *side,
                    stderr: stderr.as_bytes(),
                    file,
                })
                .collect();
            let row = Row { name: name.clone(), ..placed.row.clone() };
            let page = feedback(&Feedback {
                tournament: &table.name,
                rank: placed.rank,
                bots: recorded.head.roster.len(),
                row: &row,
                content: content.as_ref(),
                losses: &losses,
            });
            let written = self.folder.replace_feedback(name, &page);
            written.with_context(|| self.context(&format!("feedback/{name}.md")))?;
        }
        Ok(())
    }

    fn replace(&self, file: &str, text: &str) -> anyhow::Result<()> {
        self.folder.replace(file, text).with_context(|| self.context(file))
    }

    fn context(&self, file: &str) -> String {
        format!("{}: the games are safe in the journal", self.folder.dir().join(file).display())
    }
}

/// Appends the table to the summary page of a GitHub workflow, if the program runs in one.
pub(in crate::cli) fn summarise(table: &TournamentReport) -> anyhow::Result<()> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let page = standings::markdown(&table.standings_report());
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(page.as_bytes()));
    written.with_context(|| format!("GITHUB_STEP_SUMMARY: {}", Path::new(&path).display()))
}
