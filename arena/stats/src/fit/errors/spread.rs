//! The variation of a fit's parameters: as a matrix, or as samples if the matrix would be too large.

use crate::numeric::matrix::Matrix;

/// The covariance of parameters.
#[derive(Debug, Clone)]
pub(crate) enum Spread {
    /// A matrix.
    Exact(Matrix),
    /// A list of deviations of the parameters. The covariance is the mean of their squares.
    Sampled(Vec<Vec<f64>>),
}

impl Spread {
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Exact(matrix) => matrix.get(i, j),
            Self::Sampled(deviations) => {
                deviations.iter().map(|one| one[i] * one[j]).sum::<f64>() / deviations.len() as f64
            }
        }
    }

    /// Returns the variance of a sum of parameters with factors.
    pub(crate) fn of_sum(&self, figure: &[(usize, f64)]) -> f64 {
        match self {
            Self::Exact(matrix) => {
                let row = |&(i, a): &(usize, f64)| {
                    figure.iter().map(|&(j, b)| a * b * matrix.get(i, j)).sum::<f64>()
                };
                figure.iter().map(row).sum()
            }
            Self::Sampled(deviations) => {
                let square = |one: &Vec<f64>| figure.iter().map(|&(i, a)| a * one[i]).sum::<f64>().powi(2);
                deviations.iter().map(square).sum::<f64>() / deviations.len() as f64
            }
        }
    }

    /// Multiplies all variances.
    pub(crate) fn scale(&mut self, factor: f64) {
        match self {
            Self::Exact(matrix) => matrix.scale(factor),
            Self::Sampled(deviations) => {
                deviations.iter_mut().flatten().for_each(|part| *part *= factor.sqrt());
            }
        }
    }

    /// Subtracts the mean of `origin` from each parameter of `block`.
    pub(crate) fn centre(&mut self, block: &[usize], origin: &[usize]) {
        match self {
            Self::Exact(matrix) => matrix.centre(block, origin),
            Self::Sampled(deviations) => {
                for one in deviations {
                    let mean = origin.iter().map(|&i| one[i]).sum::<f64>() / origin.len() as f64;
                    block.iter().for_each(|&i| one[i] -= mean);
                }
            }
        }
    }
}
