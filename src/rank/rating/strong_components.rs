//! The strongly connected components of the graph with an arrow from each bot to every bot from
//! which it took at least half a point, and the bounds that do not exist because of them
//! (definition 10).

use super::game_graph::GameGraph;
use super::groups::RatingGroups;

/// The component of each bot, and which bounds of its bots exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StrongComponents {
    /// The component of each bot.
    pub of: Vec<usize>,
    /// Of each component, whether its bots have a lower and an upper bound.
    has_low: Vec<bool>,
    has_high: Vec<bool>,
}

impl StrongComponents {
    pub fn new(graph: &GameGraph, groups: &RatingGroups) -> StrongComponents {
        let (of, sizes) = components(graph);
        let mut has_low = vec![false; sizes.len()];
        let mut has_high = has_low.clone();
        for (bot, &own) in of.iter().enumerate() {
            // A component with more than half of its group has both bounds, and so has one with an
            // anchor.
            let main =
                2 * sizes[own] > groups.members[groups.of[bot]].len() || groups.is_anchor(bot);
            has_low[own] |= main;
            has_high[own] |= main;
            for opponent in arrows(graph, bot).filter(|&opponent| of[opponent] != own) {
                has_low[own] = true;
                has_high[of[opponent]] = true;
            }
        }
        StrongComponents { of, has_low, has_high }
    }

    /// Whether the rating of this bot has a lower bound. A bot that lost every game has none: it is
    /// a component of its own, from which no arrow leaves.
    pub fn has_low(&self, bot: usize) -> bool {
        self.has_low[self.of[bot]]
    }

    /// Whether the rating of this bot has an upper bound.
    pub fn has_high(&self, bot: usize) -> bool {
        self.has_high[self.of[bot]]
    }
}

/// The bots from which this one took at least half a point.
fn arrows(graph: &GameGraph, bot: usize) -> impl Iterator<Item = usize> {
    graph.edges_of(bot).filter(move |edge| edge.scored(bot)).map(move |edge| edge.opponent(bot))
}

/// The component of each bot, and the size of each component, by the algorithm of R. Tarjan,
/// "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1 (1972), 146-160,
/// with an explicit stack: recursion along a long chain of bots could overflow the thread's stack.
fn components(graph: &GameGraph) -> (Vec<usize>, Vec<usize>) {
    const UNSEEN: usize = usize::MAX;
    let bots = graph.bots();
    // When each bot was seen, and the earliest time at which a bot that it leads to was seen,
    // among those that have no component yet.
    let mut seen_at = vec![UNSEEN; bots];
    let mut lowest = vec![UNSEEN; bots];
    let mut of = vec![UNSEEN; bots];
    let mut stack = Vec::new();
    let mut sizes = Vec::new();
    let mut seen = 0;
    for root in 0..bots {
        if seen_at[root] != UNSEEN {
            continue;
        }
        let mut entered = Some(root);
        // The bots on the way from the root, each with the arrows that have not been followed.
        let mut way = Vec::new();
        loop {
            if let Some(bot) = entered.take() {
                seen_at[bot] = seen;
                lowest[bot] = seen;
                seen += 1;
                stack.push(bot);
                way.push((bot, arrows(graph, bot)));
            }
            let Some(&mut (bot, ref mut arrows)) = way.last_mut() else { break };
            if let Some(to) = arrows.next() {
                if seen_at[to] == UNSEEN {
                    entered = Some(to);
                } else if of[to] == UNSEEN {
                    lowest[bot] = lowest[bot].min(seen_at[to]);
                }
                continue;
            }
            way.pop();
            if let Some(&(before, _)) = way.last() {
                lowest[before] = lowest[before].min(lowest[bot]);
            }
            // Nothing that it leads to was seen earlier: all since then are its component.
            if lowest[bot] == seen_at[bot] {
                let from = stack.iter().rposition(|&other| other == bot).unwrap_or(0);
                let component = stack.split_off(from);
                for &member in &component {
                    of[member] = sizes.len();
                }
                sizes.push(component.len());
            }
        }
    }
    (of, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::{Encounters, Score};
    use proptest::prelude::*;

    fn graph(bots: usize, games: &[(usize, usize, Score)]) -> GameGraph {
        let mut encounters = Encounters::default();
        for &(first, second, score) in games {
            encounters.add_single(first, second, score);
        }
        GameGraph::new(bots, &encounters)
    }

    fn score() -> impl Strategy<Value = Score> {
        prop_oneof![3 => Just(Score::Loss), 1 => Just(Score::Draw), 3 => Just(Score::Win)]
    }

    proptest! {
        #[test]
        fn components_and_bounds_are_those_of_reachability(
            games in prop::collection::vec((0..7_usize, 0..7_usize, score()), 0..16),
        ) {
            let mut leads = [[false; 7]; 7];
            for &(first, second, score) in games.iter().filter(|(first, second, _)| first != second) {
                leads[first][second] |= score != Score::Loss;
                leads[second][first] |= score != Score::Win;
            }
            for via in 0..7 {
                for from in 0..7 {
                    for to in 0..7 {
                        leads[from][to] |= leads[from][via] && leads[via][to];
                    }
                }
            }
            let graph = graph(7, &games);
            let groups = RatingGroups::new(&graph, &[]);
            let found = StrongComponents::new(&graph, &groups);
            for (a, from_a) in leads.iter().enumerate() {
                let same = |b: usize| a == b || from_a[b] && leads[b][a];
                prop_assert!((0..7).all(|b| (found.of[a] == found.of[b]) == same(b)));
                let main = 2 * (0..7).filter(|&b| same(b)).count() > groups.members[groups.of[a]].len();
                prop_assert_eq!(found.has_high(a), main || (0..7).any(|b| leads[b][a] && !same(b)));
                prop_assert_eq!(found.has_low(a), main || (0..7).any(|b| from_a[b] && !same(b)));
            }
        }
    }

    #[test]
    fn a_chain_of_very_many_bots_is_no_trouble() {
        let bots = 20_000;
        let mut games: Vec<_> = (1..bots).map(|bot| (bot - 1, bot, Score::Win)).collect();
        games.push((bots / 2, bots - 1, Score::Draw));
        let graph = graph(bots, &games);
        let found = StrongComponents::new(&graph, &RatingGroups::new(&graph, &[]));
        assert_eq!(found.of[bots / 2], found.of[bots - 1]);
        assert_ne!(found.of[0], found.of[1]);
        assert!(!found.has_high(0) && found.has_high(1) && found.has_low(1));
    }
}
