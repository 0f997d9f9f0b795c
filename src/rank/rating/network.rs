//! Sparse graphs with weighted edges: solving with their Laplacians, and resistances.
//!
//! A vertex v with neighbours u and weights w(v, u) is eliminated by joining each two neighbours
//! with w(v, u) w(v, u') / Σ w(v, ·). What is left is again such a graph, with the same resistances
//! between the vertices that are left. As in a dense Laplacian, only positive numbers are added: no
//! digits are lost.

use super::elimination::{EdgePlace, Elimination};
use super::matrix::{Laplacian, LaplacianFactor, SquareMatrix};
use std::sync::Arc;

/// A graph with weighted edges.
#[derive(Debug)]
pub(super) struct Network {
    order: Arc<Elimination>,
    /// The weights to the later neighbours of each eliminated vertex, by positions.
    rows: Vec<Vec<f64>>,
    core: Laplacian,
}

/// A connected graph, factored.
#[derive(Debug)]
pub(super) struct NetworkFactor {
    order: Arc<Elimination>,
    /// The weights to the later neighbours of each eliminated vertex, divided by their sum.
    shares: Vec<Vec<f64>>,
    /// The sums of these weights.
    sums: Vec<f64>,
    core: LaplacianFactor,
}

/// The resistances of a connected graph: the variances of differences of values whose information
/// is its Laplacian.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Resistances {
    order: Arc<Elimination>,
    shares: Vec<Vec<f64>>,
    sums: Vec<f64>,
    /// The resistances to the later neighbours of each eliminated vertex.
    near: Vec<Vec<f64>>,
    /// The pseudo-inverse of the core.
    core: SquareMatrix,
    /// The variance of each value when their mean is 0, by positions.
    variances: Vec<f64>,
}

impl Network {
    /// A graph without weights, to be eliminated in this order.
    pub(super) fn new(order: &Arc<Elimination>) -> Network {
        Network {
            rows: order.later.iter().map(|near| vec![0.0; near.len()]).collect(),
            core: Laplacian::new(order.core()),
            order: Arc::clone(order),
        }
    }

    /// Adds a positive weight to the edge between two vertices, which the order has.
    pub(super) fn join(&mut self, a: usize, b: usize, weight: f64) {
        match self.order.place(self.order.position[a], self.order.position[b]) {
            Some(EdgePlace::Row(one, at)) => self.rows[one][at] += weight,
            Some(EdgePlace::Core(a, b)) => self.core.join(a, b, weight),
            None => debug_assert!(false, "the order has no edge between {a} and {b}"),
        }
    }

    /// Eliminates all vertices; the graph must be connected.
    pub(super) fn factor(self) -> NetworkFactor {
        let Network { order, mut rows, mut core } = self;
        let mut sums = Vec::with_capacity(rows.len());
        for position in 0..rows.len() {
            let own = std::mem::take(&mut rows[position]);
            let sum = own.iter().sum::<f64>().max(f64::MIN_POSITIVE);
            let share: Vec<f64> = own.iter().map(|weight| weight / sum).collect();
            order.each_pair(position, |[i, j], place| {
                let weight = share[i] * own[j];
                match place {
                    EdgePlace::Row(one, at) => rows[one][at] += weight,
                    EdgePlace::Core(a, b) => core.join(a, b, weight),
                }
            });
            rows[position] = share;
            sums.push(sum);
        }
        NetworkFactor { order, shares: rows, sums, core: core.factor() }
    }
}

impl NetworkFactor {
    /// The solution of mean 0 for a right side of sum 0, both with a value for each vertex.
    pub(super) fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let mut values = self.order.by_position(vector);
        let rows = || self.order.later.iter().zip(&self.shares).enumerate();
        for (position, (near, shares)) in rows() {
            let value = values[position];
            for (&other, share) in near.iter().zip(shares) {
                values[other] += share * value;
            }
        }
        let core = self.core.solve(values.split_off(self.order.eliminated()));
        values.extend(core);
        for (position, (near, shares)) in rows().rev() {
            let above: f64 =
                near.iter().zip(shares).map(|(&other, share)| share * values[other]).sum();
            values[position] = values[position] / self.sums[position] + above;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        self.order.position.iter().map(|&at| values[at] - mean).collect()
    }

