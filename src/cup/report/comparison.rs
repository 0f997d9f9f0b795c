//! A bot against each of several opponents, beside what an earlier content of it scored against
//! them.

use super::document::{self, DocumentPart, DocumentTable, TableColumn};
use super::json;
use arbiter_rank::rating::{MatchStatistics, ScoreDifference};
use serde::Serialize;
use std::collections::BTreeMap;

/// The points of a bot in pairs of games against one opponent, doubled, 0 to 4, by the numbers of
/// the pairs.
pub type PairPoints = BTreeMap<u64, u8>;

/// An opponent, and what was scored against it.
#[derive(Debug)]
pub struct ComparedOpponent {
    pub name: String,
    /// What the bot scored.
    pub points: PairPoints,
    /// What its earlier content scored against the same content of the opponent, from the same
    /// openings.
    pub last: Option<PairPoints>,
}

/// The figures of a row; the sum has no opponent. Scores and differences are shares of the points,
/// -1 to 1.
#[derive(Debug, Serialize)]
struct ComparedFigures<'a> {
    bot: &'a str,
    opponent: Option<&'a str>,
    games: u64,
    score: Option<f64>,
    elo: Option<f64>,
    elo_at_least: Option<f64>,
    elo_at_most: Option<f64>,
    last: Option<f64>,
    difference: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

/// The mean score of pairs.
fn score(of_pairs: &[u8]) -> Option<f64> {
    let mut sum = 0;
    for &points in of_pairs {
        sum += u32::from(points);
    }
    let pairs = of_pairs.len();
    if pairs > 0 { Some(f64::from(sum) / 4.0 / pairs as f64) } else { None }
}

impl ComparedOpponent {
    /// The difference over the pairs that both played.
    fn difference(&self) -> Option<ScoreDifference> {
        let last = self.last.as_ref()?;
        let mut both = Vec::new();
        for (pair, &points) in &self.points {
            if let Some(&before) = last.get(pair) {
                both.push((points, before));
            }
        }
        ScoreDifference::of_pairs(&both)
    }
}

/// The row of these opponents together, or of one.
fn figures<'a>(
    bot: &'a str,
    opponent: Option<&'a str>,
    opponents: &[ComparedOpponent],
) -> ComparedFigures<'a> {
    let mut points = Vec::new();
    let mut last = Vec::new();
    let mut differences = Vec::new();
    for one in opponents {
        points.extend(one.points.values().copied());
        if let Some(before) = &one.last {
            last.extend(before.values().copied());
        }
        differences.extend(one.difference());
    }
    let mut counts = [0; 5];
    for &scored in &points {
        counts[usize::from(scored.min(4))] += 1;
    }
    let MatchStatistics { elo, elo_at_least, elo_at_most, .. } =
        MatchStatistics::of_pairs(counts).unwrap_or_default();
    let difference = ScoreDifference::of_all(&differences);
    let (low, high) = difference.and_then(|difference| difference.interval()).unzip();
    ComparedFigures {
        bot,
        opponent,
        games: 2 * counts.iter().sum::<u64>(),
        score: score(&points),
        elo,
        elo_at_least,
        elo_at_most,
        last: score(&last),
        difference: difference.map(|difference| difference.estimate),
        low,
        high,
    }
}

/// The rows of all opponents, and below them the sum.
fn rows<'a>(bot: &'a str, opponents: &'a [ComparedOpponent]) -> Vec<ComparedFigures<'a>> {
    let mut rows = Vec::new();
    for one in opponents {
        rows.push(figures(bot, Some(&one.name), std::slice::from_ref(one)));
    }
    rows.push(figures(bot, None, opponents));
    rows
}

/// The table as text for a terminal: a row for each opponent, and below them the sum. Ends with a
/// newline.
pub fn text(bot: &str, opponents: &[ComparedOpponent]) -> String {
    let columns = vec![
        TableColumn::words("opponent"),
        TableColumn::number("games"),
        TableColumn::number("score"),
        TableColumn::number("Elo"),
        TableColumn::number("last"),
        TableColumn::words("difference (95 %)"),
    ];
    let mut cells = Vec::new();
    for row in rows(bot, opponents) {
        let elo = match (row.elo, row.elo_at_least, row.elo_at_most) {
            (Some(elo), ..) => format!("{elo:+.1}"),
            (None, Some(least), _) => format!(">{least:.1}"),
            (None, None, Some(most)) => format!("<{most:.1}"),
            (None, None, None) => "-".to_owned(),
        };
        let mut difference = match row.difference {
            Some(difference) => format!("{:+.1}", 100.0 * difference),
            None => "-".to_owned(),
        };
        if let (Some(low), Some(high)) = (row.low, row.high) {
            difference += &format!(" ({:.1} to {:.1})", 100.0 * low, 100.0 * high);
        }
        cells.push(vec![
            row.opponent.unwrap_or("sum").to_owned(),
            row.games.to_string(),
            share(row.score),
            elo,
            share(row.last),
            difference,
        ]);
    }
    document::text(&[DocumentPart::Table(DocumentTable { columns, rows: cells })])
}

fn share(score: Option<f64>) -> String {
    match score {
        Some(share) => format!("{:.1} %", 100.0 * share),
        None => "-".to_owned(),
    }
}

/// The same figures as JSON, one object of the type `comparison` a line; the sum is the last one,
/// and its opponent is null.
pub fn lines(bot: &str, opponents: &[ComparedOpponent]) -> String {
    rows(bot, opponents).iter().map(|row| json::line("comparison", row) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opponent(name: &str, points: &[u8], last: Option<&[u8]>) -> ComparedOpponent {
        let pairs = |scores: &[u8]| (1..).zip(scores.iter().copied()).collect();
        let name = name.to_owned();
        ComparedOpponent { name, points: pairs(points), last: last.map(pairs) }
    }

    #[test]
    fn a_row_has_this_try_the_last_one_and_the_difference() {
        let opponents = [
            opponent("ada", &[4, 3, 2, 2], Some(&[2, 3, 2, 1])),
            opponent("bea", &[4, 4, 4, 4], Some(&[4, 4])),
            opponent("cid", &[0, 0], None),
        ];
        let bot = "mine";
        assert_eq!(
            text(bot, &opponents),
            "opponent  games    score     Elo     last  difference (95 %)\n\
             ada           8   68.8 %  +137.0   50.0 %  +18.8 (-4.7 to 42.2)\n\
             bea           8  100.0 %  >137.1  100.0 %  +0.0\n\
             cid           4    0.0 %   <18.9        -  -\n\
             sum          20   67.5 %  +127.0   66.7 %  +12.5 (-3.1 to 28.1)\n"
        );
        let lines = lines(bot, &opponents);
        let last: serde_json::Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        assert_eq!(
            (lines.lines().count(), &last["opponent"], &last["games"]),
            (4, &serde_json::Value::Null, &20.into())
        );
    }
}
