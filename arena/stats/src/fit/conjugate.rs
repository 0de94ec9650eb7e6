//! Large pools: the maximum of a likelihood, and samples of its variation, without a matrix.
//!
//! Newton's steps are calculated by conjugate gradients with the diagonal as preconditioner (Hestenes and Stiefel 1952). These
//! only multiply the information by vectors, at a cost proportional to the number of match-ups. The covariance would be a
//! matrix of the number of players squared. Random samples with the same covariance replace it: `A⁻¹ Σ ± s_g` with a random
//! sign for the adjusted gradient of each cluster.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use crate::fit::errors::sandwich::Adjusted;
use crate::fit::solver::{Problem, descend_limit};
use crate::numeric::inverse::Inverse;

/// The number of samples for a large pool: the standard error of a standard error is then 6 %.
const EXAMPLES: usize = 128;

/// How many samples are calculated at once.
const LANES: usize = 8;

/// The relative precision of a step. Newton's next step corrects the rest.
const STEP_PRECISION: f64 = 1e-5;

/// The relative precision of a sample.
const EXAMPLE_PRECISION: f64 = 1e-4;

/// The most iterations. Every iteration improves the result, so the last one is usable.
const MOST_ROUNDS: usize = 2000;

/// The maximum of a likelihood, with its curvature there.
#[derive(Debug)]
pub(crate) struct LargeSolution {
    pub(crate) values: Vec<f64>,
    pub(crate) log_likelihood: f64,
    information: Information,
}

/// The information as a sum over match-ups.
#[derive(Debug)]
struct Information {
    /// For each match-up the information of its games, and the parameters with their factors.
    cells: Vec<(f64, Vec<(u32, f64)>)>,
    precision: Vec<f64>,
    /// The inverse of the diagonal.
    inverse_diagonal: Vec<f64>,
}

impl LargeSolution {
    /// Finds the maximum of a problem of the logistic model; `None` if the data determine none.
    pub(crate) fn of(problem: &Problem<'_>) -> Option<Self> {
        let mut values = vec![0.0; problem.layout.size];
        let (mut log_likelihood, mut gradient) = problem.slope(&values);
        for _ in 0..100 {
            let information = Information::of(problem, &values);
            let step = information
                .solve(&gradient.iter().map(|&part| [part]).collect::<Vec<_>>(), STEP_PRECISION)?;
            let step: Vec<f64> = step.into_iter().map(|[part]| part).collect();
            let length = step.iter().fold(0.0f64, |longest, part| longest.max(part.abs()));
            if length <= 1e-9 {
                return Some(Self { values, log_likelihood, information });
            }
            let least = descend_limit(log_likelihood);
            let mut factor = 1.0;
            loop {
                let moved: Vec<f64> =
                    values.iter().zip(&step).map(|(value, part)| value + factor * part).collect();
                let (there, slope) = problem.slope(&moved);
                if there >= least {
                    (values, log_likelihood, gradient) = (moved, there, slope);
                    break;
                }
                factor /= 2.0;
                if factor < 1e-15 {
                    return None;
                }
            }
        }
        None
    }

    /// Returns the inverse of the diagonal: the variance of each parameter if all others are known.
    pub(crate) fn inverse(&self) -> Inverse {
        Inverse::Diagonal(self.information.inverse_diagonal.clone())
    }

    /// Returns samples of the variation of the parameters, from a fixed seed: the same games give the same samples. `gradients`
    /// are those of all clusters, or [`LargeSolution::model_gradients`].
    pub(crate) fn examples(&self, gradients: &[Adjusted]) -> Vec<Vec<f64>> {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let size = self.values.len();
        let mut examples = Vec::with_capacity(EXAMPLES);
        for _ in 0..EXAMPLES / LANES {
            let mut sides = vec![[0.0; LANES]; size];
            for (gradient, count) in gradients {
                let mut signs = [0.0; LANES];
                for _ in 0..*count {
                    let bits: u8 = random.random();
                    for (lane, sign) in signs.iter_mut().enumerate() {
                        *sign += if bits >> lane & 1 == 1 { 1.0 } else { -1.0 };
                    }
                }
                for &(place, part) in gradient {
                    sides[place].iter_mut().zip(signs).for_each(|(sum, sign)| *sum += sign * part);
                }
            }
            let Some(solved) = self.information.solve(&sides, EXAMPLE_PRECISION) else { continue };
            examples
                .extend((0..LANES).map(|lane| solved.iter().map(|parts| parts[lane]).collect::<Vec<f64>>()));
        }
        examples
    }
}

