//! Dense symmetric matrices of the size of a roster, and their Cholesky factors.

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

    /// Makes a covariance one of differences: each of `block` is taken from the mean of `origin`.
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

    /// `self · other`.
    pub(crate) fn product(&self, other: &Self) -> Self {
        let n = self.size;
        let mut product = Self::zero(n);
        for i in 0..n {
            for k in 0..n {
                let factor = self.get(i, k);
                for j in 0..n {
                    product.add(i, j, factor * other.get(k, j));
                }
            }
        }
        product
    }

    /// `self · vector`.
    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let row = |i: usize| &self.cells[i * self.size..(i + 1) * self.size];
        (0..self.size).map(|i| row(i).iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }

    /// Factors a positive definite matrix; `None` when a pivot falls below `tolerance` times its diagonal
    /// element, that is, when the matrix is singular as far as that tolerance can tell.
    pub(crate) fn cholesky(&self, tolerance: f64) -> Option<Cholesky> {
        let n = self.size;
        let mut lower = Self::zero(n);
        for j in 0..n {
            let dot = |lower: &Self, i: usize| -> f64 {
                (0..j).map(|k| lower.get(i, k) * lower.get(j, k)).sum::<f64>()
            };
            let pivot = self.get(j, j) - dot(&lower, j);
            // Written so that a pivot that is not a number fails too.
            if !(pivot > tolerance * self.get(j, j) && pivot > 0.0) {
                return None;
            }
            let root = pivot.sqrt();
            lower.set(j, j, root);
            for i in j + 1..n {
                let value = (self.get(i, j) - dot(&lower, i)) / root;
                lower.set(i, j, value);
            }
        }
        Some(Cholesky { lower })
    }
}

impl Cholesky {
    /// Solves `A x = b`.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.lower.size;
        let mut x = b.to_vec();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| self.lower.get(i, k) * x[k]).sum();
            x[i] = (x[i] - known) / self.lower.get(i, i);
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| self.lower.get(k, i) * x[k]).sum();
            x[i] = (x[i] - known) / self.lower.get(i, i);
        }
        x
    }

    /// The inverse of `A`.
    pub(crate) fn inverse(&self) -> Matrix {
        let n = self.lower.size;
        let mut inverse = Matrix::zero(n);
        let mut unit = vec![0.0; n];
        for j in 0..n {
            unit[j] = 1.0;
            for (i, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.set(i, j, value);
            }
            unit[j] = 0.0;
        }
        inverse
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
