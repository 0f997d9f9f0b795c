//! `arbiter report`: one HTML page with the table and every game.

use super::standings::{FirstSideChoice, fold, journal_of, refuse_flags_of_logs, report_of_logs};
use super::{CommandResult, Verdict};
use anyhow::{Context, bail};
use arbiter_cup::report::page::{PageGames, is_page, page};
use arbiter_cup::report::standings::{StandingsReport, json};
use arbiter_ground::failure::Failure;
use arbiter_ground::input_file::{records_of, refuse_pipes, refuse_to_replace_inputs};
use arbiter_ground::output::{complain, print, write_out};
use arbiter_host::files;
use arbiter_play::store::{PAGE, replace, write_named_file};
use arbiter_rules::text::counted;
use arbiter_run::tables::recorded::Recorded;
use arbiter_run::tables::report::{add_to_page, anonymizer, games_for_page, standings_report};
use clap::Args;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  arbiter report spring-cup                       writes the page of a tournament
  arbiter report games.pgn -o page.html           that of a log";

/// Write a page for the browser with the table and every game
///
/// The page is one file that opens from disk and needs no network: the table with intervals, the
/// crosstable, ratings, scores by round, times and lengths, and every game to step through. Of a
/// result folder it shows what others may see (`[publish]`). Of logs, also of other programs, the
/// table counts every game, as `arbiter standings` does, and games whose moves cannot be read are
/// named.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportCommand {
    /// A result folder, or game logs
    #[arg(required = true, value_name = "DIR|LOG")]
    paths: Vec<PathBuf>,
    /// The file, or - for standard output; by default report.html in the folder, or in this one for
    /// logs, if there is none that another program wrote
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Of logs, or of several folders: rate them as those of a Swiss, where bots with equal results
    /// met; one result folder knows its format
    #[arg(long)]
    swiss: bool,
    /// Of logs: whether ratings take an advantage of the first side into account, as for `arbiter
    /// standings`
    #[arg(long, value_name = "WHETHER")]
    first_side: Option<FirstSideChoice>,
    /// Show only the first N games; the page says how many it leaves out, and the table counts all
    #[arg(long, value_name = "N")]
    games: Option<u64>,
}

/// Refuses to replace a file that the user has not named, unless arbiter has written it.
fn refuse_foreign_page(file: &Path) -> anyhow::Result<()> {
    let is_own = match file.symlink_metadata() {
        Err(_) => true, // there is no such file
        Ok(there) => {
            there.is_file()
                && is_page(&files::read(file).with_context(|| file.display().to_string())?)
        }
    };
    if !is_own {
        bail!(
            "{}: arbiter has not written this file, so it is not replaced; name another one, or \
             this one, with --output",
            file.display()
        );
    }
    Ok(())
}

impl ReportCommand {
    pub(super) fn run(self) -> CommandResult {
        if let Some(output) = &self.output {
            refuse_to_replace_inputs("--output", output, &self.paths)?;
        }
        let (title, report, games) = match journal_of(&self.paths) {
            Some(journal) => {
                refuse_flags_of_logs(self.swiss, self.first_side)?;
                let recorded = Recorded::read(&journal)?;
                let anonymizer = anonymizer(&recorded, []);
                let report = standings_report(&recorded, &anonymizer)?;
                (report.name.clone(), report, games_for_page(&recorded, &anonymizer, self.games)?)
            }
            None => self.of_logs()?,
        };
        let count = games.shown();
        let page = page(&title, &json(&report), games);
        let file = match self.output {
            Some(file) if file.as_os_str() == "-" => {
                write_out(&page)?;
                return Ok(Verdict::DONE);
            }
            Some(file) => {
                write_named_file(&file, |out| out.write_all(page.as_bytes()))
                    .map_err(|error| Failure::writing(file.display(), error))?;
                file
            }
            None => {
                let file = match &self.paths[..] {
                    [folder] if folder.is_dir() => folder.join(PAGE),
                    _ => PathBuf::from(PAGE),
                };
                refuse_foreign_page(&file)?;
                replace(&file, &page).map_err(|error| Failure::writing(file.display(), error))?;
                file
            }
        };
        let size = page.len().div_ceil(1000);
        print(format_args!("{}  {}  {size} kB", file.display(), counted(count, "game")))?;
        Ok(Verdict::DONE)
    }

    /// The title of the page of these logs, its table and its games.
    fn of_logs(&self) -> anyhow::Result<(String, StandingsReport, PageGames)> {
        refuse_pipes(&self.paths, "for the table and for the games")?;
        let logs = fold(&self.paths)?;
        let report = report_of_logs(&logs, self.swiss, self.first_side);
        let name = match &self.paths[..] {
            [path] if path.is_dir() => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
            [path] => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            _ => String::new(),
        };
        Ok((name, report, self.logged_games()?))
    }

    /// The games of all logs, but for those that repeat an id.
    fn logged_games(&self) -> anyhow::Result<PageGames> {
        let mut games = PageGames::new(self.games);
        records_of(&self.paths, |path, _, record| match record {
            Ok(record) => add_to_page(&mut games, record, None),
            // The page is passed on, so it names no folders.
            Err(error) => {
                let log = path.file_name().unwrap_or_default().to_string_lossy();
                games.add_unreadable(format!("{log}: {error}"));
            }
        })?;
        if let Some((count, reason)) = games.unreadable() {
            complain(format_args!("{} cannot be shown: {reason}", counted(count, "game")));
        }
        Ok(games)
    }
}