impl LargeSolution {
    /// Returns gradients whose squares add up to the information: the variation according to the model and the priors.
    pub(crate) fn model_gradients(&self) -> Vec<Adjusted> {
        let games = self.information.cells.iter().map(|(bend, places)| {
            let root = bend.sqrt();
            places.iter().map(|&(place, factor)| (place as usize, root * factor)).collect()
        });
        let priors = self.information.precision.iter().enumerate().filter(|(_, precision)| **precision > 0.0);
        let priors = priors.map(|(place, precision)| vec![(place, precision.sqrt())]);
        games.chain(priors).map(|gradient| (gradient, 1)).collect()
    }
}

impl Information {
    fn of(problem: &Problem<'_>, values: &[f64]) -> Self {
        let mut diagonal = problem.precision.clone();
        let cell = |(index, counts): (usize, &[f64; 3])| {
            let bend = counts.iter().sum::<f64>() * problem.moments(index, values).information[0][0];
            let places: Vec<(u32, f64)> = problem
                .spread(index, [1.0, 0.0])
                .into_iter()
                .map(|(place, factor)| (place as u32, factor))
                .collect();
            (bend, places)
        };
        let cells: Vec<_> = problem.counts.iter().enumerate().map(cell).collect();
        for (bend, places) in &cells {
            places.iter().for_each(|&(place, factor)| diagonal[place as usize] += bend * factor * factor);
        }
        let inverse_diagonal = diagonal.iter().map(|cell| cell.max(f64::MIN_POSITIVE).recip()).collect();
        Self { cells, precision: problem.precision.clone(), inverse_diagonal }
    }

    fn times<const N: usize>(&self, vector: &[[f64; N]]) -> Vec<[f64; N]> {
        let mut product: Vec<[f64; N]> = vector
            .iter()
            .zip(&self.precision)
            .map(|(parts, precision)| parts.map(|part| precision * part))
            .collect();
        for (bend, places) in &self.cells {
            let mut sum = [0.0; N];
            for &(place, factor) in places {
                sum.iter_mut().zip(vector[place as usize]).for_each(|(sum, part)| *sum += factor * part);
            }
            for &(place, factor) in places {
                let weight = bend * factor;
                product[place as usize].iter_mut().zip(sum).for_each(|(cell, sum)| *cell += weight * sum);
            }
        }
        product
    }

    /// Solves for several right sides at once; `None` if the information is singular in a direction of one of them.
    fn solve<const N: usize>(&self, sides: &[[f64; N]], precision: f64) -> Option<Vec<[f64; N]>> {
        let scaled = |residual: &[[f64; N]]| -> Vec<[f64; N]> {
            residual
                .iter()
                .zip(&self.inverse_diagonal)
                .map(|(parts, factor)| parts.map(|part| factor * part))
                .collect()
        };
        let mut found = vec![[0.0; N]; sides.len()];
        let mut residual = sides.to_vec();
        let mut direction = scaled(&residual);
        let mut energy = dot(&residual, &direction);
        let enough = energy.map(|energy| energy * precision * precision);
        for _ in 0..MOST_ROUNDS {
            if energy.iter().zip(enough).all(|(energy, enough)| *energy <= enough) {
                return Some(found);
            }
            let image = self.times(&direction);
            let bend = dot(&direction, &image);
            let mut length = [0.0; N];
            for lane in 0..N {
                if energy[lane] > enough[lane] {
                    if bend[lane].is_nan() || bend[lane] <= 1e-14 * energy[lane] {
                        return None;
                    }
                    length[lane] = energy[lane] / bend[lane];
                }
            }
            for (i, parts) in found.iter_mut().enumerate() {
                for lane in 0..N {
                    parts[lane] += length[lane] * direction[i][lane];
                    residual[i][lane] -= length[lane] * image[i][lane];
                }
            }
            let next = scaled(&residual);
            let after = dot(&residual, &next);
            for (i, parts) in direction.iter_mut().enumerate() {
                for lane in 0..N {
                    let ratio = if energy[lane] > 0.0 { after[lane] / energy[lane] } else { 0.0 };
                    parts[lane] = next[i][lane] + ratio * parts[lane];
                }
            }
            energy = after;
        }
        Some(found)
    }
}

fn dot<const N: usize>(a: &[[f64; N]], b: &[[f64; N]]) -> [f64; N] {
    let mut sums = [0.0; N];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..N {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums
}
