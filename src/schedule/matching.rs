//! The cheapest way to put everybody into pairs: minimum-cost perfect matching in a general graph, O(n³).
//!
//! Knows nothing of bots or points: vertices are numbers, costs are integers. A cost has several parts of which an
//! earlier one always counts more than all later ones together, so nothing has to be weighed by large factors.
//!
//! ```
//! use arbiter::schedule::matching::cheapest_pairs;
//! // Four on a line, who are to have a short way to each other; but 0 and 1 may not meet.
//! let cost = |a: usize, b: usize| ((a, b) != (0, 1)).then(|| [(b - a).pow(2) as i128]);
//! assert_eq!(cheapest_pairs(4, cost), Some(vec![2, 3, 0, 1]));
//! ```
//!
//! # The algorithm
//!
//! Edmonds' blossom algorithm as a primal-dual method, organised as in Z. Galil, Efficient algorithms for finding
//! maximum matching in graphs, ACM Computing Surveys 18 (1986); written anew from that description.
//!
//! Every vertex has a *price*. The *slack* of an edge is its cost less the prices of its ends and is never negative;
//! an edge of slack 0 is *tight*, and only tight edges are used. A perfect matching of tight edges is cheapest, for
//! the prices prove that no other can cost less. (Odd sets of vertices, the blossoms, add a price of their own, which
//! is what makes this true in graphs with odd cycles.)
//!
//! A *stage* adds one edge to the matching. From every single vertex a tree grows in which *outer* and *inner* nodes
//! take turns: outer ones are reached from the root over an even number of edges, inner ones over an odd number, and
//! below an inner node hangs its partner. When no tight edge helps, prices of outer vertices rise and those of inner
//! ones fall by the same amount until one of four things happens:
//!
//! - an edge from an outer to an unreached node becomes tight: that node and its partner join the tree;
//! - an edge between outer nodes of two trees becomes tight: the path between the roots is exchanged, end of the stage;
//! - an edge between outer nodes of one tree becomes tight: the odd cycle shrinks into one outer node, a *blossom*;
//! - the price of an inner blossom falls to 0: it is dissolved into its parts.
//!
//! What makes a stage O(n²) is that *all vertices of a node change price alike*. So for every vertex outside a blossom
//! the cheapest edge from the blossom stays the same edge for as long as the blossom lives; it is written down once
//! (`doors`), and a node that becomes outer is looked at in n steps, whatever its size.

mod blossom;
mod cost;

use blossom::Node;
use cost::Cost;

/// Puts the vertices `0..n` into pairs so that the sum of costs is least, and gives each one's partner.
///
/// `cost` is asked for each pair `a < b` once and says `None` where the two may not be paired. None if there is no way
/// to pair all. The same costs always give the same pairs. A part of a cost may be up to 2^100 in size.
#[must_use]
pub fn cheapest_pairs<const K: usize>(
    n: usize,
    cost: impl Fn(usize, usize) -> Option<[i128; K]>,
) -> Option<Vec<usize>> {
    if n % 2 == 1 {
        return None;
    }
    let mut search = Search::new(n, cost);
    let singles = search.pair_greedily();
    for _ in 0..singles / 2 {
        search.stage()?;
    }
    Some(search.partner)
}

/// An edge, seen from a node: the end in it, then the end outside.
type Edge = (usize, usize);

/// Where a node stands in the trees of this stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Unreached,
    /// A root, or reached from the partner of its base.
    Outer,
    /// Reached over this edge, which comes from the outer node above.
    Inner(Edge),
}

/// What stops the change of prices.
#[derive(Debug, Clone, Copy)]
enum Event {
    /// An unreached node has a tight edge to an outer one.
    Reach(Edge),
    /// Two outer nodes have a tight edge.
    Meet(Edge),
    /// The price of this inner blossom is 0.
    Dissolve(usize),
}

