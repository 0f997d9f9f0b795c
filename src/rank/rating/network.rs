//! Sparse graphs with weighted edges: solving with their Laplacians, and resistances.
//!
//! A vertex v with neighbours u and weights w(v, u) is eliminated by joining each two neighbours
//! with w(v, u) w(v, u') / Σ w(v, ·): the star-mesh transform of electrical networks (A. Rosen,
//! Journal of the IEE 62, 1924, 916-918). The rest is again such a graph, with the same resistances
//! between its vertices. As in a dense Laplacian, only positive numbers are added: no digits are
//! lost.

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
    pub fn new(order: &Arc<Elimination>) -> Network {
        Network {
            rows: order.zero_rows(),
            core: Laplacian::new(order.core()),
            order: Arc::clone(order),
        }
    }

    /// Adds a positive weight to the edge between two vertices, which the order has.
    pub fn join(&mut self, a: usize, b: usize, weight: f64) {
        match self.order.place(self.order.position[a], self.order.position[b]) {
            Some(EdgePlace::Row(one, at)) => self.rows[one][at] += weight,
            Some(EdgePlace::Core(a, b)) => self.core.join(a, b, weight),
            None => debug_assert!(false, "the order has no edge between {a} and {b}"),
        }
    }

    /// Eliminates all vertices; the graph must be connected.
    pub fn factor(self) -> NetworkFactor {
        let Network { order, mut rows, mut core } = self;
        let mut sums = Vec::new();
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
    pub fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let eliminated = self.order.eliminated();
        let mut values = self.order.by_position(vector);
        // Down: each eliminated vertex hands its part of the right side on to its later neighbours.
        for position in 0..eliminated {
            let value = values[position];
            for (&other, share) in self.order.later[position].iter().zip(&self.shares[position]) {
                values[other] += share * value;
            }
        }
        let core = self.core.solve(values.split_off(eliminated));
        values.extend(core);
        // And up: its value is the mean of theirs, and what its own part adds.
        for position in (0..eliminated).rev() {
            let above = mean_of(&self.shares[position], &self.order.later[position], &values);
            values[position] = values[position] / self.sums[position] + above;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        self.order.position.iter().map(|&at| values[at] - mean).collect()
    }

    pub fn resistances(self) -> Resistances {
        let to_last = self.solution_for_last();
        let NetworkFactor { order, shares, sums, core } = self;
        let near = order.zero_rows();
        let core = core.pseudo_inverse();
        let mut all = Resistances { order, shares, sums, near, core, variances: Vec::new() };
        let from_last = all.spread();
        // With all values measured from the last one, a row of their covariances has the sum
        // `to_last`.
        let size = from_last.len() as f64;
        let mean = to_last.iter().sum::<f64>() / (size * size);
        for (own, sum) in from_last.into_iter().zip(to_last) {
            all.variances.push((own - 2.0 * sum / size + mean).max(0.0));
        }
        all
    }

    /// By positions: the values, measured from the last position, if 1 flows into every vertex and
    /// all of it out at the last position.
    fn solution_for_last(&self) -> Vec<f64> {
        let size = self.order.size();
        let mut flows = vec![1.0; size];
        if let Some(last) = self.order.position.iter().position(|&at| at + 1 == size) {
            flows[last] = 1.0 - size as f64;
        }
        let mut values = self.order.by_position(&self.solve(&flows));
        let of_last = values[size - 1];
        for value in &mut values {
            *value -= of_last;
        }
        values
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
            // The mean of the resistances from its neighbours to each other counts each two twice.
            let products = shares.iter().zip(&to_each).map(|(share, to_it)| share * to_it);
            let own = 1.0 / self.sums[position] - products.sum::<f64>() / 2.0;
            from_last[position] = own + mean_of(shares, &self.order.later[position], &from_last);
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
    pub fn variance(&self, vertex: usize) -> f64 {
        self.variances[self.order.position[vertex]]
    }

    /// The resistance between two vertices.
    pub fn between(&self, a: usize, b: usize) -> f64 {
        if a == b {
            return 0.0;
        }
        let a = self.order.position[a];
        let b = self.order.position[b];
        match self.order.place(a, b) {
            Some(place) => self.at(place),
            None => self.far(a, b),
        }
    }

    /// The resistance between two positions: the power of a current of 1 from one to the other.
    fn far(&self, a: usize, b: usize) -> f64 {
        let eliminated = self.order.eliminated();
        let mut current = vec![0.0; self.order.size()];
        current[a] = 1.0;
        current[b] = -1.0;
        // An eliminated vertex shares the current that reaches it out among its later neighbours.
        let mut power = 0.0;
        for position in a.min(b)..eliminated {
            let value = current[position];
            if value == 0.0 {
                continue;
            }
            power += value * value / self.sums[position];
            for (&other, share) in self.order.later[position].iter().zip(&self.shares[position]) {
                current[other] += share * value;
            }
        }
        power + self.core.power(&current[eliminated..])
    }
}

/// The mean of these places' values, weighted by the shares.
fn mean_of(shares: &[f64], places: &[usize], values: &[f64]) -> f64 {
    shares.iter().zip(places).map(|(share, &place)| share * values[place]).sum()
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
