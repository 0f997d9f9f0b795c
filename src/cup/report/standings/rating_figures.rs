//! The figures from ratings: of each bot, of the first side, and of the whole fit.

use super::contents::StandingsReport;
use super::rounding::{elo, fine};
use arbiter_rank::rating::{RatingDifference, Ratings};
use arbiter_rank::standings::RankedBot;
use serde::Serialize;

/// The rating of a bot; nulls without games.
#[derive(Debug, Serialize)]
pub struct RatingFigures {
    pub group: usize,
    pub rating: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub half_width: Option<f64>,
}

/// Figures of the whole fit.
#[derive(Debug, Serialize)]
pub struct FitFigures {
    pub clusters: u64,
    pub parameters: usize,
    pub virtual_draws: Option<f64>,
    pub repetition: Option<f64>,
}

#[derive(Debug, Serialize)]
pub struct FirstSideFigures {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub share: Option<f64>,
    pub advantage: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub half_width: Option<f64>,
    pub reason: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub struct GroupFigures<'a> {
    pub number: usize,
    pub bots: Vec<&'a str>,
}

/// Two neighbouring bots of the table.
#[derive(Debug, Serialize)]
pub struct NeighbourFigures<'a> {
    pub bot: &'a str,
    pub below: &'a str,
    #[serde(flatten)]
    pub figures: DifferenceFigures,
    /// The index of the upper bot's line in the table.
    #[serde(skip)]
    pub place: usize,
}

/// The difference of two ratings.
#[derive(Debug, Serialize)]
pub struct DifferenceFigures {
    pub difference: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub superiority: Option<f64>,
}

impl DifferenceFigures {
    pub fn new(difference: &RatingDifference) -> DifferenceFigures {
        DifferenceFigures {
            difference: elo(difference.estimate),
            low: difference.low.and_then(elo),
            high: difference.high.and_then(elo),
            superiority: fine(difference.superiority),
        }
    }
}

pub fn rating(ratings: &Ratings, bot: usize) -> RatingFigures {
    let rating = ratings.bots()[bot];
    RatingFigures {
        group: rating.group,
        rating: rating.rating.and_then(elo),
        low: rating.low.and_then(elo),
        high: rating.high.and_then(elo),
        half_width: rating.half_width.and_then(elo),
    }
}

pub fn fit(ratings: &Ratings) -> FitFigures {
    FitFigures {
        clusters: ratings.clusters(),
        parameters: ratings.parameters(),
        virtual_draws: fine(ratings.virtual_draws()),
        repetition: fine(ratings.repetition()),
    }
}

pub fn first_side(report: &StandingsReport) -> FirstSideFigures {
    let results = report.standings.first_side();
    let advantage = report.ratings.first_side();
    FirstSideFigures {
        wins: results.wins,
        draws: results.draws,
        losses: results.losses,
        share: results.share().and_then(fine),
        advantage: advantage.estimate.and_then(elo),
        low: advantage.low.and_then(elo),
        high: advantage.high.and_then(elo),
        half_width: advantage.half_width.and_then(elo),
        reason: match advantage.estimate {
            Some(_) => None,
            None if report.ratings.is_first_side_left_out() => Some("left-out"),
            None => Some("unidentified"),
        },
    }
}

/// Every group with its bots, in the order of their numbers.
pub fn groups(report: &StandingsReport) -> Vec<GroupFigures<'_>> {
    let rows = report.standings.rows();
    let mut groups = Vec::new();
    for (number, members) in (1..).zip(report.ratings.groups()) {
        let bots = members.iter().map(|&bot| rows[bot].name.as_str()).collect();
        groups.push(GroupFigures { number, bots });
    }
    groups
}

/// The differences of neighbours in the table that are in one group.
pub fn neighbours<'a>(ratings: &Ratings, table: &[RankedBot<'a>]) -> Vec<NeighbourFigures<'a>> {
    let mut neighbours = Vec::new();
    for (place, two) in table.windows(2).enumerate() {
        // No games tell a difference between bots of two groups.
        if let Some(difference) = ratings.difference(two[0].bot, two[1].bot) {
            neighbours.push(NeighbourFigures {
                bot: &two[0].row.name,
                below: &two[1].row.name,
                figures: DifferenceFigures::new(&difference),
                place,
            });
        }
    }
    neighbours
}
