//! The standings report of a tournament, finished or not: as text for terminals, as Markdown, as one JSON
//! object.
//!
//! Owns the content and wording of the report. Computes neither points nor ratings: those come in a
//! [`StandingsReport`]. All three formats are made from the same figures, rounded once, so they never differ.
//! None holds a date, a time or an infinite number, so equal games give equal bytes. `standings.schema.json`,
//! beside `json.rs`, describes the JSON object.
//!
//! ```
//! use arbiter::report::standings::{StandingsReport, text};
//! use arbiter::standings::{Ranking, Score, Scored, Standings};
//! let mut standings = Standings::new(Ranking::Points);
//! standings.add(&Scored { score: Some(Score::Win), ..Scored::between("conny", "randy") });
//! let text = text(&StandingsReport::of(&standings));
//! assert!(text.starts_with("rank  bot    points  games  wins"));
//! assert!(text.contains("\n   1  conny     1.0      1     1"));
//! ```

mod contents;
mod figures;
mod layout;
mod rating_figures;
mod rounding;
mod sprt_figures;
#[cfg(test)]
mod tests;

use super::document::{self, DocumentPart, DocumentTable, TableColumn};
use super::escape;
use crate::standings::Standings;
use figures::Figures;

pub use contents::{Absent, ExpectationResult, Kept, SprtReport, StandingsReport};

/// Text for a terminal: aligned tables, then notes.
#[must_use]
pub fn text(report: &StandingsReport<'_>) -> String {
    document::text(&layout::blocks(&Figures::of(report)))
}

/// The same as Markdown.
#[must_use]
pub fn markdown(report: &StandingsReport<'_>) -> String {
    document::markdown(&layout::blocks(&Figures::of(report)))
}

/// All figures as one JSON object, `"type":"standings"`, over several lines; ends with a newline.
#[must_use]
pub fn json(report: &StandingsReport<'_>) -> String {
    let object = serde_json::to_string_pretty(&Figures::of(report));
    escape::json(&object.unwrap_or_default()) + "\n" // plain structs of strings and numbers cannot fail
}

/// The short table that ends a match of two bots, best first.
#[must_use]
pub fn brief(standings: &Standings) -> String {
    let heads = ["points", "games", "wins", "draws", "losses", "suicides", "forfeits", "aborted"];
    let columns = std::iter::once(TableColumn::words("bot")).chain(heads.map(TableColumn::number)).collect();
    let rows = standings.table().into_iter().map(|placed| {
        let row = placed.row;
        let counts = [row.games, row.wins, row.draws, row.losses, row.suicides, row.forfeits, row.aborted];
        let head = [row.name.clone(), format!("{:.1}", row.points())];
        head.into_iter().chain(counts.map(|count| count.to_string())).collect()
    });
    document::text(&[DocumentPart::Table(DocumentTable { columns, rows: rows.collect() })])
}
