//! Laplacians of graphs and dense symmetric matrices, with the operations that the fit needs.
//! Storage is row by row, every inner loop runs along rows, and sums have a fixed order, so results
//! are bit-identical on every machine.

use std::ops::Range;

/// Rows of a block, which stay in the cache while all others are processed.
const PANEL: usize = 32;

/// A square matrix, stored row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SquareMatrix {
    size: usize,
    cells: Vec<f64>,
}

/// The Laplacian of a connected graph with weighted edges: the sum of the weight times x xᵀ over
/// the edges, where x is 1 at one end and -1 at the other. Only the cells above the diagonal are
/// stored: the others follow.
#[derive(Debug)]
pub(super) struct Laplacian(SquareMatrix);

/// The upper triangular U with UᵀU the Laplacian without the row and the column of the last vertex.
#[derive(Debug)]
pub(super) struct LaplacianFactor(SquareMatrix);

impl Laplacian {
    /// Of a graph without edges. There is at least one vertex.
    pub fn new(vertices: usize) -> Laplacian {
        Laplacian(SquareMatrix { size: vertices, cells: vec![0.0; vertices * vertices] })
    }

    /// Adds an edge between two different vertices; its weight is positive.
    pub fn join(&mut self, a: usize, b: usize, weight: f64) {
        let Laplacian(square) = self;
        square.cells[a.min(b) * square.size + a.max(b)] -= weight;
    }

    /// The Cholesky factor; the graph must be connected.
    ///
    /// All rows of a Laplacian have the sum 0, also while vertices are eliminated. So every pivot
    /// is computed as the sum of the weights that are left in its row: no values of different signs
    /// are added, and each cell is precise to some 1e-13 of itself even if the weights differ by
    /// many orders of magnitude (W. Grassmann, M. Taksar and D. Heyman, Operations Research 33,
    /// 1985, 1107-1116; why, in C. O'Cinneide, Numerische Mathematik 65, 1993, 109-120).
    pub fn factor(self) -> LaplacianFactor {
        let Laplacian(SquareMatrix { size, mut cells }) = self;
        let order = size - 1;
        for start in (0..order).step_by(PANEL) {
            // Factor the rows of this panel, then take them from all rows below in one go.
            let end = order.min(start + PANEL);
            let (done, rest) = cells.split_at_mut(end * size);
            for k in start..end {
                let (above, row) = done.split_at_mut(k * size);
                subtract_products(&mut row[..size], above, start..k, k);
                let pivot = -row[k + 1..size].iter().sum::<f64>();
                let root = pivot.max(f64::MIN_POSITIVE).sqrt();
                row[k] = root;
                for cell in row[k + 1..size].iter_mut() {
                    *cell /= root;
                }
            }
            for (below, row) in rest.chunks_exact_mut(size).enumerate() {
                subtract_products(row, done, start..end, end + below);
            }
        }
        // Close up to `order` cells a row, without the last column, and clear below the diagonal.
        for row in 0..order {
            cells.copy_within(row * size..row * size + order, row * order);
            cells[row * order..][..row].fill(0.0);
        }
        cells.truncate(order * order);
        LaplacianFactor(SquareMatrix { size: order, cells })
    }
}

impl LaplacianFactor {
    /// The solution of mean 0 for a right side of sum 0, both with a value for each vertex.
    pub fn solve(&self, mut vector: Vec<f64>) -> Vec<f64> {
        let LaplacianFactor(upper) = self;
        for k in 0..upper.size {
            let row = upper.row(k);
            vector[k] /= row[k];
            let value = vector[k];
            for (cell, factor) in vector[k + 1..].iter_mut().zip(&row[k + 1..]) {
                *cell -= value * factor;
            }
        }
        vector[upper.size] = 0.0;
        for k in (0..upper.size).rev() {
            let row = upper.row(k);
            vector[k] = (vector[k] - dot(&row[k + 1..], &vector[k + 1..upper.size])) / row[k];
        }
        let mean = vector.iter().sum::<f64>() / vector.len() as f64;
        for value in &mut vector {
            *value -= mean;
        }
        vector
    }