    pub(super) fn resistances(self) -> Resistances {
        let to_last = self.solution_for_last();
        let NetworkFactor { order, shares, sums, core } = self;
        let near = shares.iter().map(|share| vec![0.0; share.len()]).collect();
        let core = core.pseudo_inverse();
        let mut all = Resistances { order, shares, sums, near, core, variances: Vec::new() };
        let from_last = all.spread();
        // With all values measured from the last one, a row of their covariances has the sum
        // `to_last`.
        let size = from_last.len() as f64;
        let mean = to_last.iter().sum::<f64>() / (size * size);
        let variance = |(own, sum): (f64, f64)| (own - 2.0 * sum / size + mean).max(0.0);
        all.variances = from_last.into_iter().zip(to_last).map(variance).collect();
        all
    }

    /// By positions: the values, measured from the last position, if 1 flows into every vertex and
    /// all of it out at the last position.
    fn solution_for_last(&self) -> Vec<f64> {
        let size = self.order.size();
        let flow = |&at: &usize| if at + 1 == size { 1.0 - size as f64 } else { 1.0 };
        let flows: Vec<f64> = self.order.position.iter().map(flow).collect();
        let values = self.order.by_position(&self.solve(&flows));
        values.iter().map(|value| value - values[size - 1]).collect()
    }
}

impl Resistances {
    /// Sets the resistances of all rows, and returns those between each position and the last.
    ///
    /// The value of an eliminated vertex is the mean of its neighbours' by their shares, and an
    /// error of its own with the variance 1 / sum. So its resistance to any later vertex follows
    /// from theirs.
    fn spread(&mut self) -> Vec<f64> {
        let eliminated = self.order.eliminated();
        let core = self.order.core();
        let mut from_last = vec![0.0; eliminated];
        from_last.extend((0..core).map(|at| self.core.distance(at, core - 1)));
        for position in (0..eliminated).rev() {
            let shares = &self.shares[position];
            let mut to_each = vec![0.0; shares.len()];
            self.order.each_pair(position, |[i, j], place| {
                let between = self.at(place);
                to_each[i] += shares[j] * between;
                to_each[j] += shares[i] * between;
            });
            let dot = |values: &[f64]| {
                shares.iter().zip(values).map(|(share, value)| share * value).sum::<f64>()
            };
            let own = 1.0 / self.sums[position] - dot(&to_each) / 2.0;
            let near = self.order.later[position].iter().map(|&other| from_last[other]);
            from_last[position] = own + dot(&near.collect::<Vec<f64>>());
            for resistance in &mut to_each {
                *resistance = (own + *resistance).max(0.0);
            }
            self.near[position] = to_each;
        }
        from_last
    }

    fn at(&self, place: EdgePlace) -> f64 {
        match place {
            EdgePlace::Row(one, at) => self.near[one][at],
            EdgePlace::Core(a, b) => self.core.distance(a, b),
        }
    }

    /// The variance of the value of a vertex if all values have mean 0.
    pub(super) fn variance(&self, vertex: usize) -> f64 {
        self.variances[self.order.position[vertex]]
    }

    /// The resistance between two vertices.
    pub(super) fn between(&self, a: usize, b: usize) -> f64 {
        let [a, b] = [a, b].map(|vertex| self.order.position[vertex]);
        match self.order.place(a, b) {
            _ if a == b => 0.0,
            Some(place) => self.at(place),
            None => self.far(a, b),
        }
    }

