//! The files of a result folder that are computed from the journal.

use super::feedback_links::FeedbackLinks;
use crate::tables::bot_times::BotTimes;
use crate::tables::recorded::{Recorded, is_void};
use crate::tables::report::{PAGE_GAMES, add_to_page};
use anyhow::Context;
use arbiter_config::{Junit, Names};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::author_page::author_page;
use arbiter_cup::report::feedback::{Feedback, LOSSES, Loss, feedback, kind};
use arbiter_cup::report::junit::{Cases, JUnit};
use arbiter_cup::report::page::{PageGames, page};
use arbiter_cup::report::standings::{self, StandingsReport};
use arbiter_cup::tournament::Entrant;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_play::store::{MILESTONES, PAGE, ResultFolder};
use arbiter_rank::standings::Row;
use arbiter_rules::{BySide, Side};
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

/// A page for the author of a bot.
#[derive(Clone, Copy)]
struct AuthorPage<'a> {
    /// The public name of the bot.
    name: &'a str,
    /// What the page calls it.
    shown: &'a str,
    /// The folder of its logs, beside the page.
    folder: &'a str,
}

impl AuthorPage<'_> {
    /// Reads a game that the bot lost; `None` if it did not lose it.
    fn lost_game(
        self,
        recorded: &Recorded,
        place: u64,
        anonymizer: &Anonymizer,
    ) -> anyhow::Result<Option<Loss>> {
        let AuthorPage { name, shown, folder } = self;
        let game = recorded.journal.game(place)?;
        let record = game.record()?;
        let has_lost =
            |side: &Side| record.outcome.has_lost(*side) && record.players[*side] == name;
        let Some(side) = Side::BOTH.into_iter().find(has_lost) else { return Ok(None) };
        let record = anonymizer.record_for(record, name, shown);
        let file = format!("{folder}{}.pgn", record.id.as_deref().unwrap_or_default());
        Ok(Some(Loss { record, side, stderr: anonymizer.clean(&game.stderr), file }))
    }
}

/// The page of an author, in Markdown, with the logs of the games that it names by their ids.
struct AuthorFiles {
    page: String,
    logs: Vec<(String, String)>,
}

