//! The standings report of a tournament, finished or not: as text for terminals, as Markdown, as
//! one JSON object.
//!
//! Owns the content and wording of the report. Computes neither points nor ratings: those come in a
//! [`StandingsReport`]. All three formats are made from the same figures, rounded once, so they
//! never differ. None holds a date, a time or an infinite number, so equal games give equal bytes.
//! `standings.schema.json`, beside `json.rs`, describes the JSON object.
//!
//! ```
//! use arbiter_rank::rating::{RatingOptions, Ratings};
//! use arbiter_cup::report::standings::{Explanation, StandingsReport, text};
//! use arbiter_rank::standings::{Ranking, Score, Scored, Standings};
//! let mut standings = Standings::new(Ranking::Points);
//! standings.add(&Scored { score: Some(Score::Win), ..Scored::between("conny", "randy") });
//! let ratings = Ratings::fit(2, standings.encounters(), &RatingOptions::default());
//! let text = text(&StandingsReport::new(standings, ratings), Explanation::Short);
//! assert!(text.starts_with("rank  bot    points  games  wins  losses  rating"));
//! assert!(text.contains("\n   1  conny     1.0      1     1       0      95"));
//! ```

mod contents;
mod figures;
mod history;
mod layout;
mod match_figures;
mod milestone_figures;
mod notes;
mod rating_figures;
mod rounding;
mod sprt_figures;
#[cfg(test)]
mod tests;
mod trial_line;

use super::document::{self, DocumentPart, DocumentTable, TableColumn};
use super::escape;
use arbiter_rank::standings::{Row, Standings};
use figures::Figures;
use match_figures::MatchFigures;
use milestone_figures::MilestonesFigures;

pub use contents::{ExpectationResult, Explanation, GameCounts, Kept, SortBy, StandingsReport};
pub use rounding::interval;
pub use sprt_figures::{BIAS, SprtFigures};
pub use trial_line::{about_time, trial_line};

/// Text for a terminal: aligned tables of at most 80 columns, then notes. With two bots the match
/// line is the last.
pub fn text(report: &StandingsReport, explanation: Explanation) -> String {
    document::text(&layout::parts(&Figures::new(report), explanation))
}

/// The same as Markdown.
pub fn markdown(report: &StandingsReport, explanation: Explanation) -> String {
    document::markdown(&layout::parts(&Figures::new(report), explanation))
}

/// The match line of two bots, without a newline: points, the difference of the ratings in Elo with
/// its 95 % interval, the likelihood of superiority, and the log-likelihood ratio of a test. `None`
/// unless there are two bots that have met.
pub fn match_line(report: &StandingsReport) -> Option<String> {
    MatchFigures::new(report).map(|figures| escape::line(&figures.line(Explanation::Full)))
}

/// The same figures as one JSON object, `"type":"match"`, without a newline.
pub fn match_json(report: &StandingsReport) -> Option<String> {
    MatchFigures::new(report).map(|figures| super::json::line("match", &figures))
}

/// All figures as one JSON object, `"type":"standings"`, over several lines; ends with a newline.
pub fn json(report: &StandingsReport) -> String {
    // Plain structs of strings and numbers cannot fail.
    let object = serde_json::to_string_pretty(&Figures::new(report)).unwrap_or_default();
    escape::json(object) + "\n"
}

/// The milestones as a table for other programs, a line for each bot but the steps; `None` if there
/// are no milestones.
pub fn milestones_csv(report: &StandingsReport) -> Option<String> {
    Some(MilestonesFigures::new(report, &report.standings.table())?.csv())
}

/// The milestones of each bot in words, by the numbers of the bots; `None` for a step, and if there
/// are no milestones.
pub fn milestone_texts(report: &StandingsReport) -> Vec<Option<String>> {
    let rows = report.standings.rows();
    let mut texts = vec![None; rows.len()];
    if let Some(milestones) = MilestonesFigures::new(report, &report.standings.table()) {
        let asked = milestones.asked();
        for (text, row) in texts.iter_mut().zip(rows) {
            *text = milestones.text_of(&row.name).map(|reached| format!("{reached} ({asked})"));
        }
    }
    texts
}

/// The runs of the tournament and the ratings after each, as text for a terminal.
pub fn history(report: &StandingsReport) -> String {
    document::text(&history::parts(&report.history))
}

/// The same as Markdown.
pub fn history_markdown(report: &StandingsReport) -> String {
    document::markdown(&history::parts(&report.history))
}

/// The short table that ends a match of two bots, best first. What no bot has had takes no column.
pub fn brief(standings: &Standings) -> String {
    let rows: Vec<&Row> = standings.table().into_iter().map(|placed| placed.row).collect();
    let mut table = DocumentTable::default();
    table.push(TableColumn::words("bot"), rows.iter().map(|row| row.name.clone()));
    let points = rows.iter().map(|row| format!("{:.1}", row.points()));
    table.push(TableColumn::number("points"), points);
    for (at, head) in BRIEF.into_iter().enumerate() {
        if at < ALWAYS || rows.iter().any(|row| brief_counts(row)[at] > 0) {
            let cells = rows.iter().map(|row| brief_counts(row)[at].to_string());
            table.push(TableColumn::number(head), cells);
        }
    }
    document::text(&[DocumentPart::Table(table)])
}

/// The counts of the short table; the first ones are always shown.
const BRIEF: [&str; 7] = ["games", "wins", "draws", "losses", "suicides", "forfeits", "aborted"];
const ALWAYS: usize = 4;

fn brief_counts(row: &Row) -> [u64; BRIEF.len()] {
    [row.games, row.wins, row.draws, row.losses, row.suicides, row.forfeits, row.aborted]
}