    /// The pseudo-inverse of the Laplacian: the covariance of values with mean 0 if the Laplacian
    /// is their information.
    pub fn pseudo_inverse(self) -> SquareMatrix {
        // The inverse of UᵀU is the covariance of the differences to the last value.
        let differences = self.inverse();
        let size = differences.size + 1;
        let mut means = vec![0.0; size]; // that of the last value stays 0
        for (row, mean) in means[..size - 1].iter_mut().enumerate() {
            *mean = differences.row(row).iter().sum::<f64>() / size as f64;
        }
        let mean = means.iter().sum::<f64>() / size as f64;
        let mut cells = Vec::with_capacity(size * size);
        for row in 0..size {
            for column in 0..size {
                let inside = row < size - 1 && column < size - 1;
                let value = if inside { differences.get(row, column) } else { 0.0 };
                cells.push(value - (means[row] + means[column]) + mean);
            }
        }
        SquareMatrix { size, cells }
    }

    /// The inverse of UᵀU.
    fn inverse(self) -> SquareMatrix {
        let LaplacianFactor(mut square) = self;
        let size = square.size;
        // V, the inverse of U, from the last rows up: a row of V needs its own row of U and the
        // rows of V below.
        let mut sums = vec![0.0; PANEL * size];
        for start in (0..size).step_by(PANEL).rev() {
            let end = size.min(start + PANEL);
            sums.fill(0.0);
            let (upper, below) = square.cells.split_at_mut(end * size);
            for first in (end..size).step_by(PANEL) {
                for (row, sum) in
                    upper[start * size..].chunks_exact(size).zip(sums.chunks_exact_mut(size))
                {
                    let factors = &row[first..size.min(first + PANEL)];
                    add_rows(&mut sum[first..], factors, below, first - end, first);
                }
            }
            for k in (start..end).rev() {
                let (until_k, after_k) = square.cells.split_at_mut((k + 1) * size);
                let own = &mut until_k[k * size..];
                let sum = &mut sums[(k - start) * size..][..size];
                add_rows(&mut sum[k + 1..], &own[k + 1..end], after_k, 0, k + 1);
                let scale = 1.0 / own[k];
                own[k] = scale;
                for (cell, product) in own[k + 1..].iter_mut().zip(&sum[k + 1..]) {
                    *cell = -scale * product;
                }
            }
        }
        // V Vᵀ: the product of rows i and j from the later diagonal element on. No value that is
        // still needed is overwritten.
        let mut other = vec![0.0; size];
        for start in (0..size).step_by(PANEL) {
            for j in start..size {
                other[j..].copy_from_slice(&square.row(j)[j..]);
                for i in start..(start + PANEL).min(j + 1) {
                    let own = &mut square.cells[i * size..][..size];
                    own[j] = dot(&own[j..], &other[j..]);
                }
            }
        }
        for i in 1..size {
            for j in 0..i {
                square.cells[i * size + j] = square.cells[j * size + i];
            }
        }
        square
    }
}

impl SquareMatrix {
    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// vᵀ times the matrix times v.
    pub fn power(&self, vector: &[f64]) -> f64 {
        let mut power = 0.0;
        for (row, &value) in self.cells.chunks_exact(self.size).zip(vector) {
            if value != 0.0 {
                power += value * dot(row, vector);
            }
        }
        power
    }

    /// The value at i, i and at j, j less those at i, j and at j, i: the variance of a difference
    /// in a covariance, the resistance between two vertices in the pseudo-inverse of a Laplacian.
    pub fn distance(&self, i: usize, j: usize) -> f64 {
        (self.get(i, i) + self.get(j, j) - 2.0 * self.get(i, j)).max(0.0)
    }
}

/// Subtracts from `row`, from `column` on, each of the `rows` times its own element in that column.
fn subtract_products(row: &mut [f64], cells: &[f64], rows: Range<usize>, column: usize) {
    let size = row.len();
    let mut factors = [0.0; PANEL];
    for (factor, k) in factors.iter_mut().zip(rows.clone()) {
        *factor = -cells[k * size + column];
    }
    add_rows(&mut row[column..], &factors[..rows.len()], cells, rows.start, column);
}

/// Adds to `target` the rows of `cells` from row `first` on, each times its factor and read from
/// column `from` on. `target` ends at the last column.
fn add_rows(target: &mut [f64], factors: &[f64], cells: &[f64], first: usize, from: usize) {
    let width = target.len();
    let size = from + width;
    let row = |k: usize| &cells[(first + k) * size + from..][..width];
    // Four rows at a time: each cell of `target` is read and written once for four products.
    let (fours, _) = factors.as_chunks::<4>();
    for (at, [f, g, h, i]) in fours.iter().enumerate() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| row(4 * at + k));
        for (column, cell) in target.iter_mut().enumerate() {
            *cell += (f * a[column] + g * b[column]) + (h * c[column] + i * d[column]);
        }
    }
    for (k, factor) in factors.iter().enumerate().skip(4 * fours.len()) {
        for (cell, value) in target.iter_mut().zip(row(k)) {
            *cell += factor * value;
        }
    }
}

