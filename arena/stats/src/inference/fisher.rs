//! Comparison of two shares with few events: Fisher's exact test.

use statrs::distribution::{Discrete, Hypergeometric};

/// Relative differences of probabilities below this are rounding: the tables count as equally likely.
const SAME: f64 = 1e-7;

/// Returns the two-sided p value of "both shares are the same", for `one` events among `n` trials and `two` among `m`.
///
/// It is the probability, given the sum of events, of all tables that are at most as likely as this one (Fisher 1935, *The
/// logic of inductive inference*; the two-sided form is Freeman and Halton's, 1951). It is exact for any numbers, and 1 without
/// trials or events.
///
/// # Panics
/// When there are more events than trials.
#[must_use]
pub fn fisher([one, n]: [u64; 2], [two, m]: [u64; 2]) -> f64 {
    assert!(one <= n && two <= m, "more events than trials: {one} of {n}, {two} of {m}");
    let Ok(law) = Hypergeometric::new(n + m, one + two, n) else { return 1.0 };
    let observed = law.ln_pmf(one);
    let least = (one + two).saturating_sub(m);
    let most = n.min(one + two);
    let chance = |events: u64| Some(law.ln_pmf(events)).filter(|chance| *chance <= observed + SAME);
    (least..=most).filter_map(chance).map(f64::exp).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: [u64; 2], two: [u64; 2], expected: f64) {
        let p = fisher(one, two);
        assert!((p - expected).abs() < 1e-9, "{one:?} {two:?}: {p}");
        assert!((fisher(two, one) - expected).abs() < 1e-9);
    }

    /// The expected values follow from counting: 70 ways to choose four cups of eight, and so on.
    #[test]
    fn small_tables_can_be_counted_by_hand() {
        check([3, 4], [1, 4], 34.0 / 70.0);
        check([4, 4], [0, 4], 2.0 / 70.0);
        check([2, 2], [0, 2], 2.0 / 6.0);
        check([1, 10], [0, 10], 1.0);
    }

    #[test]
    fn without_events_or_trials_nothing_differs() {
        check([0, 10], [0, 20], 1.0);
        check([0, 0], [3, 20], 1.0);
        check([0, 0], [0, 0], 1.0);
        check([5, 5], [7, 7], 1.0);
    }

    #[test]
    fn many_trials_are_no_trouble() {
        let p = fisher([0, 100_000], [12, 100_000]);
        assert!((p / (2.0 * 0.5f64.powi(12)) - 1.0).abs() < 0.01, "{p}");
    }
}
