//! One verdict over several games: the meta-analysis of a bot's gain in each game.
//!
//! Game i has an effect yᵢ with the standard error sᵢ. The fixed effect is the mean weighted by 1/sᵢ²; it answers "how much on
//! these games together". The random effect also lets the true effects differ between
//! games, with the variance τ², and answers "how much on games like these"; its weights are 1/(sᵢ² + τ²).
//!
//! τ² is Paule and Mandel's (1982): the value at which the weighted sum of squares around the mean equals its expectation, k −
//! 1, or 0 if the sum is already smaller. The interval is that of Hartung and Knapp with Student's t on k − 1 degrees of
//! freedom. It is modified so that a small spread between few games never makes it narrower than the errors themselves (IntHout
//! et al. 2014; Roever et al. 2015). The prediction interval is for the effect on one further game, with k − 2 degrees of
//! freedom (Higgins et al. 2009).
//!
//! The errors sᵢ count as known; they should come from pairs if there are pairs. Games count as independent of each other.

use statrs::distribution::{ChiSquared, ContinuousCDF, StudentsT};
use thiserror::Error;

use crate::Interval;
use crate::numeric::normal::{Z95, holm, probability_below};

/// The gain on one game, in Elo or any other unit that all effects share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// The estimate; positive values are better.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// The combination of several effects, in their unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Combination {
    /// The mean weighted by precision, as if all games had the same effect.
    pub fixed: Effect,
    /// The 95 % interval of `fixed`, by the normal law.
    pub fixed_interval: Interval,
    /// Cochran's Q: the weighted sum of squares around `fixed`. Its mean is k − 1 if all effects are equal.
    pub q: f64,
    /// The probability of a Q at least as large if all effects are equal; `None` for a single game.
    pub q_p: Option<f64>,
    /// I², the share of the spread that errors do not explain, 0 to 1.
    pub i_squared: f64,
    /// The mean if effects may differ between games.
    pub random: RandomEffects,
    /// For each game the one-sided p value of "became worse", Holm-adjusted for the number of games.
    pub regressions: Vec<f64>,
}

/// The random-effects part of a [`Combination`].
#[derive(Debug, Clone, PartialEq)]
pub struct RandomEffects {
    /// τ², the variance of true effects between games, in squared units.
    pub tau_squared: f64,
    /// The mean over games like these, with the usual standard error.
    pub mean: Effect,
    /// The standard error of `mean` by Hartung and Knapp, from the spread of the effects; `None` for a single
    /// game.
    pub hartung_knapp_error: Option<f64>,
    /// The larger of the two standard errors, which the interval uses.
    pub modified_error: f64,
    /// The 95 % interval of `mean`; `None` for a single game.
    pub interval: Option<Interval>,
    /// The 95 % prediction interval of the true effect on one further game; `None` for fewer than three games.
    pub prediction: Option<Interval>,
    /// The two-sided p value of "the mean is 0" that corresponds to `interval`: Student's t on k − 1 degrees of freedom of
    /// `mean` over `modified_error`, or the normal law for a single game.
    pub p_value: f64,
}

/// Why effects cannot be combined.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum CombineError {
    /// There are no effects.
    #[error("no effects to combine")]
    Empty,
    /// An effect is infinite or NaN.
    #[error("effect {index} is {value}, not a finite number")]
    Value {
        /// Its place in the list, from 0.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// An error is not a positive number.
    #[error("the standard error of effect {index} is {error}, not a positive number")]
    Error {
        /// Its place in the list, from 0.
        index: usize,
        /// Its value.
        error: f64,
    },
}

/// Combines the effects of one change on several games.
///
/// ```
/// use stats::{Effect, combine};
///
/// let gains = [(25.0, 8.0), (18.0, 7.0), (22.0, 9.0), (-40.0, 10.0)];
/// let together = combine(&gains.map(|(value, error)| Effect { value, error }))?;
/// assert!(together.fixed.value > 0.0 && together.i_squared > 0.8);
/// assert!(together.regressions[3] < 0.001 && together.regressions[0] > 0.5);
/// # Ok::<(), stats::CombineError>(())
/// ```
///
/// # Errors
/// When there are no effects, or one is not finite, or an error is not a positive number.
pub fn combine(effects: &[Effect]) -> Result<Combination, CombineError> {
    if effects.is_empty() {
        return Err(CombineError::Empty);
    }
    for (index, &Effect { value, error }) in effects.iter().enumerate() {
        if !value.is_finite() {
            return Err(CombineError::Value { index, value });
        }
        if !(error > 0.0 && error.is_finite()) {
            return Err(CombineError::Error { index, error });
        }
    }
    let freedom = (effects.len() - 1) as f64;
    let at_zero = Weighted::new(effects, 0.0);
    let q = at_zero.squares;
    let p: Vec<f64> = effects.iter().map(|effect| probability_below(effect.value / effect.error)).collect();
    Ok(Combination {
        fixed: at_zero.mean,
        fixed_interval: Interval::about(at_zero.mean.value, Z95 * at_zero.mean.error),
        q,
        q_p: ChiSquared::new(freedom).ok().map(|law| law.sf(q)),
        i_squared: if q > freedom { (q - freedom) / q } else { 0.0 },
        random: random_effects(effects, freedom),
        regressions: holm(&p),
    })
}

