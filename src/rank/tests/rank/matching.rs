//! The blossom algorithm compared with an exhaustive search over all perfect matchings.

use arbiter_rank::schedule::matching::cheapest_pairs;
use arbiter_rules::seed::Generator;
use proptest::prelude::*;

/// Costs of the edges `a < b` of a graph; none where there is no edge.
#[derive(Debug, Clone)]
struct Graph<const K: usize> {
    n: usize,
    costs: Vec<Option<[i128; K]>>,
}

impl<const K: usize> Graph<K> {
    fn random(n: usize, mut edge: impl FnMut() -> Option<[i128; K]>) -> Self {
        Graph { n, costs: (0..n * n).map(|_| edge()).collect() }
    }

    fn cost(&self, a: usize, b: usize) -> Option<[i128; K]> {
        self.costs[a.min(b) * self.n + a.max(b)]
    }

    /// The least cost of pairing all of `left`: the first with each of the others, and so on.
    fn slow(&self, left: &[usize]) -> Option<[i128; K]> {
        let Some((&first, others)) = left.split_first() else { return Some([0; K]) };
        let with = |&other: &usize| {
            let cost = self.cost(first, other)?;
            let rest: Vec<usize> =
                others.iter().copied().filter(|&vertex| vertex != other).collect();
            Some(sum(cost, self.slow(&rest)?))
        };
        others.iter().filter_map(with).min()
    }

    /// The cost of the matching found, after checking that it is a perfect matching.
    fn fast(&self) -> Option<[i128; K]> {
        let partners = cheapest_pairs(self.n, |a, b| self.cost(a, b))?;
        assert_eq!(partners.len(), self.n);
        let mut total = [0; K];
        for (vertex, &partner) in partners.iter().enumerate() {
            assert!(partner != vertex && partners[partner] == vertex, "{partners:?}");
            if vertex < partner {
                total = sum(total, self.cost(vertex, partner).expect("an edge that is there"));
            }
        }
        Some(total)
    }
}

fn sum<const K: usize>(one: [i128; K], other: [i128; K]) -> [i128; K] {
    std::array::from_fn(|part| one[part] + other[part])
}

/// A number from `-size` to `size`.
fn number(generator: &mut Generator, size: u64) -> i128 {
    i128::from(generator.below(2 * size + 1)) - i128::from(size)
}

proptest! {
    #![proptest_config(crate::cases(6000))]

    #[test]
    fn is_as_cheap_as_the_best_of_all_ways(
        n in 0..=10_usize, percent in 20..=100_u64, bits in 0..40_u32, seed in any::<u64>(),
    ) {
        let mut generator = Generator::from_state(seed);
        let graph = Graph::random(n, || {
            (generator.below(100) < percent).then(|| [number(&mut generator, 1 << bits)])
        });
        prop_assert_eq!(graph.fast(), graph.slow(&(0..n).collect::<Vec<_>>()), "{:?}", graph);
    }

    #[test]
    fn earlier_parts_of_a_cost_count_first(n in 0..=8_usize, size in 0..4_u64, seed in any::<u64>()) {
        let mut generator = Generator::from_state(seed);
        let huge = 1_i128 << 90;
        let graph = Graph::random(n, || {
            let mut part = || number(&mut generator, size);
            Some([part(), part(), huge * part(), part() * 1000])
        });
        prop_assert_eq!(graph.fast(), graph.slow(&(0..n).collect::<Vec<_>>()), "{:?}", graph);
    }
}

/// Odd cycles connected by few edges: they make nested blossoms, which have to be dissolved again.
#[test]
fn clusters_of_points_in_the_plane() {
    let mut generator = Generator::from_state(3);
    for _ in 0..3000 {
        let n = 10;
        let points: Vec<[i128; 2]> = (0..n)
            .map(|_| [0, 1].map(|_| number(&mut generator, 2) * 1000 + number(&mut generator, 30)))
            .collect();
        let mut graph = Graph::random(n, || None);
        for a in 0..n {
            for b in a + 1..n {
                let [x, y] = [0, 1].map(|axis| (points[a][axis] - points[b][axis]).abs());
                graph.costs[a * n + b] = Some([x.max(y)]);
            }
        }
        assert_eq!(graph.fast(), graph.slow(&(0..n).collect::<Vec<_>>()), "{graph:?}");
    }
}

/// Larger graphs: the result is deterministic, and no exchange of partners between two pairs is
/// cheaper.
#[test]
fn no_exchange_between_two_pairs_helps() {
    let mut generator = Generator::from_state(11);
    for n in [20, 50, 100, 200] {
        for size in [1, 5, 1000, 1 << 40] {
            let graph = Graph::random(n, || {
                (generator.below(3) > 0).then(|| [number(&mut generator, size)])
            });
            let partners = cheapest_pairs(n, |a, b| graph.cost(a, b)).unwrap();
            assert_eq!(Some(&partners), cheapest_pairs(n, |a, b| graph.cost(a, b)).as_ref());
            let of = |a: usize, b: usize| graph.cost(a, b).map_or(i128::MAX / 4, |[cost]| cost);
            for (a, &b) in partners.iter().enumerate() {
                for (c, &d) in partners.iter().enumerate() {
                    if a != c && a != d {
                        assert!(
                            of(a, b) + of(c, d) <= of(a, c) + of(b, d),
                            "{a}-{b}, {c}-{d} of {n}"
                        );
                    }
                }
            }
        }
    }
}
