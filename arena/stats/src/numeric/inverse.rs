//! The inverse of the information, or its diagonal for a large pool.

use crate::numeric::matrix::Matrix;

/// The most parameters for which anything of quadratic size is stored or calculated.
pub(crate) const LARGE: usize = 1000;

/// The inverse of the information.
#[derive(Debug, Clone)]
pub(crate) enum Inverse {
    /// The whole matrix.
    Dense(Matrix),
    /// The inverse of the diagonal: the variance of a parameter if all others are known.
    Diagonal(Vec<f64>),
}

impl Inverse {
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.size(),
            Self::Diagonal(values) => values.len(),
        }
    }

    /// Returns the rows and columns at these indices.
    pub(crate) fn part(&self, places: &[usize]) -> Matrix {
        match self {
            Self::Dense(matrix) => matrix.part(places),
            Self::Diagonal(values) => {
                let mut part = Matrix::zero(places.len());
                places.iter().enumerate().for_each(|(i, &place)| part.set(i, i, values[place]));
                part
            }
        }
    }

    /// Returns the inverse times a sparse vector.
    pub(crate) fn times(&self, sparse: &[(usize, f64)]) -> Vec<f64> {
        let mut product = vec![0.0; self.size()];
        for &(place, factor) in sparse {
            match self {
                Self::Dense(matrix) => {
                    product.iter_mut().zip(matrix.row(place)).for_each(|(sum, cell)| *sum += factor * cell);
                }
                Self::Diagonal(values) => product[place] += factor * values[place],
            }
        }
        product
    }

    /// Returns `a A⁻¹ b` for sparse vectors.
    pub(crate) fn between(&self, a: (&[usize], &[f64]), b: (&[usize], &[f64])) -> f64 {
        match self {
            Self::Dense(matrix) => {
                let mut sum = 0.0;
                for (&i, x) in a.0.iter().zip(a.1) {
                    let row = matrix.row(i);
                    sum += x * b.0.iter().zip(b.1).map(|(&j, y)| row[j] * y).sum::<f64>();
                }
                sum
            }
            Self::Diagonal(values) => {
                let common = |(&i, x): (&usize, &f64)| {
                    let other = b.0.iter().position(|&j| j == i);
                    other.map_or(0.0, |j| x * values[i] * b.1[j])
                };
                a.0.iter().zip(a.1).map(common).sum()
            }
        }
    }
}
