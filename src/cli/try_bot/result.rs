//! What `arbiter try` prints: the result of a run, and the runs so far.

use anyhow::anyhow;
use arbiter_cup::report::comparison;
use arbiter_cup::report::standings::{BIAS, SprtFigures, StandingsReport, brief, match_json};
use arbiter_game::content::short_digest;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::{complain, fitted, print_if_open};
use arbiter_play::store::ResultFolder;
use arbiter_rank::standings::Row;
use arbiter_rules::text::counted;
use arbiter_run::compared::{compared, last_of_other_content};
use arbiter_run::successive_runs::{TestRun, test_runs};
use arbiter_run::tables::recorded::Recorded;
use arbiter_run::tables::report::{anonymizer, standings_report};
use std::io::stdout;
use std::path::Path;

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In words and figures.
    Text,
    /// As JSON objects.
    Json,
}

/// Shows what the run in this result folder has found, finished or not.
pub(super) fn show_result(dir: &Path, form: Form) -> Result<(), Failure> {
    let recorded = Recorded::read(&ResultFolder::existing(dir).journal())?;
    let report = standings_report(&recorded, &anonymizer(&recorded, []))?;
    let shown = match (&report.sprt, form) {
        (Some(_), Form::Json) => match_json(&report).unwrap_or_default(),
        (Some(test), Form::Text) => test_result(test),
        (None, form) => {
            let last = last_of_other_content(dir, &recorded)?;
            let rows = compared(&recorded, last.as_ref().map(|run| &run.recorded))?;
            let bot = recorded.head.roster.first().map(|bot| bot.name.clone()).unwrap_or_default();
            match form {
                Form::Json => comparison::lines(&bot, &rows),
                Form::Text => comparison::text(&bot, &rows) + &notes(&report, last.as_ref()),
            }
        }
    };
    print_if_open(fitted(shown.trim_end(), stdout()))?;
    if let (Some(_), Form::Text) = (&report.sprt, form) {
        if let [new, old] = &recorded.head.roster[..]
            && new.digest.is_some()
            && new.digest == old.digest
        {
            complain(format_args!(
                "note: {} and {} have the same content: a bot is compared with itself",
                new.name, old.name
            ));
        }
        complain(brief(&report.standings).trim_end());
    }
    complain(format_args!(
        "the games are in {0}: `arbiter report {0}` makes a page of them",
        dir.display()
    ));
    Ok(())
}

/// Shows the runs so far.
pub(super) fn show_history(dir: &Path) -> Result<(), Failure> {
    let runs = test_runs(dir)?;
    if runs.is_empty() {
        return Err(anyhow!("{}: there is no run of a test yet", dir.display()).into());
    }
    for run in &runs {
        print_if_open(fitted(&run_text(run)?, stdout()))?;
    }
    Ok(())
}

/// What a test has found, in words, then the figures.
fn test_result(test: &SprtFigures) -> String {
    let is_decided = matches!(test.verdict, Some("H0" | "H1"));
    let bias = if is_decided { format!("\n{BIAS}") } else { String::new() };
    format!("{}\n{}{bias}", test.result(), test.counted_pairs())
}

/// What the table of a folder needs beside it: which run is the last one, and who does not play.
fn notes(report: &StandingsReport, last: Option<&TestRun>) -> String {
    let mut lines = String::new();
    if let Some(run) = last {
        lines += &format!("last: {}, {} of {}\n", run.dir.display(), bots_of(run, 1), run.time);
    }
    for absent in report.absent.iter().filter(|absent| !absent.excluded) {
        lines += &format!("{} does not play: {}\n", absent.name, absent.reason);
    }
    if !lines.is_empty() {
        lines.insert(0, '\n');
    }
    lines
}

/// The first bots of a run, with the digests of their contents.
fn bots_of(run: &TestRun, most: usize) -> String {
    let mut bots = Vec::new();
    for bot in run.recorded.head.roster.iter().take(most) {
        bots.push(match &bot.digest {
            Some(digest) => format!("{} {}", bot.name, short_digest(digest)),
            None => bot.name.clone(),
        });
    }
    bots.join(", ")
}

/// A run in two lines.
fn run_text(run: &TestRun) -> anyhow::Result<String> {
    let TestRun { dir, recorded, time } = run;
    let report = standings_report(recorded, &anonymizer(recorded, []))?;
    let games = counted(recorded.index.count() as u64, "game");
    let (bots, result) = match &report.sprt {
        Some(test) => (bots_of(run, 2), test.result()),
        None => {
            let score = match report.standings.rows().first().and_then(Row::share) {
                Some(share) => format!("score {:.1} %", 100.0 * share),
                None => "no score yet".to_owned(),
            };
            let state = if report.complete == Some(true) { "" } else { ", not finished" };
            let opponents = counted(recorded.head.roster.len().saturating_sub(1) as u64, "bot");
            (bots_of(run, 1), format!("{score} against {opponents}{state}"))
        }
    };
    Ok(format!("{}  {time}  {games}  {bots}\n  {result}", dir.display()))
}
