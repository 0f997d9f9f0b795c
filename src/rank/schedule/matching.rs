//! Minimum-cost perfect matching in a general graph, O(n³).
//!
//! Knows nothing of bots or points: vertices are numbers, costs are integers. A cost has several
//! parts; an earlier part always outranks all later parts, so no large weights are needed.
//!
//! ```
//! use arbiter_rank::schedule::matching::cheapest_pairs;
//! // Four points on a line; close points are to be paired, but 0 and 1 must not be.
//! let cost = |a: usize, b: usize| ((a, b) != (0, 1)).then(|| [(b - a).pow(2) as i128]);
//! assert_eq!(cheapest_pairs(4, cost), Some(vec![2, 3, 0, 1]));
//! ```
//!
//! # The algorithm
//!
//! Edmonds' blossom algorithm as a primal-dual method, organised as in Z. Galil, "Efficient
//! algorithms for finding maximum matching in graphs", ACM Computing Surveys 18 (1986), 23-38;
//! implemented from that description.
//!
//! Every vertex has a *price* (its dual variable). The *slack* of an edge is its cost less the
//! prices of its ends and is never negative; an edge of slack 0 is *tight*, and only tight edges
//! are used. A perfect matching of tight edges is cheapest, because the prices prove that no other
//! can cost less. (Odd sets of vertices, the blossoms, have a price too, which makes this true in
//! graphs with odd cycles.)
//!
//! A *stage* adds one edge to the matching. From every single vertex a tree grows in which *outer*
//! and *inner* nodes alternate: outer ones are reached from the root over an even number of edges,
//! inner ones over an odd number, and the child of an inner node is its partner. When no tight edge
//! helps, prices of outer vertices rise and those of inner ones fall by the same amount until one
//! of four events happens:
//!
//! - an edge from an outer to an unreached node becomes tight: that node and its partner join the
//!   tree;
//! - an edge between outer nodes of two trees becomes tight: the path between the roots is
//!   exchanged, end of the stage;
//! - an edge between outer nodes of one tree becomes tight: the odd cycle shrinks into one outer
//!   node, a *blossom*;
//! - the price of an inner blossom falls to 0: it is dissolved into its parts.
//!
//! A stage is O(n²) because *all vertices of a node change price by the same amount*. So for every
//! vertex outside a blossom the cheapest edge from the blossom stays the same while the blossom
//! exists. It is stored once (`cheapest_ends`), and a node that becomes outer is examined in n
//! steps, whatever its size.

mod blossom;
mod cost;

use blossom::Node;
use cost::Cost;

/// Pairs the vertices `0..n` so that the sum of costs is least, and returns each one's partner;
/// `None` if there is no way to pair all of them.
///
/// `cost` is called once for each pair `a < b` and returns `None` where the two must not be paired.
/// Equal costs always give the same pairs. A part of a cost may be up to 2^100 in absolute value.
pub fn cheapest_pairs<const K: usize>(
    n: usize,
    cost: impl Fn(usize, usize) -> Option<[i128; K]>,
) -> Option<Vec<usize>> {
    if n % 2 == 1 {
        return None;
    }
    let mut search = MatchingSearch::new(n, cost);
    let singles = search.pair_greedily();
    for _ in 0..singles / 2 {
        search.stage()?;
    }
    Some(search.partner)
}

/// An edge, seen from a node: the end in it, then the end outside.
type Edge = (usize, usize);

/// The label of a node in the trees of this stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TreeLabel {
    Unreached,
    /// A root, or reached from the partner of its base.
    Outer,
    /// Reached over this edge from the outer node above.
    Inner(Edge),
}

impl TreeLabel {
    /// What a step makes of the price of a vertex or a blossom with this label.
    fn changed<const K: usize>(self, price: Cost<K>, step: Cost<K>) -> Cost<K> {
        match self {
            TreeLabel::Outer => price + step,
            TreeLabel::Inner(_) => price - step,
            TreeLabel::Unreached => price,
        }
    }
}