/// The dot product, in eight partial sums that the processor can compute in parallel.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut parts = [0.0; 8];
    let (eights_of_a, rest_of_a) = a.as_chunks::<8>();
    let (eights_of_b, rest_of_b) = b.as_chunks::<8>();
    let rest: f64 = rest_of_a.iter().zip(rest_of_b).map(|(x, y)| x * y).sum();
    for (eight_of_a, eight_of_b) in eights_of_a.iter().zip(eights_of_b) {
        for ((part, x), y) in parts.iter_mut().zip(eight_of_a).zip(eight_of_b) {
            *part += x * y;
        }
    }
    let [p0, p1, p2, p3, p4, p5, p6, p7] = parts;
    ((p0 + p4) + (p1 + p5)) + ((p2 + p6) + (p3 + p7)) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A connected graph with irregular weights: its edges.
    fn example(vertices: usize) -> Vec<(usize, usize, f64)> {
        let pairs = (0..vertices).flat_map(|a| (a + 1..vertices).map(move |b| (a, b)));
        let weight = |(a, b): (usize, usize)| (a, b, ((a * 7 + b * 13) % 11) as f64 / 11.0);
        pairs
            .map(weight)
            .filter(|&(a, b, weight)| weight > 0.3 || a + 1 == b)
            .map(|(a, b, w)| (a, b, w + 0.1))
            .collect()
    }

    fn factor(vertices: usize, edges: &[(usize, usize, f64)]) -> LaplacianFactor {
        let mut laplacian = Laplacian::new(vertices);
        for &(a, b, weight) in edges {
            laplacian.join(b, a, weight);
        }
        laplacian.factor()
    }

    /// The Laplacian times a vector.
    fn times(edges: &[(usize, usize, f64)], vector: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; vector.len()];
        for &(a, b, weight) in edges {
            let flow = weight * (vector[a] - vector[b]);
            product[a] += flow;
            product[b] -= flow;
        }
        product
    }

    #[test]
    fn inverse_and_solution_undo_the_laplacian() {
        for vertices in [1, 2, 3, 8, 31, 32, 33, 34, 70, 101] {
            let edges = example(vertices);
            let inverse = factor(vertices, &edges).pseudo_inverse();
            for i in 0..vertices {
                for (j, found) in times(&edges, inverse.row(i)).into_iter().enumerate() {
                    let expected = f64::from(u8::from(i == j)) - 1.0 / vertices as f64;
                    assert!((found - expected).abs() < 1e-13, "{vertices}: {i} {j} {found}");
                }
                assert!(inverse.row(i).iter().sum::<f64>().abs() < 1e-12);
            }
            let middle = (vertices - 1) as f64 / 2.0;
            let right: Vec<f64> = (0..vertices).map(|k| k as f64 - middle).collect();
            let solution = factor(vertices, &edges).solve(right.clone());
            for (found, expected) in times(&edges, &solution).iter().zip(&right) {
                assert!((found - expected).abs() < 1e-12, "{vertices}");
            }
            assert!(solution.iter().sum::<f64>().abs() < 1e-12);
        }
    }

    #[test]
    fn resistances_of_weights_that_differ_by_many_orders() {
        // A path: its resistance is the sum of the inverse weights.
        let weights = [1e9, 1e-15, 1e3, 1e-40, 1e-20];
        let edges: Vec<_> =
            weights.iter().enumerate().map(|(k, &weight)| (k, k + 1, weight)).collect();
        let inverse = factor(6, &edges).inverse();
        for from in 0..5 {
            let expected: f64 = weights[from..].iter().map(|weight| 1.0 / weight).sum();
            let found = inverse.get(from, from); // to the last vertex
            assert!((found / expected - 1.0).abs() < 1e-14, "{from}: {found} for {expected}");
        }
    }

    #[test]
    fn distances_and_powers() {
        let square = SquareMatrix { size: 2, cells: vec![19.0, 30.0, 30.0, 52.0] };
        assert_eq!((square.distance(0, 1), square.power(&[1.0, -1.0])), (11.0, 11.0));
        assert_eq!(square.power(&[0.0, 2.0]), 208.0);
    }
}
