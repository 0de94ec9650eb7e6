//! Damped Newton on the likelihood of a tally.
//!
//! All parameters are in one vector, in natural units: ratings, then advantages, then the ln ν of Davidson's model. Ratings are
//! determined up to a shift of each block of players, and so are the advantages of the seats of one group with more than two
//! seats. Adding a constant to the information within the block fixes the shift; it changes neither the steps nor, after
//! centring, the covariance. The likelihoods are concave, so the point found is the maximum. If there is none, the information
//! is singular or the steps do not end.

use crate::fit::model::{Model, Moments};
use crate::numeric::matrix::Matrix;
use crate::tally::Tally;

/// The indices of the parameters in the vector.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    /// The index of each player's rating; `None` if it is not a parameter.
    pub(crate) players: Vec<Option<usize>>,
    /// By group, the indices of the advantages of its seats; a group without any has zero advantages. With two seats only their
    /// difference matters, so only the first has an index. With more, every seat has one, up to a common shift.
    pub(crate) seats: Vec<Vec<usize>>,
    /// The index of each group's ln ν.
    pub(crate) draws: Vec<Option<usize>>,
    /// The number of parameters.
    pub(crate) size: usize,
}

/// A likelihood to maximize.
#[derive(Debug)]
pub(crate) struct Problem<'a> {
    pub(crate) model: Model,
    pub(crate) tally: &'a Tally,
    /// By cell, how often each result counts.
    pub(crate) counts: Vec<[f64; 3]>,
    pub(crate) layout: Layout,
    /// By cell, the known part of the strength of the first seat over the second, which does not depend on the parameters;
    /// empty if there is none.
    pub(crate) offsets: Vec<f64>,
    /// The precision of each parameter's normal prior; zero for none.
    pub(crate) precision: Vec<f64>,
    /// The indices of those ln ν that need a prior: half a draw and half a decided game between equals.
    pub(crate) even_draws: Vec<usize>,
    /// The indices of ratings, or of advantages, that are determined only up to a common shift.
    pub(crate) blocks: Vec<Vec<usize>>,
}

/// The maximum of a likelihood.
#[derive(Debug)]
pub(crate) struct Solution {
    pub(crate) values: Vec<f64>,
    /// The log-likelihood minus the priors' penalty.
    pub(crate) log_likelihood: f64,
    /// The inverse of the (penalized) information, up to shifts of the blocks.
    pub(crate) inverse: Matrix,
}

/// Log-likelihood, gradient and information at a point.
struct Expansion {
    log_likelihood: f64,
    gradient: Vec<f64>,
    information: Matrix,
}

/// Newton converges quadratically: the step after one of this length is below the last digit.
const LAST_STEP: f64 = 1e-9;

/// About ten steps suffice if there is a maximum. Otherwise they never end.
const MOST_STEPS: usize = 100;

/// Pivots below this share of their diagonal element are zero apart from rounding.
const SINGULAR: f64 = 1e-12;

impl Layout {
    /// Numbers the players, the advantages at tables of `seats` seats in each group (none for 0), and the requested draw
    /// parameters.
    pub(crate) fn new(players: &[bool], seats: &[usize], draws: &[bool]) -> Self {
        let mut next = 0..;
        let mut wanted = |wanted: &[bool]| -> Vec<Option<usize>> {
            wanted.iter().map(|wanted| if *wanted { next.next() } else { None }).collect()
        };
        let players = wanted(players);
        let seats = seats.iter().map(|seats| wanted(&vec![true; seat_parameters(*seats)]));
        let seats = seats.map(|places| places.into_iter().flatten().collect()).collect();
        let draws = wanted(draws);
        Self { players, seats, draws, size: next.next().unwrap_or_default() }
    }

    /// Returns the index of a seat's advantage.
    pub(crate) fn seat(&self, group: usize, seat: usize) -> Option<usize> {
        self.seats.get(group)?.get(seat).copied()
    }

    /// Returns the advantages that are determined only up to a common shift, by group.
    pub(crate) fn seat_blocks(&self) -> impl Iterator<Item = (usize, &Vec<usize>)> {
        self.seats.iter().enumerate().filter(|(_, places)| places.len() > 1)
    }
}

/// Returns the number of parameters that distinguish the advantages of `seats` seats.
pub(crate) const fn seat_parameters(seats: usize) -> usize {
    if seats == 2 { 1 } else { seats }
}

/// Returns what a log-likelihood must reach after a step: the value before it, minus rounding.
pub(crate) fn descend_limit(before: f64) -> f64 {
    before - 1e-13 * (1.0 + before.abs())
}

