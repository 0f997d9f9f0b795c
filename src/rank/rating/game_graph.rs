//! The graph of games: bots are its vertices, and two bots that met are joined by an edge, which
//! holds all their games by which of them had the first side. It is computed from the encounters
//! and is the input of the fit.

use crate::standings::{Cluster, Encounter, Encounters};

/// All games of two bots, `a` before `b` in configuration order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HeadToHead {
    pub a: u32,
    pub b: u32,
    /// The games in which `a` had the first side, then those in which `b` had it.
    pub by_first: [FirstSideGames; 2],
}

/// Games in which one of two bots had the first side. Two thousand million of them are enough for
/// `half_points` to overflow; nobody plays as many.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct FirstSideGames {
    pub count: u32,
    /// Points of the first side, doubled.
    pub half_points: u32,
    /// The drawn games not played that each of these games adds (definition 6).
    pub weight: f64,
}

impl FirstSideGames {
    /// Points of the first side, then of the second.
    pub fn points(self) -> [f64; 2] {
        let of_second = 2 * self.count - self.half_points;
        [f64::from(self.half_points) / 2.0, f64::from(of_second) / 2.0]
    }
}

impl HeadToHead {
    /// The numbers of the two bots.
    pub fn bots(&self) -> [usize; 2] {
        [self.a as usize, self.b as usize]
    }

    /// First side, second side, and their games, for both assignments of sides.
    pub fn games(&self) -> [(usize, usize, FirstSideGames); 2] {
        let [a, b] = self.bots();
        let [of_a, of_b] = self.by_first;
        [(a, b, of_a), (b, a, of_b)]
    }

    /// The other one of the two bots.
    pub fn opponent(&self, bot: usize) -> usize {
        let [a, b] = self.bots();
        if bot == a { b } else { a }
    }

    /// Whether this bot took at least half a point from the other one.
    pub fn scored(&self, bot: usize) -> bool {
        let mut games = self.games().into_iter();
        games.any(|(first, _, games)| games.points()[usize::from(first != bot)] > 0.0)
    }
}

/// The edges of the graph, sorted by the numbers of their bots, and the edges of each bot. A bot's
/// games against itself have no effect on ratings and are left out.
#[derive(Debug)]
pub(super) struct GameGraph {
    pub edges: Vec<HeadToHead>,
    /// The index in `touching` of the first edge of each bot, then the length of `touching`.
    starts: Vec<usize>,
    /// Indices in `edges`.
    touching: Vec<u32>,
}

impl GameGraph {
    pub fn new(bots: usize, encounters: &Encounters) -> GameGraph {
        GameGraph::of_edges(bots, edges(encounters))
    }

    /// Of these edges, sorted by their bots, each two once.
    pub fn of_edges(bots: usize, edges: Vec<HeadToHead>) -> GameGraph {
        // A counting sort of the edges by their bots: how many each has, where those of each begin,
        // then each edge to its two places.
        let mut starts = vec![0; bots + 1];
        for bot in edges.iter().flat_map(HeadToHead::bots) {
            starts[bot + 1] += 1;
        }
        for bot in 0..bots {
            starts[bot + 1] += starts[bot];
        }
        let mut next = starts.clone();
        let mut touching = vec![0; 2 * edges.len()];
        for (index, edge) in edges.iter().enumerate() {
            for bot in edge.bots() {
                touching[next[bot]] = index as u32;
                next[bot] += 1;
            }
        }
        GameGraph { edges, starts, touching }
    }

    pub fn bots(&self) -> usize {
        self.starts.len() - 1
    }

    /// The [games](HeadToHead::games) of all edges.
    pub fn games(&self) -> impl Iterator<Item = (usize, usize, FirstSideGames)> {
        self.edges.iter().flat_map(HeadToHead::games)
    }

    /// The number of drawn games that were not played (definition 6). It is the number of estimated
    /// values, because it is the trace of the information times its inverse.
    pub fn virtual_draws(&self) -> f64 {
        self.games().map(|(_, _, games)| f64::from(games.count) * games.weight).sum()
    }

    /// The edges of a bot.
    pub fn edges_of(&self, bot: usize) -> impl ExactSizeIterator<Item = &HeadToHead> {
        let touching = &self.touching[self.starts[bot]..self.starts[bot + 1]];
        touching.iter().map(|&edge| &self.edges[edge as usize])
    }
}

fn edges(encounters: &Encounters) -> Vec<HeadToHead> {
    // Growing would take twice the memory.
    let mut edges: Vec<HeadToHead> = Vec::with_capacity(encounters.iter().count());
    for ((first, second), cell) in encounters.iter() {
        if first == second {
            continue;
        }
        let mut by_first = games(cell);
        if first > second {
            by_first.reverse();
        }
        let a = first.min(second) as u32;
        let b = first.max(second) as u32;
        edges.push(HeadToHead { a, b, by_first });
    }
    edges.sort_unstable_by_key(HeadToHead::bots);
    // Two bots have an entry for each of them that had the first side in game 1.
    edges.dedup_by(|next, kept| {
        let same = next.bots() == kept.bots();
        if same {
            for (sum, games) in kept.by_first.iter_mut().zip(next.by_first) {
                sum.count += games.count;
                sum.half_points += games.half_points;
            }
        }
        same
    });
    edges
}

/// The games in which the bot that had the first side in game 1 had it, then the others.
fn games(cell: &Encounter) -> [FirstSideGames; 2] {
    let mut by_first = [FirstSideGames::default(); 2];
    for (cluster, occurred) in cell.clusters() {
        let scores = match &cluster {
            Cluster::Single(score) => std::slice::from_ref(score),
            Cluster::Pair(scores) => scores,
        };
        for (games, score) in by_first.iter_mut().zip(scores) {
            games.count += occurred.copies as u32;
            games.half_points += (occurred.copies * score.half_points()) as u32;
        }
    }
    by_first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::Score;

    #[test]
    fn games_are_counted_by_who_had_the_first_side() {
        let mut encounters = Encounters::default();
        encounters.add_pair(2, 1, [Score::Win, Score::Draw]);
        encounters.add_pair(1, 2, [Score::Win, Score::Loss]);
        encounters.add_single(1, 2, Score::Loss);
        encounters.add_single(1, 1, Score::Win);
        let expected = HeadToHead {
            a: 1,
            b: 2,
            by_first: [
                FirstSideGames { count: 3, half_points: 3, weight: 0.0 },
                FirstSideGames { count: 2, half_points: 2, weight: 0.0 },
            ],
        };
        let graph = GameGraph::new(4, &encounters);
        assert_eq!(graph.edges, [expected]);
        assert_eq!([0, 1, 2, 3].map(|bot| graph.edges_of(bot).len()), [0, 1, 1, 0]);
    }

    #[test]
    fn a_draw_scores_for_both() {
        let games = |score| {
            let mut encounters = Encounters::default();
            encounters.add_single(1, 0, score);
            let edge = GameGraph::new(2, &encounters).edges[0];
            [edge.scored(0), edge.scored(1)]
        };
        assert_eq!(
            [Score::Loss, Score::Draw, Score::Win].map(games),
            [[true, false], [true, true], [false, true]]
        );
    }
}