struct Search<const K: usize> {
    n: usize,
    /// For each two vertices four times the cost that was given. Prices begin even, and all vertices in the trees have
    /// prices of the same parity, since tight edges lead from one to the next: a slack between outer nodes can be halved.
    costs: Vec<Cost<K>>,
    allowed: Vec<bool>,
    prices: Vec<Cost<K>>,
    /// A single vertex is its own partner.
    partner: Vec<usize>,
    /// The vertices, then blossoms.
    nodes: Vec<Node<K>>,
    /// The numbers of dissolved blossoms.
    vacant: Vec<usize>,
    /// The outermost node that holds a vertex.
    top: Vec<usize>,
    /// For a vertex that is not in an outer node, the other end of the cheapest edge from outer nodes.
    from_outer: Vec<Option<usize>>,
}

impl<const K: usize> Search<K> {
    fn new(n: usize, cost: impl Fn(usize, usize) -> Option<[i128; K]>) -> Self {
        let mut costs = vec![Cost::NOTHING; n * n];
        let mut allowed = vec![false; n * n];
        let mut cheapest = vec![None; n];
        for a in 0..n {
            for b in a + 1..n {
                let Some(cost) = cost(a, b).map(Cost) else { continue };
                for (from, to) in [(a, b), (b, a)] {
                    costs[from * n + to] = cost.times(4);
                    allowed[from * n + to] = true;
                    if cheapest[from].is_none_or(|least| cost < least) {
                        cheapest[from] = Some(cost);
                    }
                }
            }
        }
        let prices = cheapest.iter().map(|least| least.unwrap_or(Cost::NOTHING).times(2)).collect();
        let nodes = (0..n).map(|vertex| Node::new(vec![vertex], vertex, Vec::new(), Vec::new())).collect();
        Search {
            n,
            costs,
            allowed,
            prices,
            partner: (0..n).collect(),
            nodes,
            vacant: Vec::new(),
            top: (0..n).collect(),
            from_outer: vec![None; n],
        }
    }

    /// Raises the price of one vertex after the other as far as it goes, and pairs it over the edge that is tight then,
    /// if both its ends are single. Gives the number of those who stay so. Only saves stages; prices stay even.
    fn pair_greedily(&mut self) -> usize {
        for vertex in 0..self.n {
            let allowed = |&other: &usize| self.allowed[vertex * self.n + other];
            let slack = |&other: &usize| self.slack(vertex, other);
            let Some(nearest) = (0..self.n).filter(allowed).min_by_key(slack) else { continue };
            self.prices[vertex] = self.prices[vertex] + self.slack(vertex, nearest);
            if self.partner[vertex] == vertex && self.partner[nearest] == nearest {
                self.partner[vertex] = nearest;
                self.partner[nearest] = vertex;
            }
        }
        (0..self.n).filter(|&vertex| self.partner[vertex] == vertex).count()
    }

    /// Adds one edge to the matching; none if that cannot be done.
    fn stage(&mut self) -> Option<()> {
        self.plant();
        loop {
            let (step, event) = self.next_event()?;
            self.change_prices(step);
            match event {
                Event::Reach(edge) => self.reach(edge),
                Event::Meet(edge) => {
                    let (left, left_root) = self.way_up(edge.0);
                    let (right, right_root) = self.way_up(edge.1);
                    if left_root != right_root {
                        self.exchange(edge, left.into_iter().chain(right));
                        return Some(());
                    }
                    self.shrink(edge, left, right, left_root);
                }
                Event::Dissolve(blossom) => self.dissolve(blossom),
            }
        }
    }

    /// Makes every node with a single base a root.
    fn plant(&mut self) {
        self.from_outer.fill(None);
        for node in &mut self.nodes {
            node.place = Place::Unreached;
            node.to_outer = None;
        }
        for vertex in 0..self.n {
            if self.partner[vertex] == vertex {
                self.make_outer(self.top[vertex]);
            }
        }
    }

    /// The least change of prices after which something happens, and what; none if nothing ever does.
    fn next_event(&self) -> Option<(Cost<K>, Event)> {
        let mut first: Option<(Cost<K>, Event)> = None;
        for event in self.of_vertices().chain(self.of_nodes()) {
            if first.is_none_or(|(least, _)| event.0 < least) {
                first = Some(event);
                if event.0 == Cost::NOTHING {
                    break; // no change is less than none
                }
            }
        }
        first
    }

