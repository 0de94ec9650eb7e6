//! Dense symmetric matrices of the size of a roster, and their Cholesky factors.

use std::ops::Range;

/// A square matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

/// The lower triangular `L` of `A = L Lᵀ`.
#[derive(Debug)]
pub(crate) struct Cholesky {
    lower: Matrix,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn identity(size: usize) -> Self {
        let mut one = Self::zero(size);
        for i in 0..size {
            one.set(i, i, 1.0);
        }
        one
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.size + j]
    }

    pub(crate) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.size + j] = value;
    }

    pub(crate) fn add(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.size + j] += value;
    }

    pub(crate) fn scale(&mut self, factor: f64) {
        for cell in &mut self.cells {
            *cell *= factor;
        }
    }

    /// Turns a covariance into one of differences: it subtracts the mean of `origin` from each parameter of `block`.
    ///
    /// This is `T V Tᵀ` with `T = I − 1 mᵀ` within the block.
    pub(crate) fn centre(&mut self, block: &[usize], origin: &[usize]) {
        let n = self.size;
        let share = 1.0 / origin.len() as f64;
        for j in 0..n {
            let mean = origin.iter().map(|&i| self.get(i, j)).sum::<f64>() * share;
            for &i in block {
                self.add(i, j, -mean);
            }
        }
        for i in 0..n {
            let mean = origin.iter().map(|&j| self.get(i, j)).sum::<f64>() * share;
            for &j in block {
                self.add(i, j, -mean);
            }
        }
    }

    /// Returns `self · other`. Zeros in `self` cost nothing.
    pub(crate) fn product(&self, other: &Self) -> Self {
        let n = self.size;
        let mut product = Self::zero(n);
        for block in blocks(n) {
            for k in 0..n {
                for i in block.clone() {
                    let factor = self.get(i, k);
                    if factor != 0.0 {
                        add_scaled(&mut product.cells[i * n..(i + 1) * n], factor, other.row(k));
                    }
                }
            }
        }
        product
    }

    /// Returns `self · vector`.
    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|i| dot(self.row(i), vector)).collect()
    }

    /// Returns a row, or equally a column if the matrix is symmetric.
    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.size..(i + 1) * self.size]
    }

    /// Returns the rows and columns at these indices.
    pub(crate) fn part(&self, places: &[usize]) -> Self {
        let mut part = Self::zero(places.len());
        for (i, &row) in places.iter().enumerate() {
            for (j, &column) in places.iter().enumerate() {
                part.set(i, j, self.get(row, column));
            }
        }
        part
    }

    pub(crate) fn transposed(&self) -> Self {
        let mut other = Self::zero(self.size);
        for i in 0..self.size {
            for j in 0..self.size {
                other.set(j, i, self.get(i, j));
            }
        }
        other
    }

    /// Returns the diagonal element `i` of `self · other` for symmetric matrices.
    pub(crate) fn times_row(&self, other: &Self, i: usize) -> f64 {
        dot(self.row(i), other.row(i))
    }

    /// Returns the matrix with each column multiplied by its factor.
    pub(crate) fn scaled_columns(&self, factors: &[f64]) -> Self {
        let mut other = self.clone();
        for row in other.cells.chunks_mut(self.size.max(1)) {
            row.iter_mut().zip(factors).for_each(|(cell, factor)| *cell *= factor);
        }
        other
    }

    /// Adds `count · g gᵀ` for a sparse vector, whose indices may repeat.
    pub(crate) fn add_square(&mut self, sparse: &[(usize, f64)], count: f64) {
        if count > 0.0 {
            for &(i, a) in sparse {
                for &(j, b) in sparse {
                    self.add(i, j, count * a * b);
                }
            }
        }
    }

    /// Returns the eigenvalues of a symmetric matrix, in no particular order, and its eigenvectors as columns: Jacobi's method
    /// by cyclic rows (Golub and Van Loan, *Matrix Computations*, 8.5).
    pub(crate) fn eigen(&self) -> (Vec<f64>, Self) {
        let n = self.size;
        let (mut a, mut vectors) = (self.clone(), Self::identity(n));
        let scale: f64 = a.cells.iter().map(|cell| cell * cell).sum();
        // The convergence is quadratic: about eight rounds suffice for any size that occurs.
        for _ in 0..60 {
            let off: f64 =
                (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a.get(i, j).powi(2)).sum();
            if off <= f64::EPSILON * f64::EPSILON * scale {
                break;
            }
            for i in 0..n {
                for j in i + 1..n {
                    a.rotate(&mut vectors, i, j);
                }
            }
        }
        ((0..n).map(|i| a.get(i, i)).collect(), vectors)
    }

    /// Applies one rotation of Jacobi's method, which makes the element `i`, `j` zero.
    fn rotate(&mut self, vectors: &mut Self, i: usize, j: usize) {
        let n = self.size;
        let off = self.get(i, j);
        if off == 0.0 {
            return;
        }
        let theta = (self.get(j, j) - self.get(i, i)) / (2.0 * off);
        let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
        let cosine = tangent.hypot(1.0).recip();
        let sine = tangent * cosine;
        let turn = |a: f64, b: f64| (cosine * a - sine * b, sine * a + cosine * b);
        for k in 0..n {
            let (one, two) = turn(self.get(k, i), self.get(k, j));
            (self.cells[k * n + i], self.cells[k * n + j]) = (one, two);
            let (one, two) = turn(vectors.get(k, i), vectors.get(k, j));
            (vectors.cells[k * n + i], vectors.cells[k * n + j]) = (one, two);
        }
        for k in 0..n {
            let (one, two) = turn(self.get(i, k), self.get(j, k));
            (self.cells[i * n + k], self.cells[j * n + k]) = (one, two);
        }
    }

    /// Factors a positive definite matrix; `None` if a pivot falls below `tolerance` times its diagonal element, which means
    /// that the matrix is singular within that tolerance.
    pub(crate) fn cholesky(&self, tolerance: f64) -> Option<Cholesky> {
        let n = self.size;
        let mut lower = Self::zero(n);
        for block in blocks(n) {
            for j in 0..block.end {
                for i in block.start.max(j)..block.end {
                    let value = self.get(i, j) - dot(&lower.row(i)[..j], &lower.row(j)[..j]);
                    // Written so that a NaN pivot fails too.
                    if i == j && !(value > tolerance * self.get(j, j) && value > 0.0) {
                        return None;
                    }
                    let value = if i == j { value.sqrt() } else { value / lower.get(j, j) };
                    lower.set(i, j, value);
                }
            }
        }
        Some(Cholesky { lower })
    }
}