impl Problem<'_> {
    /// Finds the maximum; `None` if the data determine none.
    pub(crate) fn solve(&self) -> Option<Solution> {
        self.solve_from(vec![0.0; self.layout.size])
    }

    /// Finds the maximum from a point near it.
    pub(crate) fn solve_from(&self, mut values: Vec<f64>) -> Option<Solution> {
        let tolerance = if self.blocks.is_empty() { f64::EPSILON } else { SINGULAR };
        let mut here = self.expand(&values);
        for _ in 0..MOST_STEPS {
            let factor = here.information.cholesky(tolerance)?;
            let step = factor.solve(&here.gradient);
            let length = step.iter().fold(0.0f64, |longest, part| longest.max(part.abs()));
            if length <= LAST_STEP {
                let log_likelihood = here.log_likelihood;
                return Some(Solution { values, log_likelihood, inverse: factor.inverse() });
            }
            (values, here) = self.descend(&values, &step, here.log_likelihood)?;
        }
        None
    }

    /// Takes the step, halving it until the likelihood falls by no more than rounding.
    fn descend(&self, values: &[f64], step: &[f64], before: f64) -> Option<(Vec<f64>, Expansion)> {
        let least = descend_limit(before);
        let mut factor = 1.0;
        for _ in 0..50 {
            let moved: Vec<f64> =
                values.iter().zip(step).map(|(value, part)| value + factor * part).collect();
            let there = self.expand(&moved);
            if there.log_likelihood >= least {
                return Some((moved, there));
            }
            factor /= 2.0;
        }
        None
    }

    /// Returns the log-likelihood, gradient and information of all games and priors at `values`.
    fn expand(&self, values: &[f64]) -> Expansion {
        let size = self.layout.size;
        let mut log_likelihood = 0.0;
        let mut gradient = vec![0.0; size];
        let mut information = Matrix::zero(size);
        for (index, counts) in self.counts.iter().enumerate() {
            let moments = self.moments(index, values);
            let mut slope = [0.0; 2];
            for (score, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                log_likelihood += count * moments.log[score];
                slope[0] += count * moments.gradient[score][0];
                slope[1] += count * moments.gradient[score][1];
            }
            for (place, part) in self.spread(index, slope) {
                gradient[place] += part;
            }
            let total: f64 = counts.iter().sum();
            self.bend(index, &moments, |i, j, part| information.add(i, j, total * part));
        }
        for (i, (&precision, &value)) in self.precision.iter().zip(values).enumerate() {
            log_likelihood -= precision * value * value / 2.0;
            gradient[i] -= precision * value;
            information.add(i, i, precision);
        }
        for &i in &self.even_draws {
            let even = Model::Davidson.moments(0.0, values[i]);
            log_likelihood += (even.log[1] + even.log[2]) / 2.0;
            gradient[i] += (even.gradient[1][1] + even.gradient[2][1]) / 2.0;
            information.add(i, i, even.information[1][1]);
        }
        for block in &self.blocks {
            let mean = block.iter().map(|&i| information.get(i, i)).sum::<f64>() / block.len() as f64;
            for &i in block {
                for &j in block {
                    information.add(i, j, mean / block.len() as f64);
                }
            }
        }
        Expansion { log_likelihood, gradient, information }
    }

    /// Returns the log-likelihood and gradient of all games and priors at `values`, without the information.
    pub(crate) fn slope(&self, values: &[f64]) -> (f64, Vec<f64>) {
        let mut log_likelihood = 0.0;
        let mut gradient = vec![0.0; self.layout.size];
        for (index, counts) in self.counts.iter().enumerate() {
            let moments = self.moments(index, values);
            let mut slope = 0.0;
            for (score, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                log_likelihood += count * moments.log[score];
                slope += count * moments.gradient[score][0];
            }
            for (place, part) in self.spread(index, [slope, 0.0]) {
                gradient[place] += part;
            }
        }
        for (i, (&precision, &value)) in self.precision.iter().zip(values).enumerate() {
            log_likelihood -= precision * value * value / 2.0;
            gradient[i] -= precision * value;
        }
        (log_likelihood, gradient)
    }

    /// Passes the information of one game of a cell to `add`, for every two parameters.
    pub(crate) fn each_information(&self, cell: usize, values: &[f64], add: impl FnMut(usize, usize, f64)) {
        self.bend(cell, &self.moments(cell, values), add);
    }

    fn bend(&self, cell: usize, moments: &Moments, mut add: impl FnMut(usize, usize, f64)) {
        for (i, (a, on_eta)) in self.design(cell) {
            for (j, (b, of_eta)) in self.design(cell) {
                add(i, j, a * b * moments.information[usize::from(on_eta)][usize::from(of_eta)]);
            }
        }
    }

    pub(crate) fn moments(&self, cell: usize, values: &[f64]) -> Moments {
        let (mut d, mut eta) = (self.offsets.get(cell).copied().unwrap_or_default(), 0.0);
        for (place, (factor, on_eta)) in self.design(cell) {
            *(if on_eta { &mut eta } else { &mut d }) += factor * values[place];
        }
        self.model.moments(d, eta)
    }

    /// Returns the gradient by the parameters, from that by d and η.
    pub(crate) fn spread(&self, cell: usize, gradient: [f64; 2]) -> Vec<(usize, f64)> {
        self.design(cell).map(|(i, (factor, on_eta))| (i, factor * gradient[usize::from(on_eta)])).collect()
    }

    /// Returns the parameters of a cell, each with its factor and whether it contributes to η instead of d.
    fn design(&self, cell: usize) -> impl Iterator<Item = (usize, (f64, bool))> + use<> {
        let cell = &self.tally.cells[cell];
        let of = |places: &[Option<usize>], index: usize| places.get(index).copied().flatten();
        [
            of(&self.layout.players, cell.first).map(|i| (i, (1.0, false))),
            of(&self.layout.players, cell.second).map(|i| (i, (-1.0, false))),
            self.layout.seat(cell.group, cell.seats[0]).map(|i| (i, (1.0, false))),
            self.layout.seat(cell.group, cell.seats[1]).map(|i| (i, (-1.0, false))),
            of(&self.layout.draws, cell.group).map(|i| (i, (1.0, true))),
        ]
        .into_iter()
        .flatten()
    }
}
