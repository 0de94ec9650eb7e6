//! The normal law, Student's law, and Holm's adjustment.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Half the width of a 95 % interval in standard errors: the 97.5 % quantile of the normal law.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// Returns Φ(z), the probability that a standard normal variable is below `z`.
pub(crate) fn probability_below(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// From this number of degrees of freedom on, the normal law replaces Student's: the quantiles differ by less than a
/// thousandth.
const NORMAL_FREEDOM: f64 = 1000.0;

/// With fewer degrees of freedom an interval is meaningless and may overflow.
const LEAST_FREEDOM: f64 = 0.5;

/// Returns half the width of an interval, in standard errors known with `freedom` degrees of freedom: the quantile of Student's
/// law with the probability `tail` above it.
pub(crate) fn student_quantile(tail: f64, freedom: f64) -> f64 {
    match student(freedom) {
        Some(law) => law.inverse_cdf(1.0 - tail),
        None if (tail - 0.025).abs() < 1e-15 => Z95,
        None => Normal::standard().inverse_cdf(1.0 - tail),
    }
}

/// Returns the probability that a variable of Student's law is below `t`.
pub(crate) fn student_below(t: f64, freedom: f64) -> f64 {
    student(freedom).map_or_else(|| probability_below(t), |law| law.cdf(t))
}

fn student(freedom: f64) -> Option<StudentsT> {
    let freedom = freedom.max(LEAST_FREEDOM);
    StudentsT::new(0.0, 1.0, freedom).ok().filter(|_| freedom < NORMAL_FREEDOM)
}

/// Adjusts p values for their number by Holm's step-down method (Holm 1979), in the given order.
///
/// For any dependence between the tests, the probability of a false one among those with an adjusted value of at most α is at
/// most α. Adjusted values lie between the value itself and 1, and keep its order.
#[must_use]
pub fn holm(p: &[f64]) -> Vec<f64> {
    let n = p.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let mut adjusted = vec![0.0; n];
    let mut floor = 0.0f64;
    for (rank, &i) in order.iter().enumerate() {
        floor = floor.max(((n - rank) as f64 * p[i]).min(1.0));
        adjusted[i] = floor;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_steps_down_and_never_decreases() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        for (a, b) in adjusted.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{adjusted:?}");
        }
    }

    #[test]
    fn normal_law_is_the_standard_one() {
        assert!((probability_below(Z95) - 0.975).abs() < 1e-10);
        assert!((probability_below(0.0) - 0.5).abs() < 1e-10);
    }
}