impl Cholesky {
    pub(crate) fn lower(&self) -> &Matrix {
        &self.lower
    }

    /// Solves `Lᵀ X = B` for all columns of `B`.
    pub(crate) fn solve_transposed(&self, b: &Matrix) -> Matrix {
        let n = self.lower.size;
        let mut x = b.clone();
        for i in (0..n).rev() {
            let (above, rest) = x.cells.split_at_mut(i * n);
            let row = &mut rest[..n];
            row.iter_mut().for_each(|cell| *cell /= self.lower.get(i, i));
            for (k, other) in above.chunks_mut(n.max(1)).enumerate() {
                add_scaled(other, -self.lower.get(i, k), row);
            }
        }
        x
    }

    /// Solves `A x = b`.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.lower.size;
        let mut x = b.to_vec();
        for i in 0..n {
            let row = self.lower.row(i);
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
        for i in (0..n).rev() {
            let row = self.lower.row(i);
            x[i] /= row[i];
            let factor = -x[i];
            add_scaled(&mut x[..i], factor, &row[..i]);
        }
        x
    }

    /// Returns the inverse of `A`, as `Wᵀ W` with the inverse `W` of `L`.
    pub(crate) fn inverse(&self) -> Matrix {
        let n = self.lower.size;
        let mut w = Matrix::zero(n);
        for block in blocks(n) {
            for k in 0..block.end {
                if block.contains(&k) {
                    let pivot = self.lower.get(k, k);
                    w.set(k, k, 1.0);
                    for cell in &mut w.cells[k * n..=k * n + k] {
                        *cell /= pivot;
                    }
                }
                for i in block.start.max(k + 1)..block.end {
                    let (before, here) = w.cells.split_at_mut(i * n);
                    add_scaled(&mut here[..=k], -self.lower.get(i, k), &before[k * n..=k * n + k]);
                }
            }
        }
        let mut inverse = Matrix::zero(n);
        for block in blocks(n) {
            for j in 0..block.end {
                for i in block.start.max(j)..block.end {
                    add_scaled(&mut inverse.cells[j * n..=j * n + j], w.get(i, j), &w.row(i)[..=j]);
                }
            }
        }
        for i in 0..n {
            for j in 0..i {
                inverse.set(j, i, inverse.get(i, j));
            }
        }
        inverse
    }
}

