//! The order in which the vertices of a sparse graph are eliminated: minimum degree (A. George and
//! J. Liu, "The evolution of the minimum degree ordering algorithm", SIAM Review 31, 1989, 1-19).
//!
//! To eliminate a vertex is to join all its neighbours to each other. A chain, a tree or the games
//! of the first rounds of a Swiss are nearly used up that way with few new edges. What is left when
//! every vertex has many neighbours is the core. It is treated as a dense graph, where the work is
//! the cube of its size. A graph that is dense from the beginning is all core.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A vertex is eliminated while it has fewer neighbours than one in so many of the vertices that
/// are left. With more, work along the rows of a dense matrix is faster.
const DENSE: usize = 4;

/// Positions of vertices in the order of elimination; those of the core come last, in the order of
/// their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Elimination {
    /// The position of each vertex.
    pub position: Vec<usize>,
    /// For each eliminated vertex, by position: the positions of its neighbours when it is
    /// eliminated, ascending.
    pub later: Vec<Vec<usize>>,
}

/// Where the weight between two neighbours of an eliminated vertex is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EdgePlace {
    /// With the eliminated vertex at this position, at this index among its later neighbours.
    Row(usize, usize),
    /// Between these two vertices of the core.
    Core(usize, usize),
}

impl Elimination {
    /// Of the graph with these edges, each between two different vertices below `vertices`, none
    /// named twice.
    pub fn new(vertices: usize, edges: impl IntoIterator<Item = [usize; 2]>) -> Elimination {
        let mut around: Vec<Vec<usize>> = vec![Vec::new(); vertices];
        for [a, b] in edges {
            around[a].push(b);
            around[b].push(a);
        }
        for near in &mut around {
            near.sort_unstable();
        }
        let mut least: BinaryHeap<_> =
            around.iter().enumerate().map(|(vertex, near)| Reverse((near.len(), vertex))).collect();
        let mut order = Vec::new();
        let mut is_gone = vec![false; vertices];
        let mut later = Vec::new();
        while let Some(Reverse((degree, vertex))) = least.pop() {
            if is_gone[vertex] || degree != around[vertex].len() {
                continue; // a newer entry has its degree
            }
            if degree == 0 || degree * DENSE >= vertices - order.len() {
                break; // the last vertex has no neighbours
            }
            let near = std::mem::take(&mut around[vertex]);
            for &neighbour in &near {
                around[neighbour] = joined(&around[neighbour], &near, [vertex, neighbour]);
                least.push(Reverse((around[neighbour].len(), neighbour)));
            }
            is_gone[vertex] = true;
            order.push(vertex);
            later.push(near);
        }
        order.extend((0..vertices).filter(|&vertex| !is_gone[vertex]));
        let mut position = vec![0; vertices];
        for (at, &vertex) in order.iter().enumerate() {
            position[vertex] = at;
        }
        for near in &mut later {
            for vertex in near.iter_mut() {
                *vertex = position[*vertex];
            }
            near.sort_unstable();
        }
        Elimination { position, later }
    }

    /// The number of vertices.
    pub fn size(&self) -> usize {
        self.position.len()
    }

    /// Values of the vertices, in the order of their positions.
    pub fn by_position(&self, values: &[f64]) -> Vec<f64> {
        let mut ordered = vec![0.0; values.len()];
        for (&at, &value) in self.position.iter().zip(values) {
            ordered[at] = value;
        }
        ordered
    }

    /// A row of zeros for each eliminated vertex, with a place for each later neighbour.
    pub fn zero_rows(&self) -> Vec<Vec<f64>> {
        self.later.iter().map(|near| vec![0.0; near.len()]).collect()
    }

    /// The number of eliminated vertices, which is the position of the first vertex of the core.
    pub fn eliminated(&self) -> usize {
        self.later.len()
    }

    /// The number of vertices of the core.
    pub fn core(&self) -> usize {
        self.size() - self.eliminated()
    }

    /// Every two later neighbours of the eliminated vertex at this position, by their indices among
    /// them, with their place.
    pub fn each_pair(&self, position: usize, mut action: impl FnMut([usize; 2], EdgePlace)) {
        let near = &self.later[position];
        for (i, &one) in near.iter().enumerate() {
            let mut at = 0;
            for (j, &other) in near.iter().enumerate().skip(i + 1) {
                let place = match self.later.get(one) {
                    Some(row) => {
                        // They were joined, so it is among them.
                        at += row[at..].iter().take_while(|place| **place < other).count();
                        EdgePlace::Row(one, at)
                    }
                    None => EdgePlace::Core(one - self.eliminated(), other - self.eliminated()),
                };
                action([i, j], place);
            }
        }
    }

    /// The place of the edge between two different positions; `None` if there is no such edge.
    pub fn place(&self, a: usize, b: usize) -> Option<EdgePlace> {
        let one = a.min(b);
        let other = a.max(b);
        match self.later.get(one) {
            Some(row) => row.binary_search(&other).ok().map(|at| EdgePlace::Row(one, at)),
            None => Some(EdgePlace::Core(one - self.eliminated(), other - self.eliminated())),
        }
    }
}

/// Two ascending lists as one, without these two vertices.
fn joined(one: &[usize], other: &[usize], without: [usize; 2]) -> Vec<usize> {
    let mut all = [one, other].concat();
    all.sort(); // not `sort_unstable`: this sort merges two ascending runs, in linear time
    all.dedup();
    all.retain(|vertex| !without.contains(vertex));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_used_up_and_a_dense_graph_is_not_touched() {
        let chain = Elimination::new(1000, (1..1000).map(|vertex| [vertex - 1, vertex]));
        assert!(
            chain.core() <= 2 * DENSE && chain.later.iter().all(|near| near.len() <= 2),
            "{chain:?}"
        );
        let star = Elimination::new(1000, (1..1000).map(|vertex| [0, vertex]));
        assert!(star.core() <= DENSE && star.later.iter().all(|near| near.len() == 1), "{star:?}");
        let all = Elimination::new(20, (0..20).flat_map(|b| (0..b).map(move |a| [a, b])));
        assert_eq!((all.core(), all.position), (20, (0..20).collect()));
        assert_eq!(Elimination::new(1, std::iter::empty()).core(), 1);
    }
}
