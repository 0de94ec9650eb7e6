//! All figures that describe counted results.

use crate::numeric::law::Law;
use crate::numeric::normal::{Z95, probability_below};
use crate::sprt::likelihood::{log_likelihood_ratio, regularized};
use crate::sprt::scale::{self, NELO_PER_SIGMA};
use crate::sprt::{Hypotheses, SprtVerdict, Unbiased};
use crate::{Constant, Counts};

/// How far the ends of a score interval stay from 0 and 1, where Elo is infinite.
const NEAREST_TO_CERTAINTY: f64 = 1e-3;

/// The state of a test and the strength that the results show, calculated as if the number of results had been fixed.
///
/// The plain figures `elo` and `nelo` are too extreme after a test has stopped: by several Elo if the hypotheses are 20 Elo
/// apart. [`Figures::unbiased`] is not. Errors are half the width of a 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// The logarithm of the likelihood ratio of H1 to H0.
    pub llr: f64,
    /// The bound at or below which H0 is accepted.
    pub lower: f64,
    /// The bound at or above which H1 is accepted.
    pub upper: f64,
    /// The verdict from the ratio and the bounds.
    pub decision: SprtVerdict,
    /// The mean score, 0 to 1.
    pub score: f64,
    /// The logistic Elo of the mean score. Scores that never occurred count as a thousandth of an observation.
    pub elo: f64,
    /// The error of `elo`.
    pub elo_error: f64,
    /// The normalized Elo; `None` if all results are the same.
    pub nelo: Option<f64>,
    /// The error of `nelo`; `None` if all results are the same.
    pub nelo_error: Option<f64>,
    /// The likelihood of superiority: Φ of the mean's distance from ½ in standard errors.
    pub los: f64,
    /// The estimate that accounts for the stop.
    pub unbiased: Unbiased,
    /// What to show instead of `elo`, `los` and `unbiased`, with their errors, if all results are the same. These figures then
    /// depend only on the thousandth that unseen scores count as.
    pub constant: Option<Constant>,
}

impl Figures {
    /// Calculates the figures of some counts; `None` without results.
    ///
    /// ```
    /// use stats::Counts;
    /// use stats::sprt::{SprtVerdict, Figures, Hypotheses, Model};
    /// let hypotheses = Hypotheses::new(-300.0, -100.0, 0.05, 0.05, Model::Normalized)?;
    /// let figures = Figures::of(&Counts::of_pairs([10, 20, 5, 0, 0]), &hypotheses);
    /// assert_eq!(figures.map(|figures| figures.decision), Some(SprtVerdict::H0));
    /// # Ok::<(), stats::sprt::HypothesesError>(())
    /// ```
    #[must_use]
    pub fn of(counts: &Counts, hypotheses: &Hypotheses) -> Option<Self> {
        let (score, variance) = (counts.mean()?, counts.variance()?);
        let weights = regularized(counts);
        let law = Law::of(weights.clone());
        let error = (law.variance() / weights.iter().sum::<f64>()).sqrt();
        let end = |z: f64| {
            let end = law.mean() + z * error;
            scale::elo(end.clamp(NEAREST_TO_CERTAINTY, 1.0 - NEAREST_TO_CERTAINTY))
        };
        let games = counts.games();
        let is_varied = counts.counts().iter().filter(|n| **n > 0).count() > 1;
        let llr = log_likelihood_ratio(counts, hypotheses);
        Some(Self {
            llr,
            lower: hypotheses.lower(),
            upper: hypotheses.upper(),
            decision: hypotheses.decide(llr),
            score,
            elo: scale::elo(law.mean()),
            elo_error: (end(Z95) - end(-Z95)) / 2.0,
            nelo: is_varied.then(|| scale::nelo((score - 0.5) / variance.sqrt(), games)),
            nelo_error: is_varied
                .then(|| Z95 * NELO_PER_SIGMA / (games as f64 * counts.total() as f64).sqrt()),
            los: probability_below((law.mean() - 0.5) / error),
            unbiased: Unbiased::of(counts, hypotheses),
            constant: counts.constant(),
        })
    }
}
