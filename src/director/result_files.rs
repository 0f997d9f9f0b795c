//! The files of a result folder that are computed from the journal.

use super::output::complain;
use super::recorded::{Recorded, is_void};
use super::report::{PAGE_GAMES, add_to_page};
use crate::config::Junit;
use crate::record::Record;
use crate::report::anonymizer::{Anonymizer, AuthorAnonymizer, Public};
use crate::report::feedback::{Feedback, LOSSES, Loss, feedback, kind};
use crate::report::junit::{Cases, JUnit};
use crate::report::page::{PageGames, page};
use crate::report::standings::{self, StandingsReport};
use crate::rules::BySide;
use crate::standings::Row;
use crate::store::ResultFolder;
use crate::tournament::Entrant;
use anyhow::Context;
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
    anonymizer: &'a Anonymizer,
}

/// Reads a lost game; none if it was not lost.
fn lost_game(recorded: &Recorded, place: u64, author: &AuthorAnonymizer) -> anyhow::Result<Option<Loss>> {
    let game = recorded.journal.game(place)?;
    let record = game.record()?;
    let Some(side) = record.outcome.loser() else { return Ok(None) };
    let record = author.record(record);
    let folder = ResultFolder::feedback_games(&record.players[side]);
    let file = format!("{folder}/{}.pgn", record.id.as_deref().unwrap_or_default());
    Ok(Some(Loss { record, side, stderr: author.text_by_bot(&game.stderr), file }))
}

impl<'a> ResultFiles<'a> {
    pub fn new(folder: &'a ResultFolder, anonymizer: &'a Anonymizer) -> ResultFiles<'a> {
        ResultFiles { folder, anonymizer }
    }

    /// Replaces all files but the page.
    ///
    /// # Errors
    /// The journal cannot be read, or a file cannot be written; that file then keeps its old content.
    pub fn refresh(&self, recorded: &Recorded, report: &StandingsReport) -> anyhow::Result<()> {
        self.write_logs(recorded, report, PageGames::new(Some(0)))?;
        self.write_tables(report)?;
        self.write_feedback(recorded, report)
    }

    /// Replaces all files, the feedback at the same time as those with all games, and says so before if that takes long.
    ///
    /// # Errors
    /// As for [`refresh`](ResultFiles::refresh).
    pub fn write(&self, recorded: &Recorded, report: &StandingsReport) -> anyhow::Result<()> {
        let games = recorded.index.count();
        if games >= MANY_GAMES {
            complain(format_args!("writing feedback and report.html of {games} games"));
        }
        thread::scope(|scope| {
            let others = scope.spawn(|| {
                let games = self.write_logs(recorded, report, PageGames::new(Some(PAGE_GAMES)))?;
                self.write_tables(report)?;
                self.replace("report.html", &page(&report.name, &standings::json(report), games))
            });
            let feedback = self.write_feedback(recorded, report);
            others.join().unwrap_or_else(|panic| resume_unwind(panic)).and(feedback)
        })
    }

    fn write_tables(&self, report: &StandingsReport) -> anyhow::Result<()> {
        self.replace("standings.json", &standings::json(report))?;
        self.replace("standings.md", &standings::markdown(report))
    }

    /// Replaces the games, and the results for programs that run tests; the games are added to `page` too.
    fn write_logs(
        &self,
        recorded: &Recorded,
        report: &StandingsReport,
        mut page: PageGames,
    ) -> anyhow::Result<PageGames> {
        let cases = match recorded.config.publish.junit {
            Junit::Bots => Cases::Bots,
            Junit::Games => Cases::Games,
        };
        let names = recorded.head.roster.iter().map(|bot| self.anonymizer.name(&bot.name));
        let mut junit = JUnit::new(&recorded.head.name, cases, names);
        let mut games = self.folder.new_games().with_context(|| self.context("games.pgn"))?;
        recorded.walk(|game, record| {
            let record: Public<Record> = self.anonymizer.record(record);
            write!(games, "{record}").with_context(|| self.context("games.pgn"))?;
            let stderr = recorded.public_stderr(game, self.anonymizer);
            junit.game(&record, stderr.as_ref());
            add_to_page(&mut page, record, stderr);
            Ok(())
        })?;
        games.commit().with_context(|| self.context("games.pgn"))?;
        report.absent.iter().for_each(|bot| junit.absent(bot));
        self.replace("junit.xml", &junit.finish())?;
        Ok(page)
    }

    /// Replaces the pages and logs for the authors of bots, with their real names.
    fn write_feedback(&self, recorded: &Recorded, report: &StandingsReport) -> anyhow::Result<()> {
        // The places of lost games in the journal, with their kinds. A game is read for the page of its loser alone, because
        // those of all bots together are too large for the memory.
        let mut lost: Vec<Vec<(u64, String)>> = vec![Vec::new(); recorded.head.roster.len()];
        recorded.counted(|counted, game| {
            let (pairing, outcome) = (&counted.pairing, game.outcome);
            if let Some(loser) = outcome.loser().filter(|_| !is_void(counted.ended, outcome)) {
                let losses = &mut lost[BySide { first: pairing.first, second: pairing.second }[loser]];
                let kind = kind(outcome);
                if losses.len() < LOSSES || losses.iter().all(|(_, other)| *other != kind) {
                    losses.push((game.place, kind));
                }
            }
            Ok(())
        })?;
        for placed in report.standings.table() {
            let Entrant { name, content, .. } = &recorded.head.roster[placed.bot];
            let author = self.anonymizer.for_author(name);
            let losses = lost[placed.bot].iter().map(|&(place, _)| lost_game(recorded, place, &author));
            let losses = losses.filter_map(Result::transpose).collect::<anyhow::Result<Vec<Loss>>>()?;
            let log = |lost: &Loss| Some((lost.record.id.clone()?, lost.record.to_string()));
            let logs: Vec<(String, String)> = losses.iter().filter_map(log).collect();
            let written = self.folder.replace_feedback_games(name, &logs);
            written.with_context(|| self.context(&format!("feedback/{name}")))?;
            let row = Row { name: name.clone(), ..placed.row.clone() };
            let page = feedback(&Feedback {
                tournament: &report.name,
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
pub fn summarise(report: &StandingsReport) -> anyhow::Result<()> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let page = standings::markdown(report);
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(page.as_bytes()));
    written.with_context(|| format!("GITHUB_STEP_SUMMARY: {}", Path::new(&path).display()))
}
