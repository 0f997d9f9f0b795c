//! The standings of a tournament, finished or not: as terminal text, as a page, as one JSON object.
//!
//! Owns what is shown of them and in which words. Computes neither points nor ratings: those come in a [`Sheet`]. All
//! three forms are made from the same figures, rounded once, so that they never differ; none holds a date, a time or
//! an infinite number, so that the same games give the same bytes. `standings.schema.json`, beside `json.rs`,
//! describes the object.
//!
//! ```
//! use arbiter::report::standings::{Sheet, text};
//! use arbiter::standings::{Ranking, Score, Scored, Standings};
//! let mut standings = Standings::new(Ranking::Points);
//! standings.add(&Scored { score: Some(Score::Win), ..Scored::between("conny", "randy") });
//! let text = text(&Sheet::of(&standings));
//! assert!(text.starts_with("rank  bot    points  games  wins"));
//! assert!(text.contains("\n   1  conny     1.0      1     1"));
//! ```

mod figures;
mod layout;
mod rated;
mod tested;
#[cfg(test)]
mod tests;

use super::escape;
use super::page::{self, Block, Column, Table};
use crate::rating::{MatchStatistics, Ratings};
use crate::standings::Standings;
use figures::Figures;

/// Everything that is shown. Of game logs alone ([`Sheet::of`]) most of it is not known, and left out.
#[derive(Debug, Clone)]
pub struct Sheet<'a> {
    /// The tournament's name; empty if not known, as the next four.
    pub name: &'a str,
    /// The game's name.
    pub game: &'a str,
    /// Its options, in full.
    pub options: &'a str,
    /// The format of the schedule.
    pub format: &'a str,
    /// What protected the machine from the bots.
    pub isolation: &'a str,
    /// Points and counts.
    pub standings: &'a Standings,
    /// Ratings of the same bots, numbered alike.
    pub ratings: Option<&'a Ratings>,
    /// The bot that [`Ratings::anchor`] gave rating 0; else the mean of each group is 0.
    pub anchor: Option<&'a str>,
    /// Whether every game that was to be played counts; none if that is not known.
    pub complete: Option<bool>,
    /// Games with a result, and games that the schedule holds.
    pub games: Option<(u64, u64)>,
    /// Bots that could not be scheduled.
    pub absent: &'a [Absent],
    /// What a reader should know: rematches, openings that ran out, shared points of a knockout.
    pub notes: &'a [String],
    /// The test that was made of the first two bots.
    pub sprt: Option<SprtSheet<'a>>,
    /// What `[expect]` wanted.
    pub expectations: &'a [Expectation],
}

impl<'a> Sheet<'a> {
    /// What game logs alone tell.
    #[must_use]
    pub fn of(standings: &'a Standings) -> Sheet<'a> {
        Sheet {
            name: "",
            game: "",
            options: "",
            format: "",
            isolation: "",
            standings,
            ratings: None,
            anchor: None,
            complete: None,
            games: None,
            absent: &[],
            notes: &[],
            sprt: None,
            expectations: &[],
        }
    }
}

/// A bot that could not be scheduled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent {
    /// Its name.
    pub name: String,
    /// Why, in a sentence.
    pub reason: String,
}

/// A test of two bots, as it stands.
#[derive(Debug, Clone, Copy)]
pub struct SprtSheet<'a> {
    /// `normalized` or `logistic`.
    pub model: &'a str,
    /// The two hypotheses, in Elo of that model.
    pub elo0: f64,
    /// The second of them.
    pub elo1: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where it accepts H0.
    pub lower: f64,
    /// Where it accepts H1.
    pub upper: f64,
    /// Pairs that count, by the tested bot's points in them: 0, 1/2, 1, 3/2, 2.
    pub counts: [u64; 5],
    /// `H0`, `H1` or `undecided`; none while the test goes on.
    pub verdict: Option<&'a str>,
    /// What the same pairs say of the tested bot's strength.
    pub statistics: Option<&'a MatchStatistics>,
}

/// A line of `[expect]` and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// As it was written: `conny >= 0.6`.
    pub text: String,
    /// Whether it holds.
    pub kept: Kept,
}

/// Whether an expectation holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub enum Kept {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Too few games to say.
    Undecided,
}

impl Kept {
    /// `yes`, `no` or `undecided`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kept::Yes => "yes",
            Kept::No => "no",
            Kept::Undecided => "undecided",
        }
    }
}

/// For a terminal: aligned columns, then what is to be said of them.
#[must_use]
pub fn text(sheet: &Sheet<'_>) -> String {
    page::text(&layout::blocks(&Figures::of(sheet)))
}

/// The same as a page that can be published.
#[must_use]
pub fn markdown(sheet: &Sheet<'_>) -> String {
    page::markdown(&layout::blocks(&Figures::of(sheet)))
}

/// All figures as one JSON object, `"type":"standings"`, over several lines; ends with a newline.
#[must_use]
pub fn json(sheet: &Sheet<'_>) -> String {
    let object = serde_json::to_string_pretty(&Figures::of(sheet));
    escape::json(&object.unwrap_or_default()) + "\n" // plain structs of strings and numbers cannot fail
}

/// The short table that ends a match of two bots, best first.
#[must_use]
pub fn brief(standings: &Standings) -> String {
    let heads = ["points", "games", "wins", "draws", "losses", "suicides", "forfeits", "aborted"];
    let columns = std::iter::once(Column::words("bot")).chain(heads.map(Column::number)).collect();
    let rows = standings.table().into_iter().map(|placed| {
        let row = placed.row;
        let counts = [row.games, row.wins, row.draws, row.losses, row.suicides, row.forfeits, row.aborted];
        let head = [row.name.clone(), format!("{:.1}", row.points())];
        head.into_iter().chain(counts.map(|count| count.to_string())).collect()
    });
    page::text(&[Block::Table(Table { columns, rows: rows.collect() })])
}