impl<'a> ResultFiles<'a> {
    pub fn new(folder: &'a ResultFolder, anonymizer: &'a Anonymizer) -> ResultFiles<'a> {
        ResultFiles { folder, anonymizer }
    }

    /// Replaces all files but the page.
    ///
    /// # Errors
    /// The journal cannot be read, or a file cannot be written; that file then keeps its old
    /// content.
    pub fn refresh(&self, recorded: &Recorded, report: &StandingsReport) -> anyhow::Result<()> {
        self.write_logs(recorded, report, PageGames::new(Some(0)))?;
        self.write_tables(report)?;
        self.write_feedback(recorded, report)
    }

    /// Replaces all files, the feedback at the same time as those with all games, and says so
    /// before if that takes long.
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
                self.replace(PAGE, &page(&report.name, &standings::json(report), games))
            });
            let feedback = self.write_feedback(recorded, report);
            others.join().unwrap_or_else(|panic| resume_unwind(panic)).and(feedback)
        })
    }

    fn write_tables(&self, report: &StandingsReport) -> anyhow::Result<()> {
        self.replace("standings.json", &standings::json(report))?;
        let milestones =
            self.folder.replace_or_remove(MILESTONES, standings::milestones_csv(report).as_deref());
        milestones.with_context(|| self.context(MILESTONES))?;
        self.replace("standings.md", &standings::markdown(report))
    }

    /// Replaces the games, and the results for programs that run tests; the games are added to
    /// `page` too.
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
        let names = recorded.head.roster.iter().map(|bot| bot.name.clone());
        let mut junit = JUnit::new(&recorded.head.name, cases, names);
        let mut games = self.folder.new_games().with_context(|| self.context("games.pgn"))?;
        recorded.walk(|game, record| {
            let record = self.anonymizer.record(record);
            write!(games, "{record}").with_context(|| self.context("games.pgn"))?;
            let stderr = recorded.public_stderr(game, self.anonymizer);
            junit.game(&record, stderr.as_deref());
            add_to_page(&mut page, record, stderr.as_deref());
            Ok(())
        })?;
        games.commit().with_context(|| self.context("games.pgn"))?;
        for bot in &report.absent {
            junit.absent(bot);
        }
        self.replace("junit.xml", &junit.finish())?;
        Ok(page)
    }

    /// Replaces the pages and logs for the authors of bots, with their own names.
    fn write_feedback(&self, recorded: &Recorded, report: &StandingsReport) -> anyhow::Result<()> {
        // The places of lost games in the journal, with their kinds. A game is read for the page of
        // its loser alone, because those of all bots together are too large for the memory.
        let mut lost: Vec<Vec<(u64, String)>> = vec![Vec::new(); recorded.head.roster.len()];
        let mut times = BotTimes::new(recorded.head.roster.len());
        recorded.counted(|counted, game| {
            let pairing = &counted.pairing;
            let outcome = game.outcome;
            let bots = BySide { first: pairing.first, second: pairing.second };
            times.add([pairing.first, pairing.second], recorded.index.times(game.place));
            for side in Side::BOTH {
                if !outcome.has_lost(side) || is_void(counted.ended, outcome) {
                    continue;
                }
                let losses = &mut lost[bots[side]];
                let kind = kind(outcome);
                if losses.len() < LOSSES || losses.iter().all(|(_, other)| *other != kind) {
                    losses.push((game.place, kind));
                }
            }
            Ok(())
        })?;
        let links = FeedbackLinks::of(&recorded.config, &recorded.head);
        let milestones = standings::milestone_texts(report);
        for placed in report.standings.table() {
            let milestones = milestones[placed.bot].as_deref();
            let entrant = &recorded.head.roster[placed.bot];
            let Entrant { name, content, folder, .. } = entrant;
            let own_name = entrant.private_name();
            let lost = &lost[placed.bot];
            let sleep = times.sleep(placed.bot);
            let author_files = |page: AuthorPage<'_>, content| {
                let AuthorPage { shown, .. } = page;
                let losses =
                    lost.iter().map(|&(place, _)| page.lost_game(recorded, place, self.anonymizer));
                let losses =
                    losses.filter_map(Result::transpose).collect::<anyhow::Result<Vec<Loss>>>()?;
                let log = |lost: &Loss| Some((lost.record.id.clone()?, lost.record.to_string()));
                let row = Row { name: shown.to_owned(), ..placed.row.clone() };
                let page = feedback(&Feedback {
                    tournament: &report.name,
                    rank: placed.rank,
                    bots: recorded.head.roster.len(),
                    row: &row,
                    milestones,
                    sleep: sleep.as_deref(),
                    content,
                    losses: &losses,
                });
                anyhow::Ok(AuthorFiles { page, logs: losses.iter().filter_map(log).collect() })
            };
            let own = format!("{}/", ResultFolder::feedback_games(own_name));
            let page = AuthorPage { name, shown: own_name, folder: &own };
            let AuthorFiles { page, logs } = author_files(page, content.as_ref())?;
            let written = self.folder.replace_feedback_games(own_name, &logs);
            written.with_context(|| self.context(&format!("feedback/{name}")))?;
            let written = self.folder.replace_feedback(own_name, &page);
            written.with_context(|| self.context(&format!("feedback/{name}.md")))?;
            let address = links.as_ref().and_then(|links| links.address(own_name, folder.as_ref()));
            let Some(address) = address else { continue };
            // The names of files may be those of authors.
            let content = content.as_ref().filter(|_| recorded.config.publish.names == Names::Name);
            let page = AuthorPage { name, shown: name, folder: "" };
            let AuthorFiles { page, logs } = author_files(page, content)?;
            let games: Vec<String> = logs.iter().map(|(id, _)| id.clone()).collect();
            let written = self.folder.replace_link_games(address, &logs);
            let written = written.and_then(|()| {
                self.folder.replace_link(address, &author_page(&page, address, &games))
            });
            written.with_context(|| self.context("feedback-links"))?;
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
///
/// # Errors
/// The page cannot be written.
pub fn summarise(report: &StandingsReport) -> Result<(), Failure> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let page = standings::markdown(report);
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(page.as_bytes()));
    let context = || format!("GITHUB_STEP_SUMMARY: {}", Path::new(&path).display());
    written.with_context(context).map_err(Failure::Unfinished)
}
