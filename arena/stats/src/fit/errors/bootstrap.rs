//! The spread of fits with random cluster weights, which checks the sandwich estimate.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use crate::Errors;
use crate::fit::solver::{Problem, Solution};
use crate::numeric::matrix::Matrix;

/// Returns the covariance of fits in which every cluster has its own weight from the exponential law with mean 1 (Rubin 1981,
/// *The Bayesian Bootstrap*). No weight is zero, so every such fit exists if the plain one does.
pub(crate) fn bootstrap(problem: &Problem<'_>, solution: &Solution, asked: Errors) -> Matrix {
    let Errors::Bootstrap { fits, seed } = asked else { return solution.inverse.clone() };
    let tally = problem.tally;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let size = problem.layout.size;
    let mut covariance = Matrix::zero(size);
    for _ in 0..fits {
        let mut weight = || {
            let lot: f64 = random.random();
            -(1.0 - lot).ln()
        };
        let mut counts = vec![[0.0; 3]; tally.cells.len()];
        let mut add = |unit: u32, weight: f64| {
            for (cell, score) in tally.units[unit as usize].results() {
                counts[cell][usize::from(score.halves())] += weight;
            }
        };
        for (place, unit) in tally.units.iter().enumerate() {
            let weights: f64 = (0..unit.alone).map(|_| weight()).sum();
            add(place as u32, weights);
        }
        for parts in &tally.clusters {
            let weight = weight();
            parts.iter().for_each(|&(unit, times)| add(unit, weight * f64::from(times)));
        }
        let (model, layout) = (problem.model, problem.layout.clone());
        let (precision, even_draws) = (problem.precision.clone(), problem.even_draws.clone());
        let blocks = problem.blocks.clone();
        let offsets = problem.offsets.clone();
        let weighted = Problem { model, tally, counts, layout, offsets, precision, even_draws, blocks };
        let Some(found) = weighted.solve_from(solution.values.clone()) else { continue };
        let moved: Vec<(usize, f64)> =
            found.values.iter().zip(&solution.values).map(|(a, b)| a - b).enumerate().collect();
        covariance.add_square(&moved, 1.0 / f64::from(fits));
    }
    covariance
}
