//! Strengths for choosing pairings: of all bots at any moment, also of those without games.
//!
//! The tables show ratings by games alone ([`Ratings`](super::Ratings)): a bot without games has
//! none, and nobody can compare groups. Who is to play next has to be decided all the same. So each
//! bot has drawn some games against one average bot that does not play, and these draws stand for
//! what is known of a bot before its first game. They are the prior; what is computed is the mode
//! of the posterior distribution and the curvature there (Laplace's method).

use super::fit::maximize;
use super::game_graph::{FirstSideGames, GameGraph, HeadToHead};
use super::groups::RatingGroups;
use super::information::{Information, InformationFrom};
use super::likelihood::{FirstSide, Likelihood, Values};

/// Drawn games of each bot against the average bot. Two give a standard deviation of 246 Elo.
const PRIOR_DRAWS: u32 = 2;

/// The search ends when no value changes by more than this, in Elo: far below any interval.
const STILL: f64 = 0.01;

/// What is known of a bot's strength, in natural logarithms of odds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Strength {
    pub mean: f64,
    pub variance: f64,
}

/// The strengths of `bots` bots by all games of each two, sorted by their numbers: the two bots,
/// the number of games, and the half points of the first. Sides are left out, because games are
/// played in pairs with sides swapped.
///
/// The search begins at the same ratings each time, and sums have a fixed order. So equal results
/// give equal figures to the last bit, in whatever order they came.
pub(crate) fn strengths(
    bots: usize,
    results: impl Iterator<Item = ([usize; 2], u32, u32)>,
) -> Vec<Strength> {
    let mut edges = Vec::new();
    for (pair, count, half_points) in results {
        edges.push(head_to_head(pair, count, half_points));
    }
    for bot in 0..bots {
        edges.push(head_to_head([bot, bots], PRIOR_DRAWS, PRIOR_DRAWS));
    }
    edges.sort_by_key(HeadToHead::bots);
    let graph = GameGraph::of_edges(bots + 1, edges);
    let groups = RatingGroups::new(&graph, &[]);
    let likelihood = Likelihood { graph: &graph, first_side: FirstSide::LeftOut };
    let at = maximize(&likelihood, &groups, Values::zeros(bots + 1), STILL);
    let covariance =
        Information::new(&likelihood, &groups, &at, InformationFrom::Games).covariance();
    let mut strengths = Vec::new();
    for bot in 0..bots {
        let variance = covariance.of_rating(&groups, bot);
        strengths.push(Strength { mean: at.ratings[bot], variance });
    }
    strengths
}

fn head_to_head([a, b]: [usize; 2], count: u32, half_points: u32) -> HeadToHead {
    let games = FirstSideGames { count, half_points, weight: 0.0 };
    HeadToHead { a: a as u32, b: b as u32, by_first: [games, FirstSideGames::default()] }
}