    /// The resistance between two positions: the power of a current of 1 from one to the other.
    fn far(&self, a: usize, b: usize) -> f64 {
        let eliminated = self.order.eliminated();
        let mut current = vec![0.0; self.order.size()];
        (current[a], current[b]) = (1.0, -1.0);
        let mut power = 0.0;
        for position in a.min(b)..eliminated {
            let value = current[position];
            if value != 0.0 {
                power += value * value / self.sums[position];
                for (&other, share) in self.order.later[position].iter().zip(&self.shares[position])
                {
                    current[other] += share * value;
                }
            }
        }
        power + self.core.power(&current[eliminated..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Edges = Vec<(usize, usize, f64)>;

    /// The resistances by the sparse order, and the pseudo-inverse of the whole graph as a dense
    /// one.
    fn both(vertices: usize, edges: &Edges) -> (NetworkFactor, SquareMatrix) {
        let order = Arc::new(Elimination::new(vertices, edges.iter().map(|&(a, b, _)| [a, b])));
        let (mut network, mut dense) = (Network::new(&order), Laplacian::new(vertices));
        for &(a, b, weight) in edges {
            network.join(a, b, weight);
            dense.join(a, b, weight);
        }
        (network.factor(), dense.factor().pseudo_inverse())
    }

    /// A connected graph: a tree and some more edges.
    fn graph() -> impl Strategy<Value = (usize, Edges)> {
        let more = prop::collection::vec((any::<usize>(), any::<usize>()), 0..60);
        (prop::collection::vec(any::<usize>(), 1..40), more, any::<u64>()).prop_map(
            |(tree, more, seed)| {
                let vertices = tree.len() + 1;
                let above =
                    tree.iter().enumerate().map(|(number, lot)| (lot % (number + 1), number + 1));
                let more = more.iter().map(|&(a, b)| (a % vertices, b % vertices));
                let mut pairs: Vec<_> = above
                    .chain(more)
                    .filter(|(a, b)| a != b)
                    .map(|(a, b)| (a.min(b), a.max(b)))
                    .collect();
                pairs.sort_unstable();
                pairs.dedup();
                let weight = |(a, b): (usize, usize)| {
                    0.1 + ((a as u64 * 31 + b as u64 * 17 + seed % 97) % 13) as f64
                };
                (vertices, pairs.into_iter().map(|(a, b)| (a, b, weight((a, b)))).collect())
            },
        )
    }

    proptest! {
        #[test]
        fn a_sparse_graph_has_the_figures_of_the_same_dense_one((vertices, edges) in graph()) {
            let (factor, dense) = both(vertices, &edges);
            let right: Vec<f64> = (0..vertices).map(|v| v as f64 - (vertices - 1) as f64 / 2.0).collect();
            let solution = factor.solve(&right);
            for (a, &found) in solution.iter().enumerate() {
                let expected: f64 = (0..vertices).map(|b| dense.get(a, b) * right[b]).sum();
                prop_assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{a}: {found} {expected}");
            }
            let sparse = factor.resistances();
            for a in 0..vertices {
                prop_assert!((sparse.variance(a) - dense.get(a, a)).abs() < 1e-10 * (1.0 + dense.get(a, a)));
                for b in 0..vertices {
                    let [found, expected] = [sparse.between(a, b), dense.distance(a, b)];
                    prop_assert!((found - expected).abs() < 1e-10 * (1.0 + expected), "{a} {b}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn resistances_of_weights_that_differ_by_many_orders() {
        let weights = [1e9, 1e-15, 1e-40, 1e-30, 1e5, 1e-35, 1.0, 2.0, 3.0];
        let edges: Edges =
            weights.iter().enumerate().map(|(k, &weight)| (k, k + 1, weight)).collect();
        let (factor, _) = both(10, &edges);
        assert!(factor.order.eliminated() > 4);
        let found = factor.resistances();
        for from in 0..10 {
            for to in from..10 {
                let expected: f64 = weights[from..to].iter().map(|weight| 1.0 / weight).sum();
                let found = found.between(from, to);
                assert!(
                    (found - expected).abs() <= 1e-12 * expected,
                    "{from} {to}: {found} for {expected}"
                );
            }
        }
    }
}
