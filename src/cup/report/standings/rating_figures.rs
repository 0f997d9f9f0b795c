//! The figures from ratings: of each bot, of the first side, and of the whole fit.

use super::contents::StandingsReport;
use super::rounding::{elo, fine};
use arbiter_rank::rating::{RatingDifference, Ratings};
use arbiter_rank::standings::RankedBot;
use serde::Serialize;

/// The rating of a bot; nulls without games.
#[derive(Debug, Serialize)]
pub(super) struct RatingFigures {
    pub(super) group: usize,
    pub(super) rating: Option<f64>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    pub(super) half_width: Option<f64>,
}

/// Figures of the whole fit.
#[derive(Debug, Serialize)]
pub(super) struct FitFigures {
    pub(super) clusters: u64,
    pub(super) parameters: usize,
    pub(super) virtual_draws: Option<f64>,
    pub(super) repetition: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct FirstSideFigures {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) share: Option<f64>,
    pub(super) advantage: Option<f64>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    pub(super) half_width: Option<f64>,
    pub(super) reason: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct GroupFigures<'a> {
    pub(super) number: usize,
    pub(super) bots: Vec<&'a str>,
}

/// Two neighbouring bots of the table.
#[derive(Debug, Serialize)]
pub(super) struct NeighbourFigures<'a> {
    pub(super) bot: &'a str,
    pub(super) below: &'a str,
    #[serde(flatten)]
    pub(super) figures: DifferenceFigures,
    /// The index of the upper bot's line in the table.
    #[serde(skip)]
    pub(super) place: usize,
}

/// The difference of two ratings.
#[derive(Debug, Serialize)]
pub(super) struct DifferenceFigures {
    pub(super) difference: Option<f64>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    pub(super) superiority: Option<f64>,
}

impl DifferenceFigures {
    pub(super) fn new(difference: &RatingDifference) -> DifferenceFigures {
        DifferenceFigures {
            difference: elo(difference.estimate),
            low: difference.low.and_then(elo),
            high: difference.high.and_then(elo),
            superiority: fine(difference.superiority),
        }
    }
}

pub(super) fn rating(ratings: &Ratings, bot: usize) -> RatingFigures {
    let rating = ratings.bots()[bot];
    RatingFigures {
        group: rating.group,
        rating: rating.rating.and_then(elo),
        low: rating.low.and_then(elo),
        high: rating.high.and_then(elo),
        half_width: rating.half_width.and_then(elo),
    }
}

pub(super) fn fit(ratings: &Ratings) -> FitFigures {
    FitFigures {
        clusters: ratings.clusters(),
        parameters: ratings.parameters(),
        virtual_draws: fine(ratings.virtual_draws()),
        repetition: fine(ratings.repetition()),
    }
}

pub(super) fn first_side(report: &StandingsReport) -> FirstSideFigures {
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
pub(super) fn groups(report: &StandingsReport) -> Vec<GroupFigures<'_>> {
    let rows = report.standings.rows();
    let mut groups = Vec::new();
    for (number, members) in (1..).zip(report.ratings.groups()) {
        let bots = members.iter().map(|&bot| rows[bot].name.as_str()).collect();
        groups.push(GroupFigures { number, bots });
    }
    groups
}

/// The differences of neighbours in the table that are in one group.
pub(super) fn neighbours<'a>(
    ratings: &Ratings,
    table: &[RankedBot<'a>],
) -> Vec<NeighbourFigures<'a>> {
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