/// Returns the rows in blocks that stay in a core's cache while the rest of a matrix is read.
fn blocks(size: usize) -> impl Iterator<Item = Range<usize>> {
    const ROWS: usize = 16;
    (0..size).step_by(ROWS).map(move |start| start..size.min(start + ROWS))
}

/// Returns `a · b`, summed in lanes so that the additions do not wait for each other.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// Adds `factor · row` to `sum`.
fn add_scaled(sum: &mut [f64], factor: f64, row: &[f64]) {
    for (sum, cell) in sum.iter_mut().zip(row) {
        *sum += factor * cell;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        Matrix { size: rows.len(), cells: rows.concat() }
    }

    #[test]
    fn inverse_times_matrix_is_one() {
        let a = matrix(&[&[4.0, 2.0, 0.6], &[2.0, 5.0, 1.0], &[0.6, 1.0, 3.0]]);
        let one = a.product(&a.cholesky(1e-12).unwrap().inverse());
        for i in 0..3 {
            for j in 0..3 {
                assert!((one.get(i, j) - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn inverses_of_larger_matrices_are_right_and_symmetric() {
        for n in [7, 8, 9, 40] {
            let mut a = Matrix::zero(n);
            for i in 0..n {
                for j in 0..n {
                    // The matrix is well conditioned, and all rows differ.
                    a.set(i, j, ((i * j) % 7) as f64 / 7.0 + if i == j { 2.0 * n as f64 } else { 0.0 });
                }
            }
            let factor = a.cholesky(1e-12).unwrap();
            let inverse = factor.inverse();
            let one = a.product(&inverse);
            for i in 0..n {
                let mut unit = vec![0.0; n];
                unit[i] = 1.0;
                for (j, solved) in factor.solve(&unit).into_iter().enumerate() {
                    assert!((one.get(i, j) - unit[j]).abs() < 1e-13, "{n}: {i} {j}");
                    assert!((inverse.get(j, i) - solved).abs() < 1e-15, "{n}: {i} {j}");
                    assert!(inverse.get(i, j).to_bits() == inverse.get(j, i).to_bits());
                }
            }
        }
    }

    #[test]
    fn eigenvectors_are_stretched_by_their_values() {
        for n in [1, 2, 5, 30] {
            let mut a = Matrix::zero(n);
            for i in 0..n {
                for j in 0..n {
                    a.set(i, j, ((i * j + i + j) % 7) as f64 - 3.0);
                }
            }
            let (values, vectors) = a.eigen();
            let (left, right) = (a.product(&vectors), vectors.scaled_columns(&values));
            let unit = vectors.transposed().product(&vectors);
            for i in 0..n {
                for j in 0..n {
                    assert!((left.get(i, j) - right.get(i, j)).abs() < 1e-12 * n as f64, "{n}");
                    assert!((unit.get(i, j) - f64::from(u8::from(i == j))).abs() < 1e-13 * n as f64, "{n}");
                }
            }
        }
    }

    #[test]
    fn transposed_factors_are_solved_for_all_columns() {
        let a = matrix(&[&[4.0, 2.0, 0.6], &[2.0, 5.0, 1.0], &[0.6, 1.0, 3.0]]);
        let b = matrix(&[&[1.0, 0.0, 2.0], &[0.0, 3.0, 1.0], &[5.0, 1.0, 1.0]]);
        let factor = a.cholesky(1e-12).unwrap();
        let back = factor.lower().transposed().product(&factor.solve_transposed(&b));
        for i in 0..3 {
            for j in 0..3 {
                assert!((back.get(i, j) - b.get(i, j)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn singular_matrices_have_no_factor() {
        let negative = matrix(&[&[1.0, 2.0], &[2.0, 1.0]]);
        let singular = matrix(&[&[1.0, -1.0], &[-1.0, 1.0]]);
        let unknown = matrix(&[&[f64::NAN]]);
        for a in [negative, singular, unknown] {
            assert!(a.cholesky(1e-12).is_none(), "{a:?}");
        }
    }

    #[test]
    fn empty_matrix_is_its_own_inverse() {
        let empty = Matrix::zero(0);
        assert_eq!(empty.cholesky(1e-12).unwrap().inverse(), empty);
    }
}