/// The mean with weights 1/(s² + τ²).
struct Weighted {
    mean: Effect,
    /// The weighted sum of squares around the mean.
    squares: f64,
    /// Minus its derivative by τ².
    slope: f64,
}

impl Weighted {
    fn new(effects: &[Effect], tau_squared: f64) -> Self {
        let weight = |effect: &Effect| 1.0 / (effect.error * effect.error + tau_squared);
        let total: f64 = effects.iter().map(weight).sum();
        let value = effects.iter().map(|effect| weight(effect) * effect.value).sum::<f64>() / total;
        let square = |effect: &Effect| weight(effect) * (effect.value - value).powi(2);
        Self {
            mean: Effect { value, error: total.sqrt().recip() },
            squares: effects.iter().map(square).sum(),
            slope: effects.iter().map(|effect| weight(effect) * square(effect)).sum(),
        }
    }
}

/// Takes Newton's steps from zero. The sum of squares is convex and falls with τ², so they never overshoot.
fn paule_mandel(effects: &[Effect], freedom: f64) -> f64 {
    let mut tau_squared = 0.0;
    if freedom <= 0.0 {
        // A single effect has no spread except rounding.
        return tau_squared;
    }
    for _ in 0..200 {
        let weighted = Weighted::new(effects, tau_squared);
        let excess = weighted.squares - freedom;
        if excess <= 1e-13 * freedom || weighted.slope <= 0.0 {
            break;
        }
        tau_squared += excess / weighted.slope;
    }
    tau_squared
}

fn random_effects(effects: &[Effect], freedom: f64) -> RandomEffects {
    let tau_squared = paule_mandel(effects, freedom);
    let Weighted { mean, squares, .. } = Weighted::new(effects, tau_squared);
    let hartung_knapp_error = (freedom > 0.0).then(|| mean.error * (squares / freedom).sqrt());
    let modified_error = hartung_knapp_error.map_or(mean.error, |error| error.max(mean.error));
    let spread = (tau_squared + modified_error * modified_error).sqrt();
    RandomEffects {
        tau_squared,
        mean,
        hartung_knapp_error,
        modified_error,
        interval: student95(freedom).map(|t| Interval::about(mean.value, t * modified_error)),
        prediction: student95(freedom - 1.0).map(|t| Interval::about(mean.value, t * spread)),
        p_value: {
            let z = -(mean.value / modified_error).abs();
            2.0 * StudentsT::new(0.0, 1.0, freedom).map_or_else(|_| probability_below(z), |law| law.cdf(z))
        },
    }
}

