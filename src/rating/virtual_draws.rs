//! The drawn games that were not played (definition 6).

use super::game_graph::{FirstSideGames, GameGraph};
use super::groups::RatingGroups;
use super::information::{Covariance, of_game};
use super::likelihood::Values;

/// Lays one drawn game for each estimated value: a game gets as much of it as its leverage, the
/// share of it in what determines its own expected score, at these values with this covariance. So
/// they go where results are open and few games tell.
pub(super) fn lay(
    graph: &mut GameGraph,
    groups: &RatingGroups,
    at: &Values,
    covariance: &Covariance,
) {
    for edge in &mut graph.edges {
        let [a, b] = edge.bots();
        for (games, [first, second]) in edge.by_first.iter_mut().zip([[a, b], [b, a]]) {
            games.weight =
                of_game(at.advantage(first, second)) * covariance.of_game(groups, first, second);
        }
    }
}

/// The sum of the weights over all games: the number of estimated values, because it is the trace
/// of the information times its inverse.
pub(super) fn total(graph: &GameGraph) -> f64 {
    let weight = |games: &FirstSideGames| f64::from(games.count) * games.weight;
    graph.edges.iter().flat_map(|edge| &edge.by_first).map(weight).sum()
}
