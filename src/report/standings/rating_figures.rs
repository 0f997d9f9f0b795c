//! The figures from ratings: of each bot, of the first side, and of the order of groups.

use super::contents::StandingsReport;
use super::rounding::{elo, fine};
use crate::rating::{self, RatingLimit, Ratings, Width};
use crate::standings::RankedBot;
use serde::Serialize;
use std::collections::BTreeSet;

/// With more groups than this, only relations between neighbours in the table are listed.
const MANY_GROUPS: usize = 12;

#[derive(Debug, Serialize)]
pub(super) struct RatingFigures {
    pub(super) group: usize,
    pub(super) rating: Option<f64>,
    pub(super) half_width: Option<f64>,
    pub(super) half_width_pairs: Option<f64>,
    pub(super) at_least: Option<f64>,
    pub(super) at_most: Option<f64>,
}

/// Figures of the whole fit: which width the tables show, and the numbers that decide it.
#[derive(Debug, Serialize)]
pub(super) struct FitFigures {
    pub(super) shown_width: &'static str,
    pub(super) clusters: u64,
    pub(super) parameters: u64,
    pub(super) log_likelihood: Option<f64>,
}

impl FitFigures {
    /// The one of two figures that belongs to the width shown.
    pub(super) fn choose(&self, plain: Option<f64>, pairs: Option<f64>) -> Option<f64> {
        if self.shown_width == "pairs" { pairs } else { plain }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct FirstSideFigures {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) share: Option<f64>,
    pub(super) elo: Option<f64>,
    pub(super) half_width: Option<f64>,
    pub(super) half_width_pairs: Option<f64>,
    pub(super) reason: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct GroupFigures<'a> {
    pub(super) number: usize,
    pub(super) bots: Vec<&'a str>,
}

/// Two groups of which one is above the other.
#[derive(Debug, Serialize)]
pub(super) struct RelationFigures {
    pub(super) above: usize,
    pub(super) below: usize,
}

/// Two neighbouring bots of the table.
#[derive(Debug, Serialize)]
pub(super) struct NeighbourFigures<'a> {
    pub(super) bot: &'a str,
    pub(super) below: &'a str,
    pub(super) difference: Option<f64>,
    pub(super) half_width: Option<f64>,
    pub(super) half_width_pairs: Option<f64>,
    pub(super) superiority: Option<f64>,
    pub(super) superiority_pairs: Option<f64>,
}

/// All figures from ratings; empty without ratings.
pub(super) struct RatingSection<'a> {
    /// In the order of the table.
    pub(super) bots: Vec<Option<RatingFigures>>,
    pub(super) first_side: FirstSideFigures,
    pub(super) fit: Option<FitFigures>,
    pub(super) groups: Vec<GroupFigures<'a>>,
    pub(super) relations: Vec<RelationFigures>,
    pub(super) neighbours: Vec<NeighbourFigures<'a>>,
}

impl<'a> RatingSection<'a> {
    pub(super) fn of(report: &StandingsReport<'a>, table: &[RankedBot<'a>]) -> RatingSection<'a> {
        let first_side = first_side(report);
        let Some(ratings) = report.ratings else {
            let bots = table.iter().map(|_| None).collect();
            return RatingSection {
                bots,
                first_side,
                fit: None,
                groups: Vec::new(),
                relations: Vec::new(),
                neighbours: Vec::new(),
            };
        };
        let shown = match ratings.shown_width() {
            Width::Pairs => "pairs",
            Width::Information => "information",
        };
        let groups = groups(report, ratings);
        RatingSection {
            bots: table.iter().map(|placed| Some(rating(&ratings.bots()[placed.bot]))).collect(),
            first_side,
            fit: Some(FitFigures {
                shown_width: shown,
                clusters: ratings.clusters(),
                parameters: ratings.parameters(),
                log_likelihood: ratings.log_likelihood().and_then(fine),
            }),
            relations: relations(ratings, &groups, table),
            groups,
            neighbours: table.windows(2).filter_map(|two| neighbours(ratings, &two[0], &two[1])).collect(),
        }
    }
}

fn rating(of: &rating::BotRating) -> RatingFigures {
    let (at_least, at_most) = match of.limit {
        Some(RatingLimit::AtLeast(limit)) => (elo(limit), None),
        Some(RatingLimit::AtMost(limit)) => (None, elo(limit)),
        None => (None, None),
    };
    RatingFigures {
        group: of.group,
        rating: of.rating.and_then(elo),
        half_width: of.half_width.and_then(elo),
        half_width_pairs: of.half_width_pairs.and_then(elo),
        at_least,
        at_most,
    }
}

fn first_side(report: &StandingsReport<'_>) -> FirstSideFigures {
    let fared = report.standings.first_side();
    let advantage = report.ratings.map(|ratings| ratings.first_side());
    let figure =
        |of: fn(&rating::FirstSideAdvantage) -> Option<f64>| advantage.as_ref().and_then(of).and_then(elo);
    FirstSideFigures {
        wins: fared.wins,
        draws: fared.draws,
        losses: fared.losses,
        share: fared.share().and_then(fine),
        elo: figure(|side| side.estimate),
        half_width: figure(|side| side.half_width),
        half_width_pairs: figure(|side| side.half_width_pairs),
        reason: advantage.and_then(|side| side.reason).map(rating::Unestimated::word),
    }
}

/// Every group with its bots, in the order of their numbers.
fn groups<'a>(report: &StandingsReport<'a>, ratings: &Ratings) -> Vec<GroupFigures<'a>> {
    let rows = report.standings.rows();
    let names = |members: &Vec<usize>| members.iter().map(|&bot| rows[bot].name.as_str()).collect();
    let groups = ratings.groups().iter().enumerate();
    groups.map(|(index, members)| GroupFigures { number: index + 1, bots: names(members) }).collect()
}

fn relations(
    ratings: &Ratings,
    groups: &[GroupFigures<'_>],
    table: &[RankedBot<'_>],
) -> Vec<RelationFigures> {
    let of = |placed: &RankedBot<'_>| ratings.bots()[placed.bot].group;
    let pairs: BTreeSet<(usize, usize)> = if groups.len() <= MANY_GROUPS {
        (1..=groups.len()).flat_map(|one| (1..one).map(move |other| (other, one))).collect()
    } else {
        let two = table.windows(2).map(|two| (of(&two[0]), of(&two[1])));
        two.map(|(one, other)| (one.min(other), one.max(other))).collect()
    };
    let related = pairs.into_iter().filter_map(|(one, other)| match ratings.relation(one, other) {
        rating::GroupRelation::Above => Some(RelationFigures { above: one, below: other }),
        rating::GroupRelation::Below => Some(RelationFigures { above: other, below: one }),
        rating::GroupRelation::NotComparable | rating::GroupRelation::Same => None,
    });
    related.collect()
}

/// The comparison of two neighbours; none if they are in different groups.
fn neighbours<'a>(
    ratings: &Ratings,
    bot: &RankedBot<'a>,
    below: &RankedBot<'a>,
) -> Option<NeighbourFigures<'a>> {
    let superiority = ratings.superiority(bot.bot, below.bot)?;
    Some(NeighbourFigures {
        bot: &bot.row.name,
        below: &below.row.name,
        difference: elo(superiority.difference),
        half_width: elo(superiority.half_width),
        half_width_pairs: superiority.half_width_pairs.and_then(elo),
        superiority: superiority.los.and_then(fine),
        superiority_pairs: superiority.los_pairs.and_then(fine),
    })
}
