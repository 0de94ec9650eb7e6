//! The uncertainty of the figures of a table: their covariance, and how well the covariance itself is known.

use std::collections::BTreeMap;

use crate::fit::errors::parameter::{LEVEL95, Parameter};
use crate::fit::errors::sandwich::{Clusters, Typical};
use crate::fit::errors::spread::Spread;
use crate::numeric::matrix::Matrix;
use crate::numeric::normal::{student_below, student_quantile};

/// Variances below this, in square Elo, are rounding: the results do not vary.
const NO_VARIANCE: f64 = 1e-8;

/// The most degrees of freedom that the dispersion of all results contributes to a figure's variance. A variance that few
/// clusters determine is shrunk to the typical one (Smyth 2004, *Statistical Applications in Genetics and Molecular Biology*
/// 3).
const TYPICAL_FREEDOM: f64 = 4.0;

/// The covariance of all parameters, in square Elo, after centring.
#[derive(Debug, Clone)]
pub(crate) struct Certainty {
    pub(crate) spread: Spread,
    /// The row of each player.
    pub(crate) players: Vec<Option<usize>>,
    /// The rows of the advantages of each group's seats: one row for two seats, otherwise one per seat.
    pub(crate) seats: Vec<Vec<usize>>,
    /// How well variances are known; `None` if they are treated as known.
    pub(crate) source: Option<Source>,
    /// The players, or the seats of a group, that share an origin, and those whose mean is the origin, as rows.
    pub(crate) scales: Vec<Scale>,
}

/// Players that share an origin.
#[derive(Debug, Clone)]
pub(crate) struct Scale {
    pub(crate) members: Vec<usize>,
    pub(crate) origin: Vec<usize>,
}

/// The clusters that a covariance comes from.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) clusters: Clusters,
    /// The index of each row among the parameters of the fit.
    pub(crate) places: Vec<Option<usize>>,
    /// The number of ratings, which have the first indices.
    pub(crate) rated: usize,
    /// By row, the number of its block: the ratings that the results determine up to a common shift.
    pub(crate) blocks: Vec<Option<usize>>,
    /// One square natural unit in square Elo.
    pub(crate) unit: f64,
}

/// The standard error of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Uncertainty {
    /// The standard error in Elo.
    pub(crate) error: f64,
    /// Its degrees of freedom.
    pub(crate) freedom: f64,
}

impl Uncertainty {
    /// Returns half the width of the interval that misses the truth with probability `level`.
    pub(crate) fn half_width(self, level: f64) -> f64 {
        student_quantile(level / 2.0, self.freedom) * self.error
    }

    /// Returns the likelihood that a figure with the estimate `value` is above zero.
    pub(crate) fn likelihood_above_zero(self, value: f64) -> f64 {
        student_below(value / self.error, self.freedom)
    }
}

impl Certainty {
    /// Returns the empty covariance, for a fit that does not exist.
    pub(crate) fn empty(players: usize, groups: usize) -> Self {
        let (players, seats) = (vec![None; players], vec![Vec::new(); groups]);
        Self { spread: Spread::Exact(Matrix::zero(0)), players, seats, source: None, scales: Vec::new() }
    }

    /// Returns a parameter as rows with factors; `None` if it was not estimated.
    fn figure(&self, parameter: Parameter) -> Option<Vec<(usize, f64)>> {
        let figure = match parameter {
            Parameter::Rating(player) => ((*self.players.get(player)?)?, 1.0),
            Parameter::Advantage(group) => (*self.seats.get(group)?.first()?, 1.0),
            Parameter::Seat(group, seat) => match (&self.seats.get(group)?[..], seat) {
                // The only row is the difference of both seats.
                ([row], 0) => (*row, 0.5),
                ([row], 1) => (*row, -0.5),
                ([_], _) => return None,
                (rows, seat) => (*rows.get(seat)?, 1.0),
            },
        };
        Some(vec![figure])
    }

    /// Returns the covariance of two parameters; `None` if one of them was not estimated.
    pub(crate) fn covariance(&self, one: Parameter, two: Parameter) -> Option<f64> {
        let (one, two) = (self.figure(one)?, self.figure(two)?);
        let products = one.iter().flat_map(|&(i, a)| two.iter().map(move |&(j, b)| (i, j, a * b)));
        Some(products.map(|(i, j, factor)| factor * self.spread.get(i, j)).sum())
    }

