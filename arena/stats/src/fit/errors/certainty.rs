//! How sure the figures of a table are: their covariance, and how well that is known itself.

use std::collections::BTreeMap;

use crate::fit::errors::parameter::{LEVEL95, Parameter};
use crate::fit::errors::sandwich::{Clusters, Typical};
use crate::fit::errors::spread::Spread;
use crate::numeric::matrix::Matrix;
use crate::numeric::normal::{student_below, student_quantile};

/// Variances below this, in square Elo, are rounding: the results do not vary.
const NO_VARIANCE: f64 = 1e-8;

/// As how many degrees of freedom the dispersion of all results counts at most beside that of the results which a figure hangs on:
/// a variance that few clusters show is drawn to what is typical (Smyth 2004, *Statistical Applications in Genetics and
/// Molecular Biology* 3).
const TYPICAL_FREEDOM: f64 = 4.0;

/// The covariance of all parameters, in square Elo, after centring.
#[derive(Debug, Clone)]
pub(crate) struct Certainty {
    pub(crate) spread: Spread,
    /// Row of each player.
    pub(crate) players: Vec<Option<usize>>,
    /// Rows of the advantages of each group's seats: one for two seats, else one for each.
    pub(crate) seats: Vec<Vec<usize>>,
    /// What tells how well variances are known; `None` where they are taken as known.
    pub(crate) source: Option<Source>,
    /// The players, and the seats of a group, that share a zero, and those whose mean it is, as rows.
    pub(crate) scales: Vec<Scale>,
}

/// Players that share a zero.
#[derive(Debug, Clone)]
pub(crate) struct Scale {
    pub(crate) members: Vec<usize>,
    pub(crate) origin: Vec<usize>,
}

/// The clusters that a covariance comes from.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) clusters: Clusters,
    /// The place of each row among the parameters of the fit.
    pub(crate) places: Vec<Option<usize>>,
    /// The number of ratings: the first places.
    pub(crate) rated: usize,
    /// By row, the number of the ratings with which the results determine it up to a common shift.
    pub(crate) blocks: Vec<Option<usize>>,
    /// What a square natural unit is in square Elo.
    pub(crate) unit: f64,
}

/// The standard error of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Uncertainty {
    /// The standard error in Elo.
    pub(crate) error: f64,
    /// The degrees of freedom with which it is known.
    pub(crate) freedom: f64,
}

impl Uncertainty {
    /// Half the width of the interval that misses the truth with probability `level`.
    pub(crate) fn half_width(self, level: f64) -> f64 {
        student_quantile(level / 2.0, self.freedom) * self.error
    }

    /// The likelihood that a figure estimated as `value` is above zero.
    pub(crate) fn likelihood_above_zero(self, value: f64) -> f64 {
        student_below(value / self.error, self.freedom)
    }
}

impl Certainty {
    /// That of nothing, for a fit that does not exist.
    pub(crate) fn empty(players: usize, groups: usize) -> Self {
        let (players, seats) = (vec![None; players], vec![Vec::new(); groups]);
        Self { spread: Spread::Exact(Matrix::zero(0)), players, seats, source: None, scales: Vec::new() }
    }

    /// Returns a parameter as rows with factors; `None` where it was not estimated.
    fn figure(&self, parameter: Parameter) -> Option<Vec<(usize, f64)>> {
        let figure = match parameter {
            Parameter::Rating(player) => ((*self.players.get(player)?)?, 1.0),
            Parameter::Advantage(group) => (*self.seats.get(group)?.first()?, 1.0),
            Parameter::Seat(group, seat) => match (&self.seats.get(group)?[..], seat) {
                // The one row is the difference of both seats.
                ([row], 0) => (*row, 0.5),
                ([row], 1) => (*row, -0.5),
                ([_], _) => return None,
                (rows, seat) => (*rows.get(seat)?, 1.0),
            },
        };
        Some(vec![figure])
    }

    /// The covariance of two parameters; `None` where one of them was not estimated.
    pub(crate) fn covariance(&self, one: Parameter, two: Parameter) -> Option<f64> {
        let (one, two) = (self.figure(one)?, self.figure(two)?);
        let products = one.iter().flat_map(|&(i, a)| two.iter().map(move |&(j, b)| (i, j, a * b)));
        Some(products.map(|(i, j, factor)| factor * self.spread.get(i, j)).sum())
    }

    /// The uncertainty of a parameter as the table shows it.
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

    /// The uncertainty of a sum of parameters with factors; `None` where one of them was not estimated, and where the
    /// results do not vary.
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
        // What no spread of results can show, since one cluster alone decides it, is taken from the model.
        let assumed = (1.0 - freedom.shown) * freedom.variance * source.unit;
        if !is_varied
            && source.clusters.typical.dispersion * source.unit <= NO_VARIANCE
            && freedom.shown > 0.5
        {
            return None;
        }
        // With few directions what is typical is little more than the figure itself.
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
        // With next to no degrees of freedom nothing is known of the variance, but that it has a limit.
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

    /// Returns whether a place of the fit's parameters is that of a rating.
    fn is_rating(&self, place: usize) -> bool {
        place < self.rated
    }

    /// Returns a figure in terms of the fit's parameters; `None` where it depends on more than the results determine.
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
