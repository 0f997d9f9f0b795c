//! The table of standings as text, Markdown and JSON.

use super::json;
use crate::protocol::printable;
use crate::standings::{Row, Standings};
use serde::Serialize;

const HEADS: [&str; 9] =
    ["bot", "points", "games", "wins", "draws", "losses", "suicides", "forfeits", "aborted"];

fn cells(row: &Row) -> [String; 9] {
    let counts = [row.games, row.wins, row.draws, row.losses, row.suicides, row.forfeits, row.aborted];
    let [games, wins, draws, losses, suicides, forfeits, aborted] = counts.map(|count| count.to_string());
    let name = printable(row.name.as_bytes(), 64);
    [name, format!("{:.1}", row.points()), games, wins, draws, losses, suicides, forfeits, aborted]
}

/// A table with aligned columns, best first.
#[must_use]
pub fn text(standings: &Standings) -> String {
    let rows: Vec<[String; 9]> = standings.rows().into_iter().map(cells).collect();
    let heads = HEADS.map(str::to_owned);
    let all = || std::iter::once(&heads).chain(&rows);
    let widths: Vec<usize> = (0..HEADS.len())
        .map(|column| all().map(|row| row[column].chars().count()).max().unwrap_or_default())
        .collect();
    let mut out = String::new();
    for row in all() {
        let cells = row.iter().zip(&widths).enumerate();
        let cells =
            cells.map(
                |(column, (cell, &width))| {
                    if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            );
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// A Markdown table, best first. What Markdown would take for its own is escaped.
#[must_use]
pub fn markdown(standings: &Standings) -> String {
    let mut out = format!("| {} |\n| --- |{}\n", HEADS.join(" | "), " ---: |".repeat(HEADS.len() - 1));
    for row in standings.rows() {
        let mut cells = cells(row);
        cells[0] = escape_markdown(&cells[0]);
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}

fn escape_markdown(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if letter.is_ascii_punctuation() && !matches!(letter, '-' | '.' | ',' | '\'') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

#[derive(Serialize)]
struct Line<'a> {
    r#type: &'static str,
    v: u32,
    rank: usize,
    name: &'a str,
    points: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    suicides: u64,
    forfeits: u64,
    aborted: u64,
}

/// An object a bot, one a line, best first. Equal points and wins are an equal rank.
#[must_use]
pub fn json(standings: &Standings) -> String {
    let rows = standings.rows();
    let mut out = String::new();
    for row in &rows {
        let ahead =
            rows.iter().filter(|other| (other.half_points, other.wins) > (row.half_points, row.wins)).count();
        out.push_str(&json::line(&Line {
            r#type: "standing",
            v: json::VERSION,
            rank: ahead + 1,
            name: &row.name,
            points: row.points(),
            games: row.games,
            wins: row.wins,
            draws: row.draws,
            losses: row.losses,
            suicides: row.suicides,
            forfeits: row.forfeits,
            aborted: row.aborted,
        }));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;
    use crate::standings::Scored;

    #[test]
    fn the_three_forms_of_a_table() {
        let mut standings = Standings::default();
        let game = Scored { white: "a|*b", black: "randy", result: GameResult::Black, outcome: "forfeit" };
        standings.add(&game);
        assert_eq!(
            text(&standings),
            "bot    points  games  wins  draws  losses  suicides  forfeits  aborted\n\
             randy     1.0      1     1      0       0         0         0        0\n\
             a|*b      0.0      1     0      0       1         0         1        0\n"
        );
        assert!(markdown(&standings).ends_with("| a\\|\\*b | 0.0 | 1 | 0 | 0 | 1 | 0 | 1 | 0 |\n"));
        assert!(json(&standings).starts_with(
            "{\"type\":\"standing\",\"v\":1,\"rank\":1,\"name\":\"randy\",\"points\":1.0,\"games\":1,"
        ));
    }
}
