//! Several tournaments in one table: the points of each bot in each part, and their sum.
//!
//! The parts have games of other clocks, numbers of games or rules, so there is no common rating.
//! Each part is a [`StandingsReport`], and a bot is the same in two parts if its public name is.
//!
//! ```
//! use arbiter_rank::rating::{RatingOptions, Ratings};
//! use arbiter_cup::report::{parts, standings::StandingsReport};
//! use arbiter_rank::standings::{Ranking, Score, Scored, Standings};
//! let part = |name: &str, opponent: &str| {
//!     let mut standings = Standings::new(Ranking::Points);
//!     standings.add(&Scored { score: Some(Score::Win), ..Scored::between("conny", opponent) });
//!     let ratings = Ratings::fit(2, standings.encounters(), &RatingOptions::default());
//!     StandingsReport { name: name.to_owned(), ..StandingsReport::new(standings, ratings) }
//! };
//! let text = parts::text(&[part("may", "randy"), part("june", "zoe")]);
//! assert!(text.starts_with(
//!     "rank  bot    points  games  may  june\n\
//!      \x20  1  conny     2.0      2  1.0   1.0\n\
//!      \x20  2  randy     0.0      1  0.0     -\n"
//! ));
//! ```

use super::document::{self, DocumentPart, DocumentTable, TableColumn};
use super::escape;
use super::standings::StandingsReport;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The points of a bot in a part.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct PartPoints {
    points: f64,
    games: u64,
}

#[derive(Debug, Serialize)]
struct PartBot<'a> {
    rank: usize,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<&'a str>,
    points: f64,
    games: u64,
    /// In the order of the parts; `None` where it does not play.
    parts: Vec<Option<PartPoints>>,
}

#[derive(Debug, Serialize)]
struct PartName<'a> {
    name: &'a str,
    complete: Option<bool>,
}

#[derive(Debug, Serialize)]
struct PartsObject<'a> {
    r#type: &'static str,
    v: u32,
    parts: Vec<PartName<'a>>,
    bots: Vec<PartBot<'a>>,
}

/// Text for a terminal, or of a page, with a column for each part, in this order.
pub fn text(parts: &[StandingsReport]) -> String {
    document::text(&blocks(parts))
}

/// The same as Markdown.
pub fn markdown(parts: &[StandingsReport]) -> String {
    document::markdown(&blocks(parts))
}

/// The same as one JSON object, `"type":"parts"` (docs/reference/gamelog.md, JSON), over several
/// lines; ends with a newline.
pub fn json(parts: &[StandingsReport]) -> String {
    let mut names = Vec::new();
    for StandingsReport { name, complete, .. } in parts {
        names.push(PartName { name, complete: *complete });
    }
    let object = PartsObject { r#type: "parts", v: 1, parts: names, bots: bots(parts) };
    // Plain structs of strings and numbers cannot fail.
    escape::json(serde_json::to_string_pretty(&object).unwrap_or_default()) + "\n"
}

/// The bots by their points in all parts; equal ones share a rank and are in the order of their
/// names.
fn bots(parts: &[StandingsReport]) -> Vec<PartBot<'_>> {
    let mut by_name: BTreeMap<&str, PartBot<'_>> = BTreeMap::new();
    for (number, part) in parts.iter().enumerate() {
        for (at, row) in part.standings.rows().iter().enumerate() {
            let bot = by_name.entry(&row.name).or_insert_with(|| PartBot {
                rank: 0,
                name: &row.name,
                display: None,
                points: 0.0,
                games: 0,
                parts: vec![None; parts.len()],
            });
            bot.points += row.points();
            bot.games += row.games;
            bot.parts[number] = Some(PartPoints { points: row.points(), games: row.games });
            // What a bot is called in the last part that says so.
            if let Some(Some(display)) = part.display_names.get(at) {
                bot.display = Some(display);
            }
        }
    }
    let mut bots: Vec<PartBot<'_>> = by_name.into_values().collect();
    bots.sort_by_key(|bot| Reverse((2.0 * bot.points) as u64)); // points are halves
    for at in 0..bots.len() {
        bots[at].rank = at + 1;
        if at > 0 && bots[at - 1].points == bots[at].points {
            bots[at].rank = bots[at - 1].rank;
        }
    }
    bots
}

fn blocks(parts: &[StandingsReport]) -> Vec<DocumentPart> {
    let bots = bots(parts);
    let mut table = DocumentTable::default();
    table.push(TableColumn::number("rank"), bots.iter().map(|bot| bot.rank.to_string()));
    table.push(TableColumn::words("bot"), bots.iter().map(|bot| bot.name.to_owned()));
    if bots.iter().any(|bot| bot.display.is_some()) {
        let names = bots.iter().map(|bot| bot.display.unwrap_or_default().to_owned());
        table.push(TableColumn::words("name"), names);
    }
    table.push(TableColumn::number("points"), bots.iter().map(|bot| format!("{:.1}", bot.points)));
    table.push(TableColumn::number("games"), bots.iter().map(|bot| bot.games.to_string()));
    let mut lines = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        // The number of games is shown for bots that played fewer of them than others.
        let usual = bots.iter().filter_map(|bot| Some(bot.parts[number]?.games)).max();
        let mut cells = Vec::new();
        for bot in &bots {
            cells.push(match bot.parts[number] {
                None => "-".to_owned(),
                Some(PartPoints { points, games }) if Some(games) == usual => {
                    format!("{points:.1}")
                }
                // Its points are not to be compared with those of bots that played more.
                Some(PartPoints { points, games }) => format!("{points:.1}/{games}"),
            });
        }
        table.push(TableColumn::number(&part.name), cells);
        if part.complete == Some(false) {
            lines.push(format!("INCOMPLETE: {}: not every game counts here", part.name));
        }
    }
    lines.push(
        "Points are added up as they are, so a part with more games counts for more; \
         after a slash stands the number of games of a bot that has fewer"
            .to_owned(),
    );
    lines.push(
        "The parts have no common rating, because their games were played under other \
         conditions: `arbiter standings` of one part shows its own"
            .to_owned(),
    );
    vec![DocumentPart::Table(table), DocumentPart::Lines(lines)]
}
