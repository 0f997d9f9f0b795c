//! The files of a result folder that are computed from the journal.

use super::output::complain;
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
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

/// With so many games the feedback and the page take seconds.
const MANY_GAMES: usize = 5_000;

/// Writes these files.
pub struct ResultFiles<'a> {
    folder: &'a ResultFolder,
    mask: &'a Anonymizer,
}

/// Where the journal has a lost game, and its kind. The game itself is read again for the page of its loser,
/// because those of all bots together are too large for the memory.
struct LostGame {
    place: u64,
    kind: String,
}

/// What the tables say, and the lost games of each bot that its author gets.
pub struct WrittenTables {
    pub report: TournamentReport,
    lost: HashMap<String, Vec<LostGame>>,
}

/// A lost game, for the feedback to its loser: with its name alone, and without the organiser's folders.
struct Lost {
    record: Record,
    side: Side,
    stderr: String,
    /// The file of its log, as seen from the feedback page.
    file: String,
}

impl Lost {
    /// Reads a lost game, as the loser's author may see it; none if it was not lost.
    fn read(recorded: &Recorded, place: u64, mask: &Anonymizer) -> anyhow::Result<Option<Lost>> {
        let game = recorded.journal.game(place)?;
        let record = game.record()?;
        let Some(side) = record.outcome.loser() else { return Ok(None) };
        let record = mask.record(&record);
        let folder = ResultFolder::feedback_games(&record.players[side]);
        let file = format!("{folder}/{}.pgn", record.id.as_deref().unwrap_or_default());
        Ok(Some(Lost { record, side, stderr: mask.text_by_bot(&game.stderr), file }))
    }
}

impl<'a> ResultFiles<'a> {
    pub fn new(folder: &'a ResultFolder, mask: &'a Anonymizer) -> ResultFiles<'a> {
        ResultFiles { folder, mask }
    }

    /// Replaces the tables and the games: all files but the feedback and the page.
    ///
    /// # Errors
    /// The journal cannot be read, or a file cannot be written; that file then keeps its old content.
    pub fn write_tables(&self, recorded: &Recorded) -> anyhow::Result<WrittenTables> {
        let publish = &recorded.config.publish;
        let cases = match publish.junit {
            Junit::Bots => Cases::Bots,
            Junit::Games => Cases::Games,
        };
        let names = recorded.head.roster.iter().map(|bot| self.mask.name(&bot.name));
        let mut junit = JUnit::new(&recorded.head.name, cases, names);
        let mut games = self.folder.new_games().with_context(|| self.context("games.pgn"))?;
        let mut lost: HashMap<String, Vec<LostGame>> = HashMap::new();
        let table = TournamentReport::of(recorded, self.mask, |game, record, public| {
            write!(games, "{public}").with_context(|| self.context("games.pgn"))?;
            let loser = record.outcome.loser();
            let public_stderr = self.mask.text_by_bot(&game.stderr);
            let stderr = (publish.stderr == StderrAccess::Public).then(|| {
                let of = |side| if loser == Some(side) { public_stderr.as_bytes() } else { b"" };
                BySide { first: of(Side::First), second: of(Side::Second) }
            });
            junit.game(&JUnitGame { record: public, stderr, time: None });
            if let Some((side, place)) = loser.zip(recorded.index.counting().place(&game.id, game.attempt)) {
                let losses = lost.entry(record.players[side].clone()).or_default();
                let kind = kind(record);
                if losses.len() < LOSSES || losses.iter().all(|lost| lost.kind != kind) {
                    losses.push(LostGame { place, kind });
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
        Ok(WrittenTables { report: table, lost })
    }

    /// Replaces the feedback and the page, at the same time, and says so before if that takes long.
    ///
    /// # Errors
    /// The journal cannot be read, or a file cannot be written; that file then keeps its old content.
    pub fn write_pages(&self, recorded: &Recorded, tables: &WrittenTables) -> anyhow::Result<()> {
        let games = recorded.index.count();
        if games >= MANY_GAMES {
            complain(format_args!(
                "writing feedback and report.html of {games} games; the tables are written"
            ));
        }
        thread::scope(|scope| {
            let page = scope.spawn(|| self.write_page(recorded, &tables.report));
            let feedback = self.write_feedback(recorded, tables);
            page.join().unwrap_or_else(|panic| resume_unwind(panic)).and(feedback)
        })
    }

    /// Replaces the file that shows the runs.
    ///
    /// # Errors
    /// It cannot be written; it then keeps its old content.
    pub fn write_json(&self, table: &TournamentReport) -> anyhow::Result<()> {
        self.replace("standings.json", &standings::json(&table.standings_report()))
    }

    /// Replaces the page with the table and the games.
    fn write_page(&self, recorded: &Recorded, table: &TournamentReport) -> anyhow::Result<()> {
        let games = games_for_page(recorded, self.mask, Some(PAGE_GAMES))?;
        let json = standings::json(&table.standings_report());
        self.replace("report.html", &page(&table.name, &json, games))
    }

    /// Replaces the pages and logs for the authors of bots.
    ///
    /// # Errors
    /// The journal cannot be read, or a file cannot be written; that file then keeps its old content.
    pub fn write_feedback(&self, recorded: &Recorded, tables: &WrittenTables) -> anyhow::Result<()> {
        let WrittenTables { report: table, lost } = tables;
        for placed in table.standings.table() {
            let Entrant { name, content, .. } = &recorded.head.roster[placed.bot];
            let lost = lost.get(name).into_iter().flatten();
            let mask = self.mask.for_author(name);
            let lost = lost.map(|lost| Lost::read(recorded, lost.place, &mask)).filter_map(Result::transpose);
            let lost = lost.collect::<anyhow::Result<Vec<Lost>>>()?;
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
pub fn summarise(table: &TournamentReport) -> anyhow::Result<()> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let page = standings::markdown(&table.standings_report());
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(page.as_bytes()));
    written.with_context(|| format!("GITHUB_STEP_SUMMARY: {}", Path::new(&path).display()))
}
