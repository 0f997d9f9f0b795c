//! The draws that were not played (definition 6).

use super::game_graph::GameGraph;
use super::groups::RatingGroups;
use super::network::{Network, NetworkFactor, Resistances};

/// Virtual draws for each estimated difference of ratings (definition 6).
const DRAWS: f64 = 1.5;

/// Sets the weights of all games: a virtual draw of weight `DRAWS` times the resistance between the two bots,
/// when each game is a resistor of 1. So they go where games carry most: a game that alone connects two parts
/// of a group gets all of 1.5, one of a hundred games between two bots a hundredth of it.
pub(super) fn set_weights(graph: &mut GameGraph, groups: &RatingGroups) {
    let mut networks: Vec<Network> = groups.orders.iter().map(Network::new).collect();
    for edge in &graph.edges {
        let [a, b] = edge.bots();
        networks[groups.of[a]].join(groups.place[a], groups.place[b], edge.count());
    }
    let factors = networks.into_iter().map(Network::factor);
    let resistances: Vec<Resistances> = factors.map(NetworkFactor::resistances).collect();
    for edge in &mut graph.edges {
        let [a, b] = edge.bots();
        edge.weight = DRAWS * resistances[groups.of[a]].between(groups.place[a], groups.place[b]);
    }
}

/// The sum of the weights over all games: [`DRAWS`] for each estimated difference (Foster's theorem).
pub(super) fn total(graph: &GameGraph) -> f64 {
    graph.edges.iter().map(|edge| edge.count() * edge.weight).sum()
}
