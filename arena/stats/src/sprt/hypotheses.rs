//! The hypotheses of a test, and its risks of error.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The largest difference that a hypothesis may name, in Elo of either scale.
///
/// It is far beyond any strength that a test could distinguish from certain victory, and keeps all figures finite.
const LARGEST: f64 = 5000.0;

/// The smallest allowed risk of error.
const SMALLEST_RISK: f64 = 1e-9;

/// The scale on which the difference in strength is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// Logistic Elo: an expected score of 1 / (1 + 10^(−elo/400)), where a draw counts half.
    Logistic,
    /// Normalized Elo: the distance of a game's mean score from ½ in standard deviations, times 800 / ln 10
    /// (M. Van den Bergh, *Normalized Elo*).
    ///
    /// The length of a test depends only on its bounds, not on how many games are drawn.
    Normalized,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        })
    }
}

impl FromStr for Model {
    type Err = HypothesesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "logistic" => Ok(Self::Logistic),
            "normalized" => Ok(Self::Normalized),
            _ => Err(HypothesesError::Model { text: text.to_owned() }),
        }
    }
}

/// Why hypotheses do not define a test.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum HypothesesError {
    /// A difference is NaN or too large.
    #[error("`{name}` must be a number from -{LARGEST} to {LARGEST}, not {value}")]
    Difference {
        /// The name: `elo0` or `elo1`.
        name: &'static str,
        /// The given value.
        value: f64,
    },
    /// The hypotheses are equal or in the wrong order.
    #[error("`elo0` must be less than `elo1`, but {elo0} is not less than {elo1}")]
    Order {
        /// The given lower hypothesis.
        elo0: f64,
        /// The given upper hypothesis.
        elo1: f64,
    },
    /// A risk is not a probability.
    #[error("`{name}` must be a probability between {SMALLEST_RISK} and 1, not {value}")]
    Risk {
        /// The name: `alpha` or `beta`.
        name: &'static str,
        /// The given value.
        value: f64,
    },
    /// The sum of both risks is too large for a test.
    #[error("`alpha` and `beta` must add up to less than 1, but {alpha} and {beta} do not")]
    Risks {
        /// The given risk of a false pass.
        alpha: f64,
        /// The given risk of a false failure.
        beta: f64,
    },
    /// The model does not exist.
    #[error("there is no model `{text}`: it must be `normalized` or `logistic`")]
    Model {
        /// The given text.
        text: String,
    },
}

/// The verdict on the evidence so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SprtVerdict {
    /// The lower hypothesis is accepted: the test fails.
    H0,
    /// The upper hypothesis is accepted: the test passes.
    H1,
    /// Neither bound is reached.
    Continue,
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
            Self::Continue => "continue",
        })
    }
}

/// Two hypotheses on the strength of a new version, and the risks of error.
///
/// ```
/// use stats::sprt::{SprtVerdict, Hypotheses, Model};
/// let hypotheses = Hypotheses::new(0.0, 5.0, 0.05, 0.05, Model::Normalized)?;
/// assert_eq!(hypotheses.decide(2.95), SprtVerdict::H1);
/// # Ok::<(), stats::sprt::HypothesesError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hypotheses {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Hypotheses {
    /// Returns the hypotheses H0, a difference of `elo0`, and H1, a difference of `elo1`. `alpha` is the risk of accepting H1
    /// if H0 is true, `beta` the risk of accepting H0 if H1 is true.
    ///
    /// # Errors
    /// When a number is not finite or out of range, `elo0` is not less than `elo1`, or the risks add up to 1 or more.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, HypothesesError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-LARGEST..=LARGEST).contains(&value) {
                return Err(HypothesesError::Difference { name, value });
            }
        }
        if elo0 >= elo1 {
            return Err(HypothesesError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(SMALLEST_RISK..1.0).contains(&value) {
                return Err(HypothesesError::Risk { name, value });
            }
        }
        if alpha + beta >= 1.0 {
            return Err(HypothesesError::Risks { alpha, beta });
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// Returns the difference under H0, on the scale of the model.
    #[must_use]
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// Returns the difference under H1, on the scale of the model.
    #[must_use]
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Returns the risk of a false pass.
    #[must_use]
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Returns the risk of a false failure.
    #[must_use]
    pub const fn beta(&self) -> f64 {
        self.beta
    }

    /// Returns the scale of the differences.
    #[must_use]
    pub const fn model(&self) -> Model {
        self.model
    }

    /// Returns the log-likelihood ratio at or below which H0 is accepted: ln(β / (1 − α)) (Wald, 1945).
    #[must_use]
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// Returns the log-likelihood ratio at or above which H1 is accepted: ln((1 − β) / α) (Wald, 1945).
    #[must_use]
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Compares a log-likelihood ratio with the bounds.
    #[must_use]
    pub fn decide(&self, llr: f64) -> SprtVerdict {
        if llr >= self.upper() {
            SprtVerdict::H1
        } else if llr <= self.lower() {
            SprtVerdict::H0
        } else {
            SprtVerdict::Continue
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> String {
        Hypotheses::new(elo0, elo1, alpha, beta, Model::Logistic).unwrap_err().to_string()
    }

    #[test]
    fn faulty_hypotheses_are_refused_with_a_reason() {
        assert!(told(f64::NAN, 5.0, 0.05, 0.05).contains("`elo0`"));
        assert!(told(0.0, f64::INFINITY, 0.05, 0.05).contains("`elo1`"));
        assert!(told(5.0, 5.0, 0.05, 0.05).contains("less than"));
        assert!(told(0.0, 5.0, 0.0, 0.05).contains("`alpha`"));
        assert!(told(0.0, 5.0, 0.05, 1.0).contains("`beta`"));
        assert!(told(0.0, 5.0, 0.05, f64::NAN).contains("`beta`"));
        assert!(told(0.0, 5.0, 0.5, 0.5).contains("add up"));
        assert!("pentanomial".parse::<Model>().unwrap_err().to_string().contains("pentanomial"));
    }

    #[test]
    fn bounds_belong_to_their_decisions() {
        let test = Hypotheses::new(0.0, 5.0, 0.05, 0.1, Model::Normalized).unwrap();
        assert!(
            (test.lower() + 2.251_291_798_6).abs() < 1e-9 && (test.upper() - 2.890_371_757_9).abs() < 1e-9
        );
        assert_eq!(test.decide(test.upper()), SprtVerdict::H1);
        assert_eq!(test.decide(test.lower()), SprtVerdict::H0);
        assert_eq!(test.decide(0.0), SprtVerdict::Continue);
    }

    #[test]
    fn models_are_read_as_they_are_written() {
        for model in [Model::Logistic, Model::Normalized] {
            assert_eq!(model.to_string().parse(), Ok(model));
        }
    }
}
