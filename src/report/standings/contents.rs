//! The input of the standings report.

use crate::rating::{MatchStatistics, Ratings};
use crate::standings::Standings;
use serde::Serialize;

/// Everything that the report shows. From game logs alone ([`StandingsReport::of`]) most of it is unknown and
/// left out.
#[derive(Debug, Clone)]
pub struct StandingsReport<'a> {
    /// The tournament's name; this and the next four are empty if unknown.
    pub name: &'a str,
    /// The game's name.
    pub game: &'a str,
    /// Its options, in full.
    pub options: &'a str,
    /// The format of the schedule.
    pub format: &'a str,
    /// The isolation level of the bots.
    pub isolation: &'a str,
    /// Points and counts.
    pub standings: &'a Standings,
    /// Ratings of the same bots, with the same numbers.
    pub ratings: &'a Ratings,
    /// The order of the lines of the table.
    pub sort: SortBy,
    /// The bot that [`Ratings::anchor`] gave rating 0; if none, the mean of each group is 0.
    pub anchor: Option<&'a str>,
    /// Whether every scheduled game counts; none if unknown.
    pub complete: Option<bool>,
    /// The number of games with a result, and the number of scheduled games.
    pub games: Option<(u64, u64)>,
    /// Bots that could not be scheduled.
    pub absent: &'a [Absent],
    /// Further notes: rematches, openings that were used again, shared points of a knockout.
    pub notes: &'a [String],
    /// The SPRT of the first two bots.
    pub sprt: Option<SprtReport<'a>>,
    /// The results of `[expect]`.
    pub expectations: &'a [ExpectationResult],
    /// The digests of the bots' contents, in the order of the ratings; empty if unknown.
    pub digests: &'a [Option<String>],
    /// How many versions each bot had, in the same order; empty if unknown.
    pub versions: &'a [u64],
    /// The runs of the tournament, the oldest first.
    pub history: &'a [RunReport],
}

impl<'a> StandingsReport<'a> {
    /// The report from game logs alone.
    #[must_use]
    pub fn of(standings: &'a Standings, ratings: &'a Ratings) -> StandingsReport<'a> {
        StandingsReport {
            name: "",
            game: "",
            options: "",
            format: "",
            isolation: "",
            standings,
            ratings,
            sort: SortBy::Points,
            anchor: None,
            complete: None,
            games: None,
            absent: &[],
            notes: &[],
            sprt: None,
            expectations: &[],
            digests: &[],
            versions: &[],
            history: &[],
        }
    }
}

/// A run of the tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunReport {
    /// When it ended, as in RFC 3339.
    pub time: String,
    /// The games that it played.
    pub games: u64,
    /// The bots that were scheduled.
    pub bots: Vec<RunBotReport>,
}

/// A bot in a run; the figures are in Elo.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunBotReport {
    /// Its name.
    pub name: String,
    /// The digest of its content.
    pub digest: Option<String>,
    /// Its rating after the run.
    pub rating: Option<f64>,
    /// The lower end of the 95 % interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// The order of the lines of the table. Ranks are the same in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortBy {
    /// By rank.
    Points,
    /// By rating in each group, group 1 first; then bots without games.
    Rating,
}

/// How much of the report explains its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Explanation {
    /// Only what the figures cannot do without.
    Short,
    /// A sentence for every figure.
    Full,
}

/// A bot that could not be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// Its name.
    pub name: String,
    /// The reason, a sentence.
    pub reason: String,
}

/// The current state of an SPRT.
#[derive(Debug, Clone, Copy)]
pub struct SprtReport<'a> {
    /// `normalized` or `logistic`.
    pub model: &'a str,
    /// The two hypotheses, in Elo of that model.
    pub elo0: f64,
    /// The second of them.
    pub elo1: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The bound at which H0 is accepted.
    pub lower: f64,
    /// The bound at which H1 is accepted.
    pub upper: f64,
    /// Numbers of counted pairs by the tested bot's points in them: 0, 1/2, 1, 3/2, 2.
    pub counts: [u64; 5],
    /// `H0`, `H1` or `undecided`; none while the test is running.
    pub verdict: Option<&'a str>,
    /// Statistics of the tested bot from the same pairs.
    pub statistics: Option<&'a MatchStatistics>,
}

/// A line of `[expect]` with its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpectationResult {
    /// The line as written: `conny >= 0.6`.
    pub text: String,
    /// Whether it holds.
    pub kept: Kept,
}

/// Whether an expectation holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[must_use]
pub enum Kept {
    /// It holds.
    Yes,
    /// It does not hold.
    No,
    /// There are too few games to decide.
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