/// Returns the 97.5 % quantile of Student's t; `None` without degrees of freedom.
fn student95(freedom: f64) -> Option<f64> {
    StudentsT::new(0.0, 1.0, freedom).ok().map(|law| law.inverse_cdf(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(values: &[f64], errors: &[f64]) -> Vec<Effect> {
        values.iter().zip(errors).map(|(&value, &error)| Effect { value, error }).collect()
    }

    #[test]
    fn combinations_agree_with_an_independent_program() {
        let mut checked = 0;
        for row in include_str!("../../tests/data/multigame.tsv").lines().skip(1) {
            let row: Vec<&str> = row.split('\t').collect();
            let numbers = |text: &str| -> Vec<f64> {
                text.split(' ').map(|number| number.parse().expect("a number")).collect()
            };
            let together = combine(&effects(&numbers(row[1]), &numbers(row[2]))).expect("sound data");
            let random = &together.random;
            let plain = || {
                let t = student95(random_freedom(&together)).expect("several games");
                Interval::about(random.mean.value, t * random.hartung_knapp_error.expect("several games"))
            };
            let prediction = random.prediction.expect("more than two games");
            let found = match row[3] {
                "fixed" => together.fixed.value,
                "fixed_se" => together.fixed.error,
                "Q" => together.q,
                "Q_p" => together.q_p.expect("several games"),
                "I2" => together.i_squared,
                "tau2_PM" => random.tau_squared,
                "mean_PM" => random.mean.value,
                "se_PM" => random.mean.error,
                "hk_lo_PM" => plain().low,
                "hk_hi_PM" => plain().high,
                "mod_hk_se_PM" => random.modified_error,
                "pred_lo_PM" => prediction.low,
                "pred_hi_PM" => prediction.high,
                "holm_min_p_regression" => together.regressions.iter().copied().fold(1.0, f64::min),
                unknown => panic!("no quantity {unknown}"),
            };
            let expected: f64 = row[4].parse().expect("a number");
            assert!((found - expected).abs() <= 1e-6 * expected.abs().min(1.0), "{row:?}: {found}");
            checked += 1;
        }
        assert_eq!(checked, 28);
    }

    fn random_freedom(together: &Combination) -> f64 {
        (together.regressions.len() - 1) as f64
    }

    #[test]
    fn the_modified_interval_is_never_narrower_than_the_errors() {
        let together = combine(&effects(&[10.0, 10.1, 9.9], &[5.0, 6.0, 7.0])).expect("sound data");
        let random = together.random;
        assert!(random.hartung_knapp_error.expect("three games") < random.mean.error);
        assert_eq!(random.modified_error, random.mean.error);
        let interval = random.interval.expect("three games");
        assert!(interval.high - random.mean.value > 4.3 * random.mean.error);
    }

    #[test]
    fn the_p_value_is_5_percent_where_the_interval_ends_at_zero() {
        for values in [vec![10.0], vec![10.0, 30.0], vec![10.0, 30.0, 12.0, -4.0, 9.0]] {
            let errors = vec![6.0; values.len()];
            let random = combine(&effects(&values, &errors)).expect("sound data").random;
            let half = random
                .interval
                .map_or(Z95 * random.modified_error, |interval| interval.high - random.mean.value);
            // A constant added to all effects is added to the mean and changes nothing else.
            let moved: Vec<f64> = values.iter().map(|value| value - random.mean.value + half).collect();
            let p = combine(&effects(&moved, &errors)).expect("sound data").random.p_value;
            assert!((p - 0.05).abs() < 1e-7, "{values:?}: {p}");
        }
    }

    #[test]
    fn few_games_say_less() {
        let one = combine(&effects(&[10.0], &[5.0])).expect("sound data");
        assert_eq!((one.fixed, one.random.mean, one.q_p), (one.random.mean, one.fixed, None));
        assert_eq!((one.random.interval, one.random.prediction), (None, None));
        // 10/36 · 36 is not exactly 10: the difference is not a spread.
        let rounded = combine(&effects(&[10.0], &[6.0])).expect("sound data").random;
        assert_eq!((rounded.tau_squared, rounded.mean.error), (0.0, 6.0));
        let two = combine(&effects(&[10.0, 20.0], &[5.0, 5.0])).expect("sound data");
        assert!(two.random.interval.is_some() && two.random.prediction.is_none());
    }

    #[test]
    fn unsound_effects_are_refused() {
        assert_eq!(combine(&[]), Err(CombineError::Empty));
        for error in [0.0, -1.0, f64::INFINITY] {
            assert_eq!(combine(&effects(&[1.0], &[error])), Err(CombineError::Error { index: 0, error }));
        }
        let infinite = combine(&effects(&[1.0, f64::INFINITY], &[1.0, 1.0]));
        assert_eq!(infinite, Err(CombineError::Value { index: 1, value: f64::INFINITY }));
        assert!(matches!(combine(&effects(&[1.0], &[f64::NAN])), Err(CombineError::Error { index: 0, .. })));
    }

    /// Newton's method meets its equation even at tiny errors, where the weights have their pole.
    #[test]
    fn the_spread_solves_its_equation_near_errors_of_zero() {
        for errors in [[1e-9, 1.0, 3.0], [1e-9, 1e-9, 1e-9], [1e-6, 1e3, 1e6], [5.0, 5.0, 5.0]] {
            for values in [[0.0, 1.0, 2.0], [-700.0, 40.0, 41.0], [0.0, 1e-6, 5e3]] {
                let effects = effects(&values, &errors);
                let tau_squared = paule_mandel(&effects, 2.0);
                let excess = Weighted::new(&effects, tau_squared).squares - 2.0;
                let is_root = excess.abs() < 1e-9 || tau_squared == 0.0 && excess < 0.0;
                assert!(is_root, "{values:?} {errors:?}: {tau_squared} leaves {excess}");
            }
        }
    }

    #[test]
    fn wide_spreads_are_found_whatever_their_scale() {
        for scale in [1e-3, 1.0, 1e6] {
            let values = [-3.0, 1.0, 4.0, 10.0].map(|value| value * scale);
            let together = combine(&effects(&values, &[1e-3 * scale; 4])).expect("sound data");
            // With tiny errors τ² is the sample's variance minus theirs.
            let variance = (36.0 + 4.0 + 1.0 + 49.0) / 3.0 * scale * scale;
            assert!((together.random.tau_squared / variance - 1.0).abs() < 1e-6, "{together:?}");
        }
    }
}
