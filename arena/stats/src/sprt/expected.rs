//! How long a test will take.

use crate::sprt::brownian::Brownian;
use crate::sprt::{Hypotheses, Model, scale};

/// What is to be expected of a test at a true strength, with the ratio taken as Brownian motion.
///
/// Real tests jump beyond their bounds, which takes pairs: a few percent more of hundreds or thousands, and
/// half as many again, or more, where about ten are expected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    /// The mean number of pairs, or blocks, until a bound is reached.
    pub pairs: f64,
    /// The probability that the test is passed.
    pub pass: f64,
}

impl Length {
    /// Computes the mean number of pairs where the true difference is `elo`, on the scale of the hypotheses.
    ///
    /// `deviation` is the standard deviation of a pair's score, 0 to ½ (without draws and advantages of a seat
    /// about 0.35, among strong chess programs about 0.18). Under [`Model::Normalized`] it makes no difference.
    #[must_use]
    pub fn of(hypotheses: &Hypotheses, elo: f64, deviation: f64) -> Self {
        Self::after(hypotheses, 0.0, elo, deviation)
    }

    /// The same of a test whose ratio stands at `llr`: how many pairs are still to come. At or beyond a bound there are
    /// none.
    #[must_use]
    pub fn after(hypotheses: &Hypotheses, llr: f64, elo: f64, deviation: f64) -> Self {
        Self::of_blocks(hypotheses, 2, llr, elo, deviation)
    }

    /// The same in blocks of so many games, as [`Counts::games`](crate::Counts::games) says: a pair is one of two.
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

    /// The same under H0, half-way between the hypotheses, and under H1: the middle takes longest.
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
        // Half-way between the hypotheses the ratio has no drift: (upper − llr) (llr − lower) / variance.
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
