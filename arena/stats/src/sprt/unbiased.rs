//! The median-unbiased estimate of the strength after a sequential test has stopped.
//!
//! A test stops when the luck of one side has carried it to a bound, so the plain estimate is too extreme. Here all possible
//! outcomes of the test are ordered, from an early stop at the lower bound to an early stop at the upper one. The estimate is
//! the strength at which the observed outcome is the median of that order (Siegmund, *Sequential Analysis*, section IV.5;
//! implemented in fishtest's `sprt.py`).

use crate::Counts;
use crate::numeric::law::Law;
use crate::sprt::brownian::Brownian;
use crate::sprt::likelihood::regularized;
use crate::sprt::{Hypotheses, Model, scale};

/// The limit of estimates and interval ends on both sides, in logistic Elo.
pub const ELO_LIMIT: f64 = 1000.0;

/// A median-unbiased estimate in logistic Elo, with a 95 % interval.
///
/// It is meaningful only if the test has stopped at a bound. Values beyond [`ELO_LIMIT`] are capped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unbiased {
    /// The strength at which a better outcome is as likely as a worse one.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The observed outcome: the value and time of the motion, and its drift.
struct Outcome {
    /// The score of a game that each hypothesis expects, given the observed variance.
    scores: [f64; 2],
    variance: f64,
    lower: f64,
    upper: f64,
    steps: f64,
    level: f64,
}

impl Unbiased {
    /// Estimates from the counts at the time when the test stopped.
    pub(crate) fn of(counts: &Counts, hypotheses: &Hypotheses) -> Self {
        let outcome = Outcome::of(counts, hypotheses);
        Self { elo: outcome.elo_at(0.5), low: outcome.elo_at(0.975), high: outcome.elo_at(0.025) }
    }
}

impl Outcome {
    fn of(counts: &Counts, hypotheses: &Hypotheses) -> Self {
        let weights = regularized(counts);
        let law = Law::of(weights.clone());
        let (mean, variance) = (law.mean(), law.variance());
        let score = |elo| match hypotheses.model() {
            Model::Logistic => scale::score(elo),
            Model::Normalized => 0.5 + scale::distance(elo, counts.games()) * variance.sqrt(),
        };
        let mut outcome = Self {
            scores: [score(hypotheses.elo0()), score(hypotheses.elo1())],
            variance,
            lower: hypotheses.lower(),
            upper: hypotheses.upper(),
            steps: weights.iter().sum(),
            level: 0.0,
        };
        // An overshoot counts as a crossing of the bound, on the straight line to it.
        let end = outcome.drift(mean) * outcome.steps;
        outcome.level = end.clamp(outcome.lower, outcome.upper);
        if end != outcome.level {
            outcome.steps *= outcome.level / end;
        }
        outcome
    }

    /// Returns the drift of the log-likelihood ratio per observation at an expected score.
    fn drift(&self, score: f64) -> f64 {
        let [zero, one] = self.scores;
        (score - 0.5 * (zero + one)) * (one - zero) / self.variance
    }

    /// Returns the probability of an outcome at most as good as the observed one, at a strength.
    fn probability(&self, elo: f64) -> f64 {
        let [zero, one] = self.scores;
        let motion = Brownian {
            lower: self.lower,
            upper: self.upper,
            drift: self.drift(scale::score(elo)),
            variance: (one - zero).powi(2) / self.variance,
        };
        motion.probability_up_to(self.steps, self.level)
    }

    /// Returns the strength at which the observed outcome has this probability, which falls as strength grows.
    fn elo_at(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (-ELO_LIMIT, ELO_LIMIT);
        if self.probability(low) <= probability {
            return low;
        }
        if self.probability(high) >= probability {
            return high;
        }
        while high - low > 1e-9 {
            let middle = 0.5 * (low + high);
            if self.probability(middle) > probability {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }
}