    /// When outer nodes meet, and inner ones dissolve.
    fn of_nodes(&self) -> impl Iterator<Item = (Cost<K>, Event)> {
        let tops = self.nodes.iter().enumerate().filter(|&(number, _)| self.is_top(number));
        tops.filter_map(|(number, node)| match (node.place, node.to_outer) {
            (Place::Outer, Some(edge)) => Some((self.slack(edge.0, edge.1).half(), Event::Meet(edge))),
            (Place::Inner(_), _) if number >= self.n => Some((node.price.half(), Event::Dissolve(number))),
            _ => None,
        })
    }

    /// When unreached vertices are reached.
    fn of_vertices(&self) -> impl Iterator<Item = (Cost<K>, Event)> {
        self.from_outer.iter().enumerate().filter_map(|(vertex, outer)| match (outer, self.place(vertex)) {
            (&Some(outer), Place::Unreached) => {
                Some((self.slack(vertex, outer), Event::Reach((vertex, outer))))
            }
            _ => None,
        })
    }

    fn change_prices(&mut self, step: Cost<K>) {
        if step == Cost::NOTHING {
            return;
        }
        for vertex in 0..self.n {
            let price = self.prices[vertex];
            self.prices[vertex] = match self.place(vertex) {
                Place::Outer => price + step,
                Place::Inner(_) => price - step,
                Place::Unreached => price,
            };
        }
        for blossom in self.n..self.nodes.len() {
            if self.is_top(blossom) {
                let node = &mut self.nodes[blossom];
                node.price = match node.place {
                    Place::Outer => node.price + step.times(2),
                    Place::Inner(_) => node.price - step.times(2),
                    Place::Unreached => node.price,
                };
            }
        }
    }

    /// Hangs an unreached node and its partner into the tree.
    fn reach(&mut self, edge: Edge) {
        let inner = self.top[edge.0];
        self.nodes[inner].place = Place::Inner(edge);
        self.make_outer(self.top[self.partner[self.nodes[inner].base]]);
    }

    /// A node becomes outer: notes the edges from it that may become tight first.
    fn make_outer(&mut self, node: usize) {
        self.nodes[node].place = Place::Outer;
        let mut nearest: Option<(Cost<K>, Edge)> = None;
        for vertex in (0..self.n).filter(|&vertex| self.top[vertex] != node) {
            let Some(door) = self.door(node, vertex) else { continue };
            let slack = self.slack(door, vertex);
            if self.place(vertex) == Place::Outer {
                if nearest.is_none_or(|(least, _)| slack < least) {
                    nearest = Some((slack, (door, vertex)));
                }
            } else if self.from_outer[vertex].is_none_or(|other| slack < self.slack(other, vertex)) {
                self.from_outer[vertex] = Some(door);
            }
        }
        self.nodes[node].to_outer = nearest.map(|(_, edge)| edge);
    }

    /// The nodes from the one that holds `vertex` up to below the root, each with its edge upwards; and the root.
    fn way_up(&self, vertex: usize) -> (Vec<(usize, Edge)>, usize) {
        let mut way = Vec::new();
        let mut node = self.top[vertex];
        loop {
            let base = self.nodes[node].base;
            let edge = match self.nodes[node].place {
                Place::Inner(edge) => edge,
                _ => (base, self.partner[base]),
            };
            if edge.0 == edge.1 {
                return (way, node);
            }
            way.push((node, edge));
            node = self.top[edge.1];
        }
    }

    /// Two trees have met: on the way from root to root, edges in the matching and others change roles.
    fn exchange(&mut self, met: Edge, way: impl Iterator<Item = (usize, Edge)>) {
        let from_inner =
            |(node, edge): (usize, Edge)| matches!(self.nodes[node].place, Place::Inner(_)).then_some(edge);
        let edges: Vec<Edge> = [met].into_iter().chain(way.filter_map(from_inner)).collect();
        for (a, b) in edges {
            self.pair_up(a, self.top[a], b, self.top[b]);
        }
    }

    fn slack(&self, a: usize, b: usize) -> Cost<K> {
        self.costs[a * self.n + b] - self.prices[a] - self.prices[b]
    }

    fn place(&self, vertex: usize) -> Place {
        self.nodes[self.top[vertex]].place
    }

    /// Whether a node is in no other; a dissolved one never is.
    fn is_top(&self, node: usize) -> bool {
        self.top[self.nodes[node].base] == node
    }
}
