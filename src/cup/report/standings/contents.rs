//! The input of the standings report.

use super::sprt_figures::SprtFigures;
use crate::tournament::{Absentee, Milestones, RunEntry};
use arbiter_rank::rating::Ratings;
use arbiter_rank::standings::Standings;
use arbiter_rules::text::words;
use serde::Serialize;

/// Everything that the report shows. From game logs alone ([`StandingsReport::new`]) most of it is
/// unknown and left out.
#[derive(Debug, Clone)]
pub struct StandingsReport {
    /// The tournament's name; this and the next four are empty if unknown.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// Its options, in full.
    pub options: String,
    /// The format of the schedule.
    pub format: &'static str,
    /// The isolation level of the bots.
    pub isolation: String,
    /// Points and counts.
    pub standings: Standings,
    /// Ratings of the same bots, with the same numbers.
    pub ratings: Ratings,
    /// The order of the lines of the table.
    pub sort: SortBy,
    /// The bots that have a rating by definition, in Elo; without them the mean of each group is 0.
    pub anchors: Vec<(String, f64)>,
    /// Whether every scheduled game counts; `None` if unknown.
    pub complete: Option<bool>,
    /// How much of the schedule has been played; `None` if unknown.
    pub games: Option<GameCounts>,
    /// Bots that could not be scheduled.
    pub absent: Vec<Absentee>,
    /// Further notes: rematches, openings that were used again, shared points of a knockout.
    pub notes: Vec<String>,
    /// The SPRT of the first two bots.
    pub sprt: Option<SprtFigures>,
    /// The milestones of the bots by their numbers.
    pub milestones: Option<Milestones>,
    /// The results of `[expect]`.
    pub expectations: Vec<ExpectationResult>,
    /// The digests of the bots' contents, in the order of the ratings; empty if unknown.
    pub digests: Vec<Option<String>>,
    /// What the bots are called beside their names, in the same order; empty if unknown.
    pub display_names: Vec<Option<String>>,
    /// How many versions each bot had, in the same order; empty if unknown.
    pub versions: Vec<u64>,
    /// The runs of the tournament, the oldest first.
    pub history: Vec<RunEntry>,
}

impl StandingsReport {
    /// The report from game logs alone.
    pub fn new(standings: Standings, ratings: Ratings) -> StandingsReport {
        StandingsReport {
            name: String::new(),
            game: String::new(),
            options: String::new(),
            format: "",
            isolation: String::new(),
            standings,
            ratings,
            sort: SortBy::Points,
            anchors: Vec::new(),
            complete: None,
            games: None,
            absent: Vec::new(),
            notes: Vec::new(),
            sprt: None,
            milestones: None,
            expectations: Vec::new(),
            digests: Vec::new(),
            display_names: Vec::new(),
            versions: Vec::new(),
            history: Vec::new(),
        }
    }
}

/// How much of a schedule has been played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GameCounts {
    /// The games with a result.
    pub played: u64,
    /// The scheduled games.
    pub scheduled: u64,
    /// Whether these are the most, because tests that have no verdict yet may end the games before.
    pub at_most: bool,
}

/// The order of the lines of the table. Ranks are the same in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortBy {
    /// By rank.
    Points,
    /// By rating in each group, group 1 first; then bots without games.
    Rating,
}

/// How much of the figures the report shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Explanation {
    /// One table with ranks, points, results and ratings, and what must be known about them.
    Short,
    /// All figures, with a sentence for each.
    Full,
}

/// A line of `[expect]` with its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpectationResult {
    /// The line as written: `conny >= 0.6`.
    pub text: String,
    /// Whether it holds.
    pub kept: Kept,
}

words! {
    /// Whether an expectation holds.
    #[must_use]
    Kept {
        /// It holds.
        Yes = "yes",
        /// It does not hold.
        No = "no",
        /// There are too few games to decide.
        Undecided = "undecided",
    }
}
