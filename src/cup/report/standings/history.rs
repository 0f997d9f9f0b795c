//! The runs of a tournament as a table: which bots each had, with which content, and their ratings
//! after it.

use super::rounding::{self, bound_text, figure_text};
use crate::report::document::{DocumentPart, DocumentTable, TableColumn};
use crate::tournament::RunEntry;
use arbiter_game::content::short_digest;

/// A run with its figures rounded as in the rest of the report.
pub fn rounded(run: &RunEntry) -> RunEntry {
    let mut run = run.clone();
    for bot in &mut run.bots {
        for figure in [&mut bot.rating, &mut bot.low, &mut bot.high] {
            *figure = figure.and_then(rounding::elo);
        }
    }
    run
}

/// The table, with a line for each bot of each run.
pub fn parts(runs: &[RunEntry]) -> Vec<DocumentPart> {
    if runs.is_empty() {
        let none = "No run of this tournament has ended yet.".to_owned();
        return vec![DocumentPart::Lines(vec![none])];
    }
    let columns = vec![
        TableColumn::words("run"),
        TableColumn::number("played"),
        TableColumn::words("bot"),
        TableColumn::number("rating"),
        TableColumn::number("low"),
        TableColumn::number("high"),
        TableColumn::words("content"),
    ];
    let mut rows = Vec::new();
    for run in runs {
        // The time and the number of games stand once, in the first line of the run.
        let mut time = run.time.clone();
        let mut games = run.games.to_string();
        for bot in &run.bots {
            rows.push(vec![
                std::mem::take(&mut time),
                std::mem::take(&mut games),
                bot.name.clone(),
                figure_text(bot.rating, "-"),
                bound_text(bot.rating, bot.low, "and less"),
                bound_text(bot.rating, bot.high, "and more"),
                match &bot.digest {
                    Some(digest) => short_digest(digest),
                    None => "-".to_owned(),
                },
            ]);
        }
    }
    vec![DocumentPart::Table(DocumentTable { columns, rows })]
}
