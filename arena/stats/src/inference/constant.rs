//! Inference from results that are all the same, and so have no spread to estimate an error from.

use crate::numeric::normal::Z95;
use crate::sprt::elo_of;
use crate::{Counts, Effect, EloRange};

/// One minus the confidence of a bound.
const DISBELIEF: f64 = 0.05;

/// The 95 % quantile of the normal law, for a one-sided bound.
const Z95_ONE_SIDED: f64 = 1.644_853_626_951_472_2;

/// Exact bounds from results that all have the same score.
///
/// If the mean is m, a score of at least s has a probability of at most m/s (Markov) under any law, so n results of s each have
/// at most (m/s)ⁿ. A mean is refuted if that probability is too small. The other side follows in the same way from 1 − m and 1
/// − s. For games won without draws this is the bound of Clopper and Pearson. It also holds for a test that such results
/// stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constant {
    /// The differences in Elo that are not refuted, with 95 % confidence. The range is open on a side if all games were won or
    /// lost.
    pub range: EloRange,
    /// One minus the highest probability of such results between equals, or that probability if the score is below ½. It
    /// replaces the likelihood of superiority.
    pub los: f64,
    score: f64,
    observations: f64,
}

impl Counts {
    /// Returns the bounds if all results are the same, otherwise or without results `None`.
    #[must_use]
    pub fn constant(&self) -> Option<Constant> {
        let score = self.mean()?;
        let is_constant = self.counts().iter().filter(|count| **count > 0).count() == 1;
        is_constant.then(|| Constant::of(score, self.total() as f64))
    }
}

impl Constant {
    fn of(score: f64, observations: f64) -> Self {
        let is_extreme = score <= 0.0 || score >= 1.0;
        let disbelief = if is_extreme { DISBELIEF } else { DISBELIEF / 2.0 };
        let factor = (disbelief.ln() / observations).exp();
        let range = EloRange {
            low: (score > 0.0).then(|| elo_of(score * factor)),
            high: (score < 1.0).then(|| -elo_of((1.0 - score) * factor)),
        };
        // The highest probability of these results between equals.
        let chance = (-observations * (2.0 * score.max(1.0 - score)).ln()).exp();
        let los = match score {
            score if score > 0.5 => 1.0 - chance,
            score if score < 0.5 => chance,
            _ => 0.5,
        };
        Self { range, los, score, observations }
    }

    /// Returns an estimate with an error, for methods that weight estimates against each other.
    ///
    /// The estimate adds one observation between equals, half won and half lost. The error matches the width of the range.
    #[must_use]
    pub fn effect(&self) -> Effect {
        let value = elo_of((self.score * self.observations + 0.5) / (self.observations + 1.0));
        let EloRange { low, high } = self.range;
        let z = if low.is_some() && high.is_some() { Z95 } else { Z95_ONE_SIDED };
        let farthest = [low, high].into_iter().flatten().map(|end| (end - value).abs()).fold(0.0, f64::max);
        Effect { value, error: farthest / z }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 0.01)
    }

    #[test]
    fn games_all_won_have_the_bound_of_clopper_and_pearson() {
        // 0.05^(1/10) = 0.7411.
        let ten = Counts::of_games([0, 0, 10]).constant().expect("all the same");
        assert!(near(ten.range.low, 182.73) && ten.range.high.is_none(), "{ten:?}");
        assert!((ten.los - 1.0 + 0.5f64.powi(10)).abs() < 1e-12);
        let lost = Counts::of_games([10, 0, 0]).constant().expect("all the same");
        assert!(near(lost.range.high, -182.73) && lost.range.low.is_none(), "{lost:?}");
        assert!((lost.los - 0.5f64.powi(10)).abs() < 1e-12);
    }

    #[test]
    fn one_pair_says_next_to_nothing() {
        let won = Counts::of_pairs([0, 0, 0, 0, 1]).constant().expect("all the same");
        assert!(near(won.range.low, -511.50) && (won.los - 0.5).abs() < 1e-12, "{won:?}");
        let drawn = Counts::of_pairs([0, 0, 1, 0, 0]).constant().expect("all the same");
        assert!(near(drawn.range.low, -759.05) && near(drawn.range.high, 759.05), "{drawn:?}");
        assert!((drawn.los - 0.5).abs() < 1e-12);
    }

    #[test]
    fn an_estimate_reaches_as_far_as_the_range() {
        for counts in [[60, 0, 0, 0, 0], [0, 0, 0, 0, 12], [0, 0, 50, 0, 0], [0, 0, 0, 11, 0]] {
            let constant = Counts::of_pairs(counts).constant().expect("all the same");
            let Effect { value, error } = constant.effect();
            let EloRange { low, high } = constant.range;
            assert!(low.is_none_or(|low| value - 1.96 * error <= low + 0.01), "{counts:?} {value} {error}");
            assert!(
                high.is_none_or(|high| value + 1.96 * error >= high - 0.01),
                "{counts:?} {value} {error}"
            );
            assert!(error.is_finite() && error > 0.0);
        }
        // 60 games lost: far stronger evidence than half a point among them would give.
        let lost = Counts::of_pairs([60, 0, 0, 0, 0]).constant().expect("all the same").effect();
        assert!(lost.value < -800.0 && lost.value / lost.error < -4.0, "{lost:?}");
    }

    #[test]
    fn results_that_vary_are_left_to_other_methods() {
        assert_eq!(Counts::of_pairs([0, 0, 1, 0, 1]).constant(), None);
        assert_eq!(Counts::at_tables(2).constant(), None);
    }

    #[test]
    fn numbers_stay_finite() {
        let many = Counts::of_pairs([0, 0, 0, 0, 1_000_000_000_000]).constant().expect("all the same");
        assert!(many.range.low.is_some_and(|low| low.is_finite() && low > 4000.0), "{many:?}");
        assert!(many.los == 1.0 && many.effect().error.is_finite());
    }
}