/// An event that stops the change of prices.
#[derive(Debug, Clone, Copy)]
enum PriceEvent {
    /// An unreached node has a tight edge to an outer one.
    Reach(Edge),
    /// Two outer nodes have a tight edge.
    Meet(Edge),
    /// The price of this inner blossom is 0.
    Dissolve(usize),
}

struct MatchingSearch<const K: usize> {
    n: usize,
    /// Four times the given cost of each pair of vertices. Prices are even at the start, and all
    /// vertices in the trees have prices of the same parity, since tight edges connect them: so a
    /// slack between outer nodes can be halved.
    costs: Vec<Cost<K>>,
    allowed: Vec<bool>,
    prices: Vec<Cost<K>>,
    /// A single vertex is its own partner.
    partner: Vec<usize>,
    /// The vertices, then blossoms.
    nodes: Vec<Node<K>>,
    /// The numbers of dissolved blossoms, to be used again.
    vacant: Vec<usize>,
    /// The outermost node that holds a vertex.
    top: Vec<usize>,
    /// For a vertex that is not in an outer node, the other end of the cheapest edge from outer
    /// nodes.
    from_outer: Vec<Option<usize>>,
}

impl<const K: usize> MatchingSearch<K> {
    fn new(n: usize, cost: impl Fn(usize, usize) -> Option<[i128; K]>) -> Self {
        let mut costs = vec![Cost::NOTHING; n * n];
        let mut allowed = vec![false; n * n];
        let mut cheapest = vec![None; n];
        for a in 0..n {
            for b in a + 1..n {
                let Some(of_edge) = cost(a, b).map(Cost) else { continue };
                for (from, to) in [(a, b), (b, a)] {
                    costs[from * n + to] = of_edge.times(4);
                    allowed[from * n + to] = true;
                    if cheapest[from].is_none_or(|least| of_edge < least) {
                        cheapest[from] = Some(of_edge);
                    }
                }
            }
        }
        // Half the cost of its cheapest edge each: no slack is negative.
        let prices = cheapest.iter().map(|least| least.unwrap_or(Cost::NOTHING).times(2)).collect();
        let nodes = (0..n).map(Node::of_vertex).collect();
        MatchingSearch {
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

    /// Raises the price of each vertex until one of its edges is tight, and pairs it over that edge
    /// if both ends are single. Returns the number of vertices that stay single. This only saves
    /// stages; prices stay even.
    fn pair_greedily(&mut self) -> usize {
        for vertex in 0..self.n {
            let others = (0..self.n).filter(|other| self.allowed[vertex * self.n + other]);
            let Some(nearest) = others.min_by_key(|&other| self.slack(vertex, other)) else {
                continue;
            };
            self.prices[vertex] = self.prices[vertex] + self.slack(vertex, nearest);
            if self.partner[vertex] == vertex && self.partner[nearest] == nearest {
                self.partner[vertex] = nearest;
                self.partner[nearest] = vertex;
            }
        }
        (0..self.n).filter(|&vertex| self.partner[vertex] == vertex).count()
    }

    /// Adds one edge to the matching; `None` if that cannot be done.
    fn stage(&mut self) -> Option<()> {
        self.start_trees();
        loop {
            let (step, event) = self.next_event()?;
            self.change_prices(step);
            match event {
                PriceEvent::Reach(edge) => self.reach(edge),
                PriceEvent::Meet(edge) => {
                    let (left, left_root) = self.path_to_root(edge.0);
                    let (right, right_root) = self.path_to_root(edge.1);
                    if left_root != right_root {
                        // Along the path between the two roots, the edges in the matching and the
                        // others exchange roles.
                        self.pair_up(edge);
                        for (node, upward) in left.into_iter().chain(right) {
                            if matches!(self.nodes[node].label, TreeLabel::Inner(_)) {
                                self.pair_up(upward);
                            }
                        }
                        return Some(());
                    }
                    self.shrink(edge, left, right, left_root);
                }
                PriceEvent::Dissolve(blossom) => self.dissolve(blossom),
            }
        }
    }

    /// Starts a stage: every node with a single base becomes a root.
    fn start_trees(&mut self) {
        self.from_outer.fill(None);
        for node in &mut self.nodes {
            node.label = TreeLabel::Unreached;
            node.to_outer = None;
        }
        for vertex in 0..self.n {
            if self.partner[vertex] == vertex {
                self.make_outer(self.top[vertex]);
            }
        }
    }

    /// The smallest change of prices that causes an event, and the first such event.
    fn next_event(&self) -> Option<(Cost<K>, PriceEvent)> {
        let mut events = Vec::new();
        for (vertex, outer) in self.from_outer.iter().enumerate() {
            if let (&Some(outer), TreeLabel::Unreached) = (outer, self.label(vertex)) {
                events.push((self.slack(vertex, outer), PriceEvent::Reach((vertex, outer))));
            }
        }
        for (number, node) in self.nodes.iter().enumerate() {
            if !self.is_top(number) {
                continue;
            }
            match (node.label, node.to_outer) {
                (TreeLabel::Outer, Some(edge)) => {
                    events.push((self.slack(edge.0, edge.1).half(), PriceEvent::Meet(edge)));
                }
                (TreeLabel::Inner(_), _) if number >= self.n => {
                    events.push((node.price.half(), PriceEvent::Dissolve(number)));
                }
                _ => {}
            }
        }
        // Of equal steps the first one, so that equal costs always give the same pairs.
        events.into_iter().min_by_key(|&(step, _)| step)
    }

    fn change_prices(&mut self, step: Cost<K>) {
        if step == Cost::NOTHING {
            return;
        }
        for vertex in 0..self.n {
            self.prices[vertex] = self.label(vertex).changed(self.prices[vertex], step);
        }
        for blossom in self.n..self.nodes.len() {
            if self.is_top(blossom) {
                // An edge between two of its vertices counts it once for both of their prices.
                let node = &mut self.nodes[blossom];
                node.price = node.label.changed(node.price, step.times(2));
            }
        }
    }

    /// Adds an unreached node and its partner to the tree.
    fn reach(&mut self, edge: Edge) {
        let inner = self.top[edge.0];
        self.nodes[inner].label = TreeLabel::Inner(edge);
        self.make_outer(self.top[self.partner[self.nodes[inner].base]]);
    }

    /// Makes a node outer and stores the edges from it that may become tight first.
    fn make_outer(&mut self, node: usize) {
        self.nodes[node].label = TreeLabel::Outer;
        let mut to_outer: Option<Edge> = None;
        for vertex in 0..self.n {
            if self.top[vertex] == node {
                continue;
            }
            let Some(end) = self.cheapest_end(node, vertex) else { continue };
            let slack = self.slack(end, vertex);
            if self.label(vertex) == TreeLabel::Outer {
                if to_outer.is_none_or(|(inside, outside)| slack < self.slack(inside, outside)) {
                    to_outer = Some((end, vertex));
                }
            } else if self.from_outer[vertex].is_none_or(|other| slack < self.slack(other, vertex))
            {
                self.from_outer[vertex] = Some(end);
            }
        }
        self.nodes[node].to_outer = to_outer;
    }

    /// The nodes from the one that holds `vertex` up to the child of the root, each with its edge
    /// upwards; and the root.
    fn path_to_root(&self, vertex: usize) -> (Vec<(usize, Edge)>, usize) {
        let mut path = Vec::new();
        let mut node = self.top[vertex];
        loop {
            let base = self.nodes[node].base;
            let edge = match self.nodes[node].label {
                TreeLabel::Inner(edge) => edge,
                _ => (base, self.partner[base]),
            };
            if edge.0 == edge.1 {
                return (path, node); // a single base is its own partner, and a root
            }
            path.push((node, edge));
            node = self.top[edge.1];
        }
    }

    /// The cost of an edge between two nodes less the prices of its ends.
    fn slack(&self, a: usize, b: usize) -> Cost<K> {
        self.costs[a * self.n + b] - self.prices[a] - self.prices[b]
    }

    fn label(&self, vertex: usize) -> TreeLabel {
        self.nodes[self.top[vertex]].label
    }

    /// Whether a node is outermost; a dissolved one never is.
    fn is_top(&self, node: usize) -> bool {
        self.top[self.nodes[node].base] == node
    }
}
