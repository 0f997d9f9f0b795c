//! The runs of a tournament as a table: which bots each had, with which content, and their ratings
//! after it.

use super::rounding::{self, figure_text};
use crate::report::document::{DocumentPart, DocumentTable, TableColumn};
use crate::tournament::RunEntry;
use arbiter_game::content::short_digest;

/// A run with its figures rounded as in the rest of the report.
pub(super) fn rounded(run: &RunEntry) -> RunEntry {
    let mut run = run.clone();
    for bot in &mut run.bots {
        for figure in [&mut bot.rating, &mut bot.low, &mut bot.high] {
            *figure = figure.and_then(rounding::elo);
        }
    }
    run
}

/// The table: for each run a line for each bot.
pub(super) fn parts(runs: &[RunEntry]) -> Vec<DocumentPart> {
    if runs.is_empty() {
        return vec![DocumentPart::Lines(vec![
            "No run of this tournament has ended yet.".to_owned(),
        ])];
    }
    let [words, number] = [TableColumn::words, TableColumn::number];
    let columns = vec![
        words("run"),
        number("played"),
        words("bot"),
        number("rating"),
        number("low"),
        number("high"),
        words("content"),
    ];
    let mut rows = Vec::new();
    for run in runs {
        for (place, bot) in run.bots.iter().enumerate() {
            let [time, games] = match place {
                0 => [run.time.clone(), run.games.to_string()],
                _ => [String::new(), String::new()],
            };
            let digest = bot.digest.as_deref().map_or_else(|| "-".to_owned(), short_digest);
            let [less, more] =
                if bot.rating.is_some() { ["and less", "and more"] } else { ["-"; 2] };
            let [rating, low, high] = [
                figure_text(bot.rating, "-"),
                figure_text(bot.low, less),
                figure_text(bot.high, more),
            ];
            rows.push(vec![time, games, bot.name.clone(), rating, low, high, digest]);
        }
    }
    vec![DocumentPart::Table(DocumentTable { columns, rows })]
}
