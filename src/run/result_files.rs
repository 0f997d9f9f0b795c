//! The files of a result folder that are computed from the journal.

use super::feedback_links::FeedbackLinks;
use crate::tables::bot_times::BotTimes;
use crate::tables::recorded::{Recorded, is_void};
use crate::tables::report::{PAGE_GAMES, add_to_page};
use anyhow::Context;
use arbiter_config::{Junit, Names};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::author_page::author_page;
use arbiter_cup::report::feedback::{Feedback, FeedbackPage, LOSSES, Loss, feedback, kind};
use arbiter_cup::report::junit::{Cases, JUnit};
use arbiter_cup::report::page::{PageGames, page};
use arbiter_cup::report::standings::{self, Explanation, StandingsReport};
use arbiter_cup::tournament::Entrant;
use arbiter_game::content::Content;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_play::store::{MILESTONES, PAGE, ResultFolder};
use arbiter_rank::standings::Row;
use arbiter_rules::{BySide, Side};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::thread;

/// With this many games the feedback and the page take seconds.
const MANY_GAMES: usize = 5_000;

/// Writes these files.
pub struct ResultFiles<'a> {
    pub folder: &'a ResultFolder,
    pub anonymizer: &'a Anonymizer,
    /// What the authors of these bots are told at the top of their pages, by the bots' own names.
    pub told: BTreeMap<String, String>,
}

/// What the pages of one author show, under whichever name.
struct AuthorResults<'a> {
    recorded: &'a Recorded,
    anonymizer: &'a Anonymizer,
    /// The page with the public name of the bot, still without its content and its losses.
    page: Feedback<'a>,
    /// The places in the journal of the lost games that are shown, with their kinds.
    lost: &'a [(u64, String)],
}

impl AuthorResults<'_> {
    /// The page that calls the bot `shown`, with its logs in `folder` beside it.
    fn files(
        &self,
        shown: &str,
        folder: &str,
        content: Option<&Content>,
    ) -> anyhow::Result<AuthorFiles> {
        let AuthorResults { recorded, anonymizer, page, .. } = *self;
        let name = &page.row.name;
        let mut losses = Vec::new();
        let mut logs = Vec::new();
        for (place, _) in self.lost {
            let game = recorded.journal.game(*place)?;
            let record = game.record()?;
            let Some(side) = Side::BOTH.into_iter().find(|&side| record.players[side] == *name)
            else {
                continue;
            };
            let record = anonymizer.record_for(record, name, shown);
            let file = format!("{folder}{}.pgn", record.id.as_deref().unwrap_or_default());
            if let Some(id) = &record.id {
                logs.push((id.clone(), record.to_string()));
            }
            let stderr = anonymizer.clean(&game.stderr);
            losses.push(Loss { record, side, stderr, stderr_last: game.stderr_last, file });
        }
        let row = &Row { name: shown.to_owned(), ..page.row.clone() };
        let page = feedback(&Feedback { row, content, losses: &losses, ..page });
        Ok(AuthorFiles { page, logs })
    }
}

/// The page of an author, with the logs of the games that it names by their ids.
struct AuthorFiles {
    page: FeedbackPage,
    logs: Vec<(String, String)>,
}

