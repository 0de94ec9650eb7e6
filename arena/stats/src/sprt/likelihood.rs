//! The generalised log-likelihood ratio: how much better one hypothesis explains the counted scores.
//!
//! Under each hypothesis the law of the score is fitted to the counts by maximum likelihood, under one
//! constraint: the mean (logistic Elo) or the mean's distance from ½ in standard deviations (normalized Elo).
//! The fitted law is `q / (1 + x φ)`, where `q` are the observed shares, `φ` is what must have the mean zero and `x`
//! makes it so (Owen, *Empirical Likelihood*; Van den Bergh, *Comments on normalized Elo*).

use crate::Counts;
use crate::law::Law;
use crate::sprt::scale;
use crate::sprt::{Hypotheses, Model};

/// What a score that did not occur counts as, so that every score stays possible.
const UNSEEN: f64 = 1e-3;

/// The change of the law's probabilities at which the fit under normalized Elo has converged.
const CONVERGED: f64 = 1e-12;

/// More rounds than any fit needs; it then stands where it is.
const MOST_ROUNDS: usize = 1000;

/// Returns the logarithm of the likelihood of the counts under H1, divided by that under H0.
///
/// Scores that never occurred count as a thousandth of an observation. The ratio depends on the counts alone,
/// not on the order in which results came in, and is always finite.
#[must_use]
pub fn log_likelihood_ratio<const N: usize>(counts: &Counts<N>, hypotheses: &Hypotheses) -> f64 {
    let weights = regularized(counts);
    let law = Law::of(weights);
    let fit = |elo| match hypotheses.model() {
        Model::Logistic => tilted_to_mean(&law, scale::score(elo)),
        Model::Normalized => tilted_to_distance(&law, scale::distance(elo, Counts::<N>::GAMES)),
    };
    let (zero, one) = (fit(hypotheses.elo0()), fit(hypotheses.elo1()));
    weights.iter().zip(zero).zip(one).map(|((weight, zero), one)| weight * (zero.ln() - one.ln())).sum()
}

/// The counts with [`UNSEEN`] for zero.
pub(crate) fn regularized<const N: usize>(counts: &Counts<N>) -> [f64; N] {
    counts.counts().map(|n| if n == 0 { UNSEEN } else { n as f64 })
}

/// Returns `1 + x (score − mean)` for each score: the factors by which `law` is divided to have this mean.
fn tilted_to_mean<const N: usize>(law: &Law<N>, mean: f64) -> [f64; N] {
    let deviations = std::array::from_fn(|i| Law::<N>::score(i) - mean);
    // A mean strictly between the ends has scores on both sides.
    factors(law, &deviations).unwrap_or([1.0; N])
}

/// Returns the factors by which `law` is divided to have its mean `distance` standard deviations above ½.
///
/// The constraint is not linear: it is replaced by its tangent at the law of the round before, until the law
/// stands still. The first is the law on the two ends that meets the constraint exactly.
fn tilted_to_distance<const N: usize>(law: &Law<N>, distance: f64) -> [f64; N] {
    let mut ends = [0.0; N];
    ends[N - 1] = 0.5 + distance / (2.0 * distance.hypot(1.0));
    ends[0] = 1.0 - ends[N - 1];
    let mut current = Law { probabilities: ends };
    let mut best = [1.0; N];
    for _ in 0..MOST_ROUNDS {
        let Some(found) = factors(law, &tangent(&current, distance)) else {
            // The tangent is met by no law: half-way back towards one that meets the constraint.
            for (p, end) in current.probabilities.iter_mut().zip(ends) {
                *p = 0.5 * (*p + end);
            }
            continue;
        };
        let next: [f64; N] = std::array::from_fn(|i| law.probabilities[i] / found[i]);
        let change = next.iter().zip(current.probabilities).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        best = found;
        current = Law { probabilities: next };
        if change < CONVERGED {
            break;
        }
    }
    best
}

/// The influence of each score on (mean − ½ − distance · σ), taken at a law where that is zero.
fn tangent<const N: usize>(at: &Law<N>, distance: f64) -> [f64; N] {
    let (mean, sigma) = (at.mean(), at.variance().sqrt());
    std::array::from_fn(|i| {
        let score = Law::<N>::score(i);
        score - 0.5 - distance * sigma * (1.0 + ((mean - score) / sigma).powi(2)) / 2.0
    })
}

/// Returns `1 + x φ` with the `x` at which `q φ / (1 + x φ)` sums to zero; `None` when the `φ` do not lie on
/// both sides of zero.
///
/// The sum falls with `x` from +∞ to −∞ between the poles that bound the positive laws: Newton steps within a
/// bracket.
fn factors<const N: usize>(law: &Law<N>, phi: &[f64; N]) -> Option<[f64; N]> {
    let (least, most) = phi.iter().fold((0.0f64, 0.0f64), |(a, b), &v| (a.min(v), b.max(v)));
    if !(least < 0.0 && most > 0.0 && least.is_finite() && most.is_finite()) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (q, phi) in law.probabilities.iter().zip(phi) {
            let term = phi / (1.0 + x * phi);
            sum += q * term;
            slope += q * term * term;
        }
        let step = sum / slope;
        // Looked at first: at the root the bracket may close on `x` itself.
        if step.abs() <= 2.0 * f64::EPSILON * x.abs() {
            break;
        }
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x + step;
        x = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if high - low <= f64::EPSILON * low.abs().max(high.abs()) {
            break;
        }
    }
    Some(phi.map(|phi| 1.0 + x * phi))
}
