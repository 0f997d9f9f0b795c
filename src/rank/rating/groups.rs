//! Which bots can be compared: the groups, which are the connected components of the graph of games
//! (definition 4), and whether the games determine the first side's advantage (definition 5).

use super::elimination::Elimination;
use super::game_graph::{GameGraph, HeadToHead};
use std::cmp::Reverse;
use std::sync::Arc;

/// The place of the anchors in a group that has several.
pub(super) const ANCHORS: usize = 0;

/// The groups, largest first, groups of equal size by their first bots. Numbers count from 0 here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RatingGroups {
    /// The bots of each group in configuration order.
    pub members: Vec<Vec<usize>>,
    /// The group of each bot.
    pub of: Vec<usize>,
    /// The unknown rating of its group that is the bot's, by its number. The ratings of several
    /// anchors are known: they share the place [`ANCHORS`], from which the others are measured.
    pub place: Vec<usize>,
    /// The bots of each group whose ratings are fixed, if there are several: one alone shifts a
    /// group only.
    anchors: Vec<Vec<usize>>,
    /// For each group with two or more bots: the order in which its places are eliminated.
    pub orders: Vec<Arc<Elimination>>,
}

impl RatingGroups {
    /// The groups of these games, with the bots whose ratings are fixed.
    pub fn new(graph: &GameGraph, fixed: &[usize]) -> RatingGroups {
        let mut seen = vec![false; graph.bots()];
        let mut members = Vec::new();
        for start in 0..graph.bots() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let mut group = vec![start];
            let mut next = 0;
            while let Some(&bot) = group.get(next) {
                next += 1;
                for opponent in graph.edges_of(bot).map(|edge| edge.opponent(bot)) {
                    if !seen[opponent] {
                        seen[opponent] = true;
                        group.push(opponent);
                    }
                }
            }
            group.sort_unstable();
            members.push(group);
        }
        // The sort is stable, and groups were found in the order of their first bots.
        members.sort_by_key(|group| Reverse(group.len()));
        let mut of = vec![0; graph.bots()];
        let mut place = vec![0; graph.bots()];
        let mut anchors = Vec::new();
        let mut orders = Vec::new();
        for (number, group) in members.iter().enumerate() {
            let mut own = group.clone();
            own.retain(|bot| fixed.contains(bot));
            if own.len() == 1 {
                own.clear(); // it shifts the group after the fit
            }
            let mut places = usize::from(!own.is_empty()); // the first is that of the anchors
            for &bot in group {
                of[bot] = number;
                if !own.contains(&bot) {
                    place[bot] = places;
                    places += 1;
                }
            }
            if group.len() > 1 {
                let edges = edges(graph, group, &place);
                orders.push(Arc::new(Elimination::new(places, edges)));
            }
            anchors.push(own);
        }
        RatingGroups { members, of, place, anchors, orders }
    }

    /// Whether this group has several bots with fixed ratings.
    pub fn is_anchored(&self, group: usize) -> bool {
        !self.anchors[group].is_empty()
    }

    /// Whether the rating of this bot is fixed, and that of another one of its group.
    pub fn is_anchor(&self, bot: usize) -> bool {
        self.anchors[self.of[bot]].contains(&bot)
    }

    /// The places of the two bots of an edge.
    pub fn places(&self, edge: &HeadToHead) -> [usize; 2] {
        edge.bots().map(|bot| self.place[bot])
    }

    /// Values of the places of a group with mean 0, measured from its anchors if it has several.
    pub fn centred(&self, group: usize, mut values: Vec<f64>) -> Vec<f64> {
        if self.is_anchored(group) {
            let zero = values[ANCHORS];
            for value in &mut values {
                *value -= zero;
            }
        }
        values
    }

    /// The bots of the groups that have ratings: those with two or more bots, which come before the
    /// others.
    pub fn rated(&self) -> impl Iterator<Item = &[usize]> {
        self.members.iter().map(Vec::as_slice).take_while(|bots| bots.len() > 1)
    }

    /// The number of differences of ratings that are estimated: one less than the places of each
    /// group.
    pub fn differences(&self) -> usize {
        self.orders.iter().map(|order| order.size() - 1).sum()
    }
}

