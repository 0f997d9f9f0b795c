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
//! assert!(text.starts_with("rank  bot    points  games  may  june\n   1  conny     2.0      2  1.0   1.0\n   2  randy     0.0      1  0.0     -\n"));
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
    /// In the order of the parts; none where it does not play.
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
#[must_use]
pub fn text(parts: &[StandingsReport]) -> String {
    document::text(&blocks(parts))
}

/// The same as Markdown.
#[must_use]
pub fn markdown(parts: &[StandingsReport]) -> String {
    document::markdown(&blocks(parts))
}

/// The same as one JSON object, `"type":"parts"` (docs/gamelog.md, JSON), over several lines; ends
/// with a newline.
#[must_use]
pub fn json(parts: &[StandingsReport]) -> String {
    let names = parts.iter().map(|part| PartName { name: &part.name, complete: part.complete });
    let object = PartsObject { r#type: "parts", v: 1, parts: names.collect(), bots: bots(parts) };
    // Plain structs of strings and numbers cannot fail.
    escape::json(serde_json::to_string_pretty(&object).unwrap_or_default()) + "\n"
}

/// The bots by their points in all parts; equal ones share a rank and are in the order of their
/// names.
fn bots(parts: &[StandingsReport]) -> Vec<PartBot<'_>> {
    let mut found: BTreeMap<&str, PartBot<'_>> = BTreeMap::new();
    for (number, part) in parts.iter().enumerate() {
        for (at, row) in part.standings.rows().iter().enumerate() {
            let new = || PartBot {
                rank: 0,
                name: &row.name,
                display: None,
                points: 0.0,
                games: 0,
                parts: vec![None; parts.len()],
            };
            let bot = found.entry(&row.name).or_insert_with(new);
            bot.points += row.points();
            bot.games += row.games;
            bot.parts[number] = Some(PartPoints { points: row.points(), games: row.games });
            let display = part.display_names.get(at).and_then(Option::as_ref);
            bot.display = display.map(|display| display.as_str()).or(bot.display);
        }
    }
    let mut bots: Vec<PartBot<'_>> = found.into_values().collect();
    bots.sort_by_key(|bot| Reverse((2.0 * bot.points) as u64)); // points are halves
    for at in 0..bots.len() {
        let before = at.checked_sub(1).map(|before| (bots[before].points, bots[before].rank));
        bots[at].rank = match before {
            Some((points, rank)) if points == bots[at].points => rank,
            _ => at + 1,
        };
    }
    bots
}

fn blocks(parts: &[StandingsReport]) -> Vec<DocumentPart> {
    let bots = bots(parts);
    let mut columns = vec![TableColumn::number("rank"), TableColumn::words("bot")];
    let has_display = bots.iter().any(|bot| bot.display.is_some());
    columns.extend(has_display.then(|| TableColumn::words("name")));
    columns.extend(["points", "games"].map(TableColumn::number));
    columns.extend(parts.iter().map(|part| TableColumn::number(&part.name)));
    // The number of games is told where it is not that of the others in this part.
    let usual = |number: usize| bots.iter().filter_map(|bot| Some(bot.parts[number]?.games)).max();
    let cell = |(number, part): (usize, &Option<PartPoints>)| match part {
        None => "-".to_owned(),
        Some(PartPoints { points, games }) if Some(*games) == usual(number) => {
            format!("{points:.1}")
        }
        Some(PartPoints { points, games }) => format!("{points:.1}/{games}"),
    };
    let rows = bots.iter().map(|bot| {
        let display = has_display.then(|| bot.display.unwrap_or_default().to_owned());
        let head = [bot.rank.to_string(), bot.name.to_owned()].into_iter().chain(display);
        let sums = [format!("{:.1}", bot.points), bot.games.to_string()];
        head.chain(sums).chain(bot.parts.iter().enumerate().map(cell)).collect()
    });
    let table = DocumentTable { rows: rows.collect(), columns };
    let unfinished = parts.iter().filter(|part| part.complete == Some(false));
    let unfinished =
        unfinished.map(|part| format!("INCOMPLETE: {}: not every game counts here", part.name));
    let sums = "Points are added up as they are, so a part with more games counts for more; after a slash stands the number of \
                games of a bot that has fewer";
    let ratings = "The parts have no common rating, because their games were played under other conditions: `arbiter standings` \
                   of one part shows its own";
    let lines = unfinished.chain([sums.to_owned(), ratings.to_owned()]);
    vec![DocumentPart::Table(table), DocumentPart::Lines(lines.collect())]
}
