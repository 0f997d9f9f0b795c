//! Dense symmetric matrices, with the operations that the fit needs. Storage is row by row, every inner loop
//! runs along rows, and sums have a fixed order, so results are bit-identical on every machine.

use std::ops::Range;

/// Rows of a block, which stay in the cache while all others are processed.
const PANEL: usize = 32;

/// A square matrix, stored row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SquareMatrix {
    size: usize,
    cells: Vec<f64>,
}

/// The upper triangular U with UᵀU the matrix that was factored.
#[derive(Debug)]
pub(super) struct CholeskyFactor(SquareMatrix);

impl SquareMatrix {
    pub(super) fn zeros(size: usize) -> SquareMatrix {
        SquareMatrix { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds `values[j] * factors[i] + factors[j] * values[i]` at i, j.
    pub(super) fn add_products(&mut self, factors: &[f64], values: &[f64]) {
        for (row, cells) in self.cells.chunks_exact_mut(self.size).enumerate() {
            for (cell, (factor, value)) in cells.iter_mut().zip(factors.iter().zip(values)) {
                *cell += factors[row] * value + values[row] * factor;
            }
        }
    }

    /// The Cholesky factor, computed from the upper triangle; none if the matrix is numerically not positive
    /// definite.
    pub(super) fn factor(mut self) -> Option<CholeskyFactor> {
        let size = self.size;
        let diagonal: Vec<f64> = (0..size).map(|k| self.get(k, k)).collect();
        for k in 1..size {
            self.cells[k * size..][..k].fill(0.0);
        }
        for start in (0..size).step_by(PANEL) {
            let end = size.min(start + PANEL);
            let (done, rest) = self.cells.split_at_mut(end * size);
            for k in start..end {
                let (above, row) = done.split_at_mut(k * size);
                subtract_products(&mut row[..size], above, start..k, k);
                let pivot = row[k];
                // Also false for NaN.
                if !(pivot > diagonal[k] * 1e-14 && pivot.is_finite()) {
                    return None;
                }
                let root = pivot.sqrt();
                row[k..size].iter_mut().for_each(|cell| *cell /= root);
            }
            for (below, row) in rest.chunks_exact_mut(size).enumerate() {
                subtract_products(row, done, start..end, end + below);
            }
        }
        Some(CholeskyFactor(self))
    }

    /// `self * other`.
    pub(super) fn times(&self, other: &SquareMatrix) -> SquareMatrix {
        let size = self.size;
        let mut product = SquareMatrix::zeros(size);
        for start in (0..size).step_by(PANEL) {
            let panel = start..size.min(start + PANEL);
            for (row, target) in product.cells.chunks_exact_mut(size).enumerate() {
                add_rows(target, &self.row(row)[panel.clone()], &other.cells, panel.start, 0);
            }
        }
        product
    }

    /// `self * vector`.
    pub(super) fn times_vector(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }
}

impl CholeskyFactor {
    /// Replaces b by the solution x of UᵀU x = b.
    pub(super) fn solve(&self, vector: &mut [f64]) {
        let CholeskyFactor(upper) = self;
        for k in 0..upper.size {
            let row = upper.row(k);
            vector[k] /= row[k];
            let value = vector[k];
            for (cell, factor) in vector[k + 1..].iter_mut().zip(&row[k + 1..]) {
                *cell -= value * factor;
            }
        }
        for k in (0..upper.size).rev() {
            let row = upper.row(k);
            vector[k] = (vector[k] - dot(&row[k + 1..], &vector[k + 1..])) / row[k];
        }
    }

    /// The inverse of UᵀU.
    pub(super) fn inverse(self) -> SquareMatrix {
        let CholeskyFactor(mut square) = self;
        let size = square.size;
        // V, the inverse of U, from the last row up: a row of V needs its own row of U and the rows of V
        // below.
        let mut row = vec![0.0; size];
        for k in (0..size).rev() {
            let (upper, below) = square.cells.split_at_mut((k + 1) * size);
            let own = &mut upper[k * size..];
            row[k..].fill(0.0);
            for (offset, factors) in own[k + 1..].chunks(PANEL).enumerate() {
                let first = k + 1 + offset * PANEL;
                add_rows(&mut row[first..], factors, below, first - k - 1, first);
            }
            let scale = 1.0 / own[k];
            own[k] = scale;
            for (cell, sum) in own[k + 1..].iter_mut().zip(&row[k + 1..]) {
                *cell = -scale * sum;
            }
        }
        // V Vᵀ: the product of rows i and j from the later diagonal element on. No value that is still needed
        // is overwritten.
        for i in 0..size {
            let (upper, below) = square.cells.split_at_mut((i + 1) * size);
            let own = &mut upper[i * size..];
            own[i] = dot(&own[i..], &own[i..]);
            for j in i + 1..size {
                own[j] = dot(&own[j..], &below[(j - i - 1) * size..][j..size]);
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

/// Subtracts from `row`, from `column` on, each of the `rows` times its own element in that column.
fn subtract_products(row: &mut [f64], cells: &[f64], rows: Range<usize>, column: usize) {
    let size = row.len();
    let mut factors = [0.0; PANEL];
    for (factor, k) in factors.iter_mut().zip(rows.clone()) {
        *factor = -cells[k * size + column];
    }
    add_rows(&mut row[column..], &factors[..rows.len()], cells, rows.start, column);
}

/// Adds to `target` the rows of `cells` from row `first` on, each times its factor and read from column
/// `from` on. `target` ends at the last column.
fn add_rows(target: &mut [f64], factors: &[f64], cells: &[f64], first: usize, from: usize) {
    let width = target.len();
    let size = from + width;
    let row = |k: usize| &cells[(first + k) * size + from..][..width];
    let whole = factors.len() / 4 * 4;
    for k in (0..whole).step_by(4) {
        let [a, b, c, d] = [row(k), row(k + 1), row(k + 2), row(k + 3)];
        let by = &factors[k..k + 4];
        let (f, g, h, i) = (by[0], by[1], by[2], by[3]);
        for (column, cell) in target.iter_mut().enumerate() {
            *cell += (f * a[column] + g * b[column]) + (h * c[column] + i * d[column]);
        }
    }
    for (k, factor) in factors.iter().enumerate().skip(whole) {
        for (cell, value) in target.iter_mut().zip(row(k)) {
            *cell += factor * value;
        }
    }
}

/// The dot product, in eight partial sums that the processor can compute in parallel.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut parts = [0.0; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a.zip(b) {
        for (part, (x, y)) in parts.iter_mut().zip(x.iter().zip(y)) {
            *part += x * y;
        }
    }
    let [p0, p1, p2, p3, p4, p5, p6, p7] = parts;
    ((p0 + p4) + (p1 + p5)) + ((p2 + p6) + (p3 + p7)) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A positive definite matrix with irregular elements.
    fn example(size: usize) -> SquareMatrix {
        let mut square = SquareMatrix::zeros(size);
        for i in 0..size {
            for j in 0..=i {
                let value = ((i * 7 + j * 13) % 11) as f64 / 11.0 - 0.5;
                square.add(i, j, value);
                if i != j {
                    square.add(j, i, value);
                }
            }
            square.add(i, i, size as f64);
        }
        square
    }

    #[test]
    fn inverse_and_solution_undo_the_matrix() {
        for size in [1, 2, 3, 8, 31, 32, 33, 70, 101] {
            let square = example(size);
            let inverse = square.clone().factor().unwrap().inverse();
            let one = square.times(&inverse);
            for i in 0..size {
                for j in 0..size {
                    let expected = f64::from(u8::from(i == j));
                    assert!((one.get(i, j) - expected).abs() < 1e-13, "{size}: {i} {j} {}", one.get(i, j));
                }
            }
            let vector: Vec<f64> = (0..size).map(|k| k as f64 - 3.5).collect();
            let mut solution = vector.clone();
            square.clone().factor().unwrap().solve(&mut solution);
            for (found, expected) in square.times_vector(&solution).iter().zip(&vector) {
                assert!((found - expected).abs() < 1e-12, "{size}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        let mut square = example(40);
        square.add(39, 39, -100.0);
        assert!(square.factor().is_none());
        assert!(SquareMatrix::zeros(1).factor().is_none());
        let mut square = example(3);
        square.add(1, 1, f64::NAN);
        assert!(square.factor().is_none());
    }

    #[test]
    fn products_of_vectors_are_added_on_both_sides() {
        let mut square = SquareMatrix::zeros(2);
        square.add_products(&[1.0, 2.0], &[3.0, 5.0]);
        assert_eq!(square.cells, [6.0, 11.0, 11.0, 20.0]);
    }
}
