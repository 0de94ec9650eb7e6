//! The expected length of a test.

use crate::sprt::brownian::Brownian;
use crate::sprt::{Hypotheses, Model, scale};

/// The expected length of a test at a true strength, with the ratio approximated by Brownian motion.
///
/// Real tests jump beyond their bounds, which takes more pairs: a few percent of hundreds or thousands, and half as many again,
/// or more, if about ten are expected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    /// The mean number of pairs, or blocks, until a bound is reached.
    pub pairs: f64,
    /// The probability that the test passes.
    pub pass: f64,
}

impl Length {
    /// Calculates the mean number of pairs if the true difference is `elo`, on the scale of the hypotheses.
    ///
    /// `deviation` is the standard deviation of a pair's score, 0 to ½ (without draws and seat advantages about 0.35, between
    /// strong chess programs about 0.18). Under [`Model::Normalized`] it has no influence.
    #[must_use]
    pub fn of(hypotheses: &Hypotheses, elo: f64, deviation: f64) -> Self {
        Self::after(hypotheses, 0.0, elo, deviation)
    }

    /// Calculates the same for a test whose ratio is `llr`: the number of pairs that remain. At or beyond a bound there are
    /// none.
    #[must_use]
    pub fn after(hypotheses: &Hypotheses, llr: f64, elo: f64, deviation: f64) -> Self {
        Self::of_blocks(hypotheses, 2, llr, elo, deviation)
    }

    /// Calculates the same in blocks of `games` games, see [`Counts::games`](crate::Counts::games). A pair is a block of two.
    #[must_use]
    pub fn of_blocks(hypotheses: &Hypotheses, games: usize, llr: f64, elo: f64, deviation: f64) -> Self {
        if llr <= hypotheses.lower() || llr >= hypotheses.upper() {
            return Self { pairs: 0.0, pass: if llr > 0.0 { 1.0 } else { 0.0 } };
        }
        let distance = |elo| match hypotheses.model() {
            Model::Logistic => (scale::score(elo) - 0.5) / deviation,
            Model::Normalized => scale::distance(elo, games),
        };
        let (zero, one) = (distance(hypotheses.elo0()), distance(hypotheses.elo1()));
        let motion = Brownian {
            lower: hypotheses.lower() - llr,
            upper: hypotheses.upper() - llr,
            drift: (distance(elo) - 0.5 * (zero + one)) * (one - zero),
            variance: (one - zero).powi(2),
        };
        Self { pairs: motion.mean_steps(), pass: 1.0 - motion.ends_below() }
    }

    /// Calculates the same under H0, halfway between the hypotheses, and under H1. Halfway takes longest.
    #[must_use]
    pub fn profile(hypotheses: &Hypotheses, deviation: f64) -> [Self; 3] {
        let (zero, one) = (hypotheses.elo0(), hypotheses.elo1());
        [zero, 0.5 * (zero + one), one].map(|elo| Self::of(hypotheses, elo, deviation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_goes_with_the_square_of_the_distance() {
        for x in [5.0, 10.0, 50.0] {
            let hypotheses = Hypotheses::new(0.0, x, 0.05, 0.05, Model::Normalized).unwrap();
            let [zero, middle, one] = Length::profile(&hypotheses, 0.35).map(|length| length.pairs * x * x);
            assert!((zero - 319_880.0).abs() < 100.0 && (zero - one).abs() < 1e-3, "{zero} {one}");
            assert!((middle - 523_250.0).abs() < 200.0, "{middle}");
        }
    }

    #[test]
    fn what_is_left_goes_down_to_nothing_at_the_bounds() {
        let hypotheses = Hypotheses::new(0.0, 10.0, 0.05, 0.05, Model::Normalized).unwrap();
        let after = |llr, elo| Length::after(&hypotheses, llr, elo, 0.3);
        assert_eq!(after(0.0, 4.0), Length::of(&hypotheses, 4.0, 0.3));
        // Halfway between the hypotheses the ratio has no drift: (upper − llr) (llr − lower) / variance.
        let share = after(1.5, 5.0).pairs / after(0.0, 5.0).pairs;
        assert!((share - (1.0 - (1.5 / hypotheses.upper()).powi(2))).abs() < 1e-6, "{share}");
        assert!((after(1.5, 5.0).pass - 0.5 * (1.0 + 1.5 / hypotheses.upper())).abs() < 1e-6);
        assert!(after(2.5, 10.0).pairs < after(1.5, 10.0).pairs);
        assert_eq!(after(3.0, 5.0), Length { pairs: 0.0, pass: 1.0 });
        assert_eq!(after(-3.0, 5.0), Length { pairs: 0.0, pass: 0.0 });
    }

    #[test]
    fn risks_are_those_of_the_hypotheses() {
        let hypotheses = Hypotheses::new(-3.0, 7.0, 0.02, 0.1, Model::Logistic).unwrap();
        let [zero, _, one] = Length::profile(&hypotheses, 0.2);
        assert!((zero.pass - 0.02).abs() < 1e-9 && (one.pass - 0.9).abs() < 1e-9);
    }
}
