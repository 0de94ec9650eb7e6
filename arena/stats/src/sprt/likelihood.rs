//! The generalized log-likelihood ratio: how much better one hypothesis explains the counted scores.
//!
//! Under each hypothesis the law of the score is fitted to the counts by maximum likelihood, under one
//! constraint: the mean (logistic Elo) or the mean's distance from ½ in standard deviations (normalized Elo).

use crate::Counts;
use crate::numeric::law::Law;
use crate::sprt::{Hypotheses, Model, scale, tilt};

/// The weight of a score that did not occur, so that every score stays possible.
const UNSEEN: f64 = 1e-3;

/// Returns the logarithm of the likelihood of the counts under H1, divided by that under H0.
///
/// Scores that never occurred count as a thousandth of an observation. The ratio depends on the counts alone,
/// not on the order in which results came in, and is always finite.
#[must_use]
pub fn log_likelihood_ratio(counts: &Counts, hypotheses: &Hypotheses) -> f64 {
    let weights = regularized(counts);
    let law = Law::of(weights.clone());
    let fit = |elo| match hypotheses.model() {
        Model::Logistic => tilt::to_mean(&law, scale::score(elo)),
        Model::Normalized => tilt::to_distance(&law, scale::distance(elo, counts.games())),
    };
    let (zero, one) = (fit(hypotheses.elo0()), fit(hypotheses.elo1()));
    weights.iter().zip(zero).zip(one).map(|((weight, zero), one)| weight * (zero.ln() - one.ln())).sum()
}

/// Returns the counts with [`UNSEEN`] instead of zero.
pub(crate) fn regularized(counts: &Counts) -> Vec<f64> {
    counts.counts().iter().map(|&n| if n == 0 { UNSEEN } else { n as f64 }).collect()
}
