//! Blossoms: how they are made, rotated and dissolved, and which edge from them to each vertex is
//! cheapest.

use super::{Cost, Edge, MatchingSearch, TreeLabel};

/// A vertex, or a blossom: an odd cycle of nodes that is treated as one node.
#[derive(Debug)]
pub(super) struct Node<const K: usize> {
    pub vertices: Vec<usize>,
    /// The vertex whose partner is outside of the node, or that has none.
    pub base: usize,
    /// The parts of a blossom around the cycle, the one with the base first; empty for a vertex.
    /// The edge beside a part leads from it to the next one; the second, fourth, … of these edges
    /// are in the matching.
    pub cycle: Vec<(usize, Edge)>,
    /// For every vertex outside of a blossom, the end inside the blossom of the cheapest edge to
    /// it.
    pub cheapest_ends: Vec<Option<usize>>,
    /// The price of a blossom; never negative.
    pub price: Cost<K>,
    pub label: TreeLabel,
    /// The cheapest edge to the nodes that were outer before this one.
    pub to_outer: Option<Edge>,
}

impl<const K: usize> Node<K> {
    pub fn of_vertex(vertex: usize) -> Self {
        Node {
            vertices: vec![vertex],
            base: vertex,
            cycle: Vec::new(),
            cheapest_ends: Vec::new(),
            price: Cost::NOTHING,
            label: TreeLabel::Unreached,
            to_outer: None,
        }
    }
}

impl<const K: usize> MatchingSearch<K> {
    /// Makes the ends of an edge partners, and each of them the base of its outermost node.
    pub(super) fn pair_up(&mut self, (a, b): Edge) {
        self.pair_parts((a, b), [self.top[a], self.top[b]]);
    }

    /// Makes the ends of an edge between these nodes partners, and each the base of its node.
    fn pair_parts(&mut self, (a, b): Edge, [node_a, node_b]: [usize; 2]) {
        self.rebase(node_a, a);
        self.rebase(node_b, b);
        self.partner[a] = b;
        self.partner[b] = a;
    }

    /// Pairs the vertices of a blossom so that `vertex` remains for a partner outside.
    fn rebase(&mut self, blossom: usize, vertex: usize) {
        self.nodes[blossom].base = vertex;
        let mut cycle = std::mem::take(&mut self.nodes[blossom].cycle);
        let mut parts = cycle.iter();
        let Some(start) = parts.position(|(part, _)| self.nodes[*part].vertices.contains(&vertex))
        else {
            return; // a vertex has no parts
        };
        cycle.rotate_left(start);
        if start != 0 {
            // The second, fourth, … edge of the turned cycle have to be in the matching.
            for at in (1..cycle.len()).step_by(2) {
                let (part, edge) = cycle[at];
                self.pair_parts(edge, [part, cycle[(at + 1) % cycle.len()].0]);
            }
        }
        self.rebase(cycle[0].0, vertex);
        self.nodes[blossom].cycle = cycle;
    }

    /// Shrinks the cycle that the edge `met` between two outer nodes of one tree closes into one
    /// outer node.
    pub(super) fn shrink(
        &mut self,
        met: Edge,
        mut left: Vec<(usize, Edge)>,
        mut right: Vec<(usize, Edge)>,
        root: usize,
    ) {
        // Both ways to the root are the same from the fork up; the cycle consists of what differs.
        let mut fork = root;
        while let (Some(&(a, _)), Some(&(b, _))) = (left.last(), right.last())
            && a == b
        {
            fork = a;
            left.pop();
            right.pop();
        }
        let mut cycle = Vec::new();
        let mut part = fork;
        for (below, (inside, above)) in left.into_iter().rev() {
            cycle.push((part, (above, inside)));
            part = below;
        }
        cycle.push((part, met));
        cycle.extend(right);
        let mut node = Node::of_vertex(self.nodes[fork].base);
        node.vertices.clear();
        for (inner, _) in &cycle {
            node.vertices.extend(&self.nodes[*inner].vertices);
        }
        node.cheapest_ends =
            (0..self.n).map(|vertex| self.find_cheapest_end(&cycle, vertex)).collect();
        node.cycle = cycle;
        let blossom = self.vacant.pop().unwrap_or(self.nodes.len());
        for &vertex in &node.vertices {
            self.top[vertex] = blossom;
        }
        if blossom == self.nodes.len() {
            self.nodes.push(node);
        } else {
            self.nodes[blossom] = node;
        }
        self.make_outer(blossom);
    }

    /// Dissolves an inner blossom. The path through it stays in the tree; the other parts become
    /// unreached.
    pub(super) fn dissolve(&mut self, blossom: usize) {
        let TreeLabel::Inner(entry) = self.nodes[blossom].label else { return };
        let cycle = std::mem::take(&mut self.nodes[blossom].cycle);
        for &(part, _) in &cycle {
            self.nodes[part].label = TreeLabel::Unreached;
            self.nodes[part].to_outer = None;
            for at in 0..self.nodes[part].vertices.len() {
                self.top[self.nodes[part].vertices[at]] = part;
            }
        }
        self.vacant.push(blossom);
        // The path from the part where the tree enters to the part with the base, in the direction
        // that begins with an edge of the matching: its nodes are inner and outer in turn.
        let start = cycle.iter().position(|&(part, _)| part == self.top[entry.0]).unwrap_or(0);
        let backwards = start % 2 == 0;
        let mut at = start;
        let mut edge = entry;
        loop {
            self.nodes[cycle[at].0].label = TreeLabel::Inner(edge);
            if at == 0 {
                return;
            }
            let outer = if backwards { at - 1 } else { at + 1 };
            self.make_outer(cycle[outer].0);
            (at, edge) = if backwards {
                (outer - 1, cycle[outer - 1].1)
            } else {
                let (out, into) = cycle[outer].1;
                ((outer + 1) % cycle.len(), (into, out))
            };
        }
    }

    /// The end inside `node` of the cheapest edge to `vertex`, which is outside.
    pub(super) fn cheapest_end(&self, node: usize, vertex: usize) -> Option<usize> {
        if node < self.n {
            self.allowed[node * self.n + vertex].then_some(node)
        } else {
            self.nodes[node].cheapest_ends[vertex]
        }
    }

    fn find_cheapest_end(&self, cycle: &[(usize, Edge)], vertex: usize) -> Option<usize> {
        if cycle.iter().any(|&(part, _)| part == self.top[vertex]) {
            return None; // inside
        }
        let ends = cycle.iter().filter_map(|&(part, _)| self.cheapest_end(part, vertex));
        ends.min_by_key(|&end| self.slack(end, vertex))
    }
}