    /// Returns the uncertainty of a parameter as the table shows it.
    pub(crate) fn of(&self, parameter: Parameter) -> Option<Uncertainty> {
        let mut figure = self.figure(parameter)?;
        let variance = self.spread.of_sum(&figure);
        let row = figure[0].0;
        if let Some(scale) = self.scales.iter().find(|scale| scale.members.contains(&row)) {
            let share = 1.0 / scale.origin.len() as f64;
            figure.extend(scale.origin.iter().map(|&row| (row, -share)));
        }
        self.uncertainty(variance, &figure)
    }

    /// Returns the uncertainty of a sum of parameters with factors; `None` if one of them was not estimated, or if the results
    /// do not vary.
    pub(crate) fn of_sum(&self, parameters: &[(Parameter, f64)]) -> Option<Uncertainty> {
        let rows = parameters.iter().map(|&(parameter, factor)| {
            Some(self.figure(parameter)?.into_iter().map(move |(row, own)| (row, factor * own)))
        });
        let figure: Vec<(usize, f64)> = rows.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
        self.uncertainty(self.spread.of_sum(&figure), &figure)
    }

    fn uncertainty(&self, variance: f64, figure: &[(usize, f64)]) -> Option<Uncertainty> {
        let known = Uncertainty { error: variance.max(0.0).sqrt(), freedom: f64::INFINITY };
        let is_varied = variance > NO_VARIANCE;
        let Some((source, figure)) = self.source.as_ref().and_then(|it| Some((it, it.figure(figure)?)))
        else {
            return is_varied.then_some(known);
        };
        let freedom = source.clusters.freedom(&figure);
        // A single cluster shows no spread, so the part that it alone determines comes from the model.
        let assumed = (1.0 - freedom.shown) * freedom.variance * source.unit;
        if !is_varied
            && source.clusters.typical.dispersion * source.unit <= NO_VARIANCE
            && freedom.shown > 0.5
        {
            return None;
        }
        // With few directions, the typical dispersion is little more than that of the figure itself.
        let Typical { dispersion, directions } = source.clusters.typical;
        let is_of_ratings = figure.iter().all(|(place, _)| source.is_rating(*place));
        let weight =
            if is_of_ratings { TYPICAL_FREEDOM * (1.0 - 1.0 / directions.max(1) as f64) } else { 0.0 };
        let typical = dispersion * freedom.variance * freedom.shown * source.unit;
        let degrees = freedom.degrees + weight;
        let shown = (freedom.degrees * variance.max(0.0) + weight * typical) / degrees.max(f64::MIN_POSITIVE);
        let whole = shown + assumed;
        if whole <= NO_VARIANCE {
            return None;
        }
        let degrees = degrees * (whole / shown.max(f64::MIN_POSITIVE)).powi(2);
        let found = Uncertainty { error: whole.sqrt(), freedom: degrees };
        // With almost no degrees of freedom, only an upper limit of the variance is known.
        let greatest = Uncertainty { error: (freedom.greatest * source.unit).sqrt(), freedom: f64::INFINITY };
        let is_within = found.half_width(LEVEL95) <= greatest.half_width(LEVEL95);
        Some(if is_within || greatest.error <= 0.0 { found } else { greatest })
    }
}

impl Source {
    /// Returns the number of each row's block.
    pub(crate) fn blocks(rows: usize, blocks: &[Vec<usize>]) -> Vec<Option<usize>> {
        let mut numbers = vec![None; rows];
        for (number, block) in blocks.iter().enumerate() {
            block.iter().for_each(|&row| numbers[row] = Some(number));
        }
        numbers
    }

    /// Returns whether an index of the fit's parameters is that of a rating.
    fn is_rating(&self, place: usize) -> bool {
        place < self.rated
    }

    /// Returns a figure in terms of the fit's parameters; `None` if it depends on parameters that the results do not determine.
    fn figure(&self, figure: &[(usize, f64)]) -> Option<Vec<(usize, f64)>> {
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for &(row, factor) in figure {
            if let Some(block) = self.blocks[row] {
                *sums.entry(block).or_default() += factor;
            }
        }
        if sums.values().any(|sum| sum.abs() > 1e-9) {
            return None;
        }
        figure.iter().map(|&(row, factor)| Some((self.places[row]?, factor))).collect()
    }
}