/// The places that are joined by games of these bots, each two once.
fn edges(graph: &GameGraph, bots: &[usize], place: &[usize]) -> Vec<[usize; 2]> {
    let mut edges = Vec::new();
    for &bot in bots {
        for edge in graph.edges_of(bot).filter(|edge| edge.opponent(bot) > bot) {
            let [a, b] = edge.bots().map(|end| place[end]);
            if a != b {
                edges.push([a.min(b), a.max(b)]); // not a game between anchors
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Whether the games determine the first side's advantage: unless each place can be given a number
/// such that the first side's number is greater by 1 than the second side's in every game
/// (definition 5).
pub(super) fn determine_first_side(graph: &GameGraph, groups: &RatingGroups) -> bool {
    // A walk through each group gives each bot the only number that it can have. The advantage is
    // determined as soon as one bot is reached with two numbers.
    let mut numbers: Vec<Option<i64>> = vec![None; graph.bots()];
    for group in groups.rated() {
        let mut reached = vec![(group[0], 0)];
        while let Some((bot, number)) = reached.pop() {
            if let Some(found) = numbers[bot] {
                if found != number {
                    return true;
                }
                continue;
            }
            numbers[bot] = Some(number);
            if groups.is_anchor(bot) {
                // The anchors of a group have one place.
                reached.extend(groups.anchors[groups.of[bot]].iter().map(|&bot| (bot, number)));
            }
            for edge in graph.edges_of(bot) {
                for (first, _, games) in edge.games() {
                    if games.count > 0 {
                        let step = if first == bot { -1 } else { 1 };
                        reached.push((edge.opponent(bot), number + step));
                    }
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::{Encounters, Score};
    use proptest::prelude::*;

    fn graph(bots: usize, games: &[(usize, usize)]) -> GameGraph {
        let mut encounters = Encounters::default();
        for &(first, second) in games {
            encounters.add_single(first, second, Score::Draw);
        }
        GameGraph::new(bots, &encounters)
    }

    fn determined(bots: usize, games: &[(usize, usize)]) -> bool {
        let graph = graph(bots, games);
        determine_first_side(&graph, &RatingGroups::new(&graph, &[]))
    }

    #[test]
    fn the_first_side_is_determined_by_a_cycle_with_unequal_sides() {
        assert!(!determined(3, &[]));
        assert!(!determined(3, &[(0, 1), (0, 1), (1, 2)]));
        assert!(determined(2, &[(0, 1), (1, 0)]));
        assert!(determined(3, &[(0, 1), (1, 2), (2, 0)]));
        assert!(determined(3, &[(0, 1), (1, 2), (0, 2)]));
        assert!(!determined(4, &[(0, 1), (1, 2), (0, 3), (3, 2)]));
        assert!(determined(6, &[(0, 1), (1, 2), (3, 4), (4, 5), (5, 4)]));
    }

    proptest! {
        #[test]
        fn groups_are_those_of_reachability(games in prop::collection::vec((0..7_usize, 0..7_usize), 0..9)) {
            let mut met = [[false; 7]; 7];
            for &(first, second) in &games {
                met[first][second] = true;
                met[second][first] = true;
            }
            for via in 0..7 {
                for from in 0..7 {
                    for to in 0..7 {
                        met[from][to] |= met[from][via] && met[via][to];
                    }
                }
            }
            let groups = RatingGroups::new(&graph(7, &games), &[]);
            for (a, from_a) in met.iter().enumerate() {
                for (b, joined) in from_a.iter().enumerate() {
                    prop_assert_eq!(groups.of[a] == groups.of[b], a == b || *joined);
                }
                prop_assert_eq!(groups.members[groups.of[a]][groups.place[a]], a);
            }
            let order: Vec<_> = groups.members.iter().map(|bots| (usize::MAX - bots.len(), bots[0])).collect();
            prop_assert!(order.is_sorted());
            prop_assert!(groups.members.iter().all(|bots| bots.is_sorted()));
        }

        #[test]
        fn determined_is_what_no_numbers_satisfy(games in prop::collection::vec((0..4_usize, 0..4_usize), 0..6)) {
            let games: Vec<(usize, usize)> = games.into_iter().filter(|(first, second)| first != second).collect();
            // If there are such numbers, there are some between 0 and 3.
            let exist = (0..256_usize).any(|digits| {
                let number = |bot: usize| (digits >> (2 * bot)) & 3;
                games.iter().all(|&(first, second)| number(first) == number(second) + 1)
            });
            prop_assert_eq!(determined(4, &games), !exist);
        }
    }
}