impl ResultFiles<'_> {
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
            let others = scope.spawn(|| self.write_games_and_tables(recorded, report));
            // Both are written though one may fail.
            let feedback = self.write_feedback(recorded, report);
            others.join().unwrap_or_else(|panic| resume_unwind(panic)).and(feedback)
        })
    }

    fn write_games_and_tables(
        &self,
        recorded: &Recorded,
        report: &StandingsReport,
    ) -> anyhow::Result<()> {
        let games = self.write_logs(recorded, report, PageGames::new(Some(PAGE_GAMES)))?;
        self.write_tables(report)?;
        self.replace(PAGE, &page(&report.name, &standings::json(report), games))
    }

    fn write_tables(&self, report: &StandingsReport) -> anyhow::Result<()> {
        self.replace("standings.json", &standings::json(report))?;
        let milestones = standings::milestones_csv(report);
        let written = self.folder.replace_or_remove(MILESTONES, milestones.as_deref());
        self.named(MILESTONES, written)?;
        self.replace("standings.md", &standings::markdown(report, Explanation::Short))
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
        let mut junit = JUnit::new(&recorded.head.name, cases, recorded.head.names());
        let mut games = self.named("games.pgn", self.folder.new_games())?;
        recorded.walk(|game, record| {
            let record = self.anonymizer.record(record);
            self.named("games.pgn", write!(games, "{record}"))?;
            let stderr = recorded.public_stderr(game, self.anonymizer);
            junit.game(&record, stderr.as_deref());
            add_to_page(&mut page, record, stderr.as_deref());
            Ok(())
        })?;
        self.named("games.pgn", games.commit())?;
        for bot in &report.absent {
            junit.absent(bot);
        }
        self.replace("junit.xml", &junit.finish())?;
        Ok(page)
    }

    /// Replaces the pages and logs for the authors of bots, with their own names.
    ///
    /// # Errors
    /// As for [`refresh`](ResultFiles::refresh).
    pub fn write_feedback(
        &self,
        recorded: &Recorded,
        report: &StandingsReport,
    ) -> anyhow::Result<()> {
        // The places of lost games in the journal, with their kinds. A game is read for the page of
        // its loser alone, because those of all bots together are too large for the memory.
        let mut lost: Vec<Vec<(u64, String)>> = vec![Vec::new(); recorded.head.roster.len()];
        let mut times = BotTimes::new(recorded.head.roster.len());
        recorded.counted(|counted, game| {
            let pairing = &counted.pairing;
            let outcome = game.facts.outcome;
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
        let clock = recorded.config.settings.time.clock;
        for placed in report.standings.table() {
            let entrant = &recorded.head.roster[placed.bot];
            let Entrant { name, content, folder, .. } = entrant;
            let own_name = entrant.private_name();
            let sleep = times.sleep(placed.bot, clock);
            let page = Feedback {
                tournament: &report.name,
                rank: placed.rank,
                bots: recorded.head.roster.len(),
                row: placed.row,
                milestones: milestones[placed.bot].as_deref(),
                told: self.told.get(own_name).map(String::as_str),
                sleep: sleep.as_deref(),
                content: None,
                losses: &[],
            };
            let lost = &lost[placed.bot];
            let results = AuthorResults { recorded, anonymizer: self.anonymizer, page, lost };
            // The organiser's folder: with the bot's own name, for its author alone.
            let logs_folder = format!("{}/", ResultFolder::feedback_games(own_name));
            let own = results.files(own_name, &logs_folder, content.as_ref())?;
            let games_written = self.folder.replace_feedback_games(own_name, &own.logs);
            self.named(&format!("feedback/{name}"), games_written)?;
            let page_written = self.folder.replace_feedback(own_name, &own.page.markdown);
            self.named(&format!("feedback/{name}.md"), page_written)?;
            // The page behind a link: others may see it, so it has the public name.
            let Some(links) = &links else { continue };
            let Some(address) = links.address(own_name, folder.as_ref()) else { continue };
            // The names of files may be those of authors.
            let shown = match recorded.config.publish.names {
                Names::Name => content.as_ref(),
                Names::Alias => None,
            };
            let public = results.files(name, "", shown)?;
            self.named("feedback-links", self.write_link(address, &public))?;
        }
        Ok(())
    }

    fn write_link(&self, address: &str, files: &AuthorFiles) -> io::Result<()> {
        let games: Vec<String> = files.logs.iter().map(|(id, _)| id.clone()).collect();
        self.folder.replace_link_games(address, &files.logs)?;
        let FeedbackPage { markdown, boards } = &files.page;
        self.folder.replace_link(address, &author_page(markdown, boards, address, &games))
    }

    fn replace(&self, file: &str, text: &str) -> anyhow::Result<()> {
        self.named(file, self.folder.replace(file, text))
    }

    /// The error of a file, with the path of the file.
    fn named<T>(&self, file: &str, written: io::Result<T>) -> anyhow::Result<T> {
        written.with_context(|| {
            let path = self.folder.dir().join(file);
            format!("{}: the games are safe in the journal", path.display())
        })
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
    let page = standings::markdown(report, Explanation::Short);
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(page.as_bytes()));
    written
        .with_context(|| format!("GITHUB_STEP_SUMMARY: {}", path.display()))
        .map_err(Failure::Unfinished)
}
