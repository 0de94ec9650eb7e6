//! Whether one part of many observations differs from the rest, stratum by stratum.

use statrs::distribution::{ChiSquared, ContinuousCDF as _};

/// The observations of one stratum: all of them, and those of the part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stratum {
    /// The number of observations.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
    /// The number of observations in the part.
    pub part_count: u64,
    /// Their sum.
    pub part_sum: f64,
}

/// Returns the probability that a random part within each stratum deviates from the means of its strata at least as much as
/// this one; `None` if no stratum has other observations to compare with.
///
/// If `n` of `N` observations with variance `S²` (divisor `N − 1`) are drawn without replacement, their sum has the variance `n
/// S² (1 − n/N)` (Cochran, Sampling Techniques, 1977, theorem 2.2). The squared deviations divided by these variances are added
/// up, and the sum is compared with the chi-square law with one degree of freedom for each stratum that varies.
///
/// ```
/// use stats::{Stratum, part_p_value};
///
/// let alike = Stratum { count: 200, sum: 100.0, squares: 100.0, part_count: 100, part_sum: 51.0 };
/// let other = Stratum { part_sum: 80.0, ..alike };
/// assert!(part_p_value(&[alike]).is_some_and(|p| p > 0.5));
/// assert!(part_p_value(&[other]).is_some_and(|p| p < 1e-9));
/// assert_eq!(part_p_value(&[Stratum { part_count: 200, part_sum: 100.0, ..alike }]), None);
/// ```
#[must_use]
pub fn part_p_value(strata: &[Stratum]) -> Option<f64> {
    let terms = strata.iter().filter_map(|stratum| {
        let (all, part) = (stratum.count as f64, stratum.part_count as f64);
        let mean = stratum.sum / all;
        let spread = (stratum.squares - stratum.sum * mean) / (all - 1.0);
        let variance = part * spread * (1.0 - part / all);
        // Rounding leaves a trace of spread even if all values are equal.
        let varies = stratum.count > 1 && spread > 1e-12 && variance > 1e-12;
        varies.then(|| (stratum.part_sum - part * mean).powi(2) / variance)
    });
    let terms: Vec<f64> = terms.collect();
    let law = ChiSquared::new(terms.len() as f64).ok()?;
    Some(law.sf(terms.iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a pseudorandom number: SplitMix64.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = *state;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// Returns strata of wins, draws and losses. A fifth of them belongs to the part, and `cheats` percent of its losses become
    /// wins.
    fn strata(state: &mut u64, cheats: u64) -> Vec<Stratum> {
        let mut strata = vec![Stratum::default(); 12];
        for _ in 0..2400 {
            let stratum = &mut strata[(next(state) % 12) as usize];
            let is_part = next(state).is_multiple_of(5);
            let mut score = (next(state) % 3) as f64 / 2.0;
            if is_part && next(state) % 100 < cheats {
                score = 1.0;
            }
            stratum.count += 1;
            stratum.sum += score;
            stratum.squares += score * score;
            if is_part {
                stratum.part_count += 1;
                stratum.part_sum += score;
            }
        }
        strata
    }

    #[test]
    fn honest_parts_are_suspected_as_often_as_the_level_says_and_cheats_nearly_always() {
        let mut state = 5;
        let mut below = |cheats: u64| {
            (0..400).filter(|_| part_p_value(&strata(&mut state, cheats)).is_some_and(|p| p < 0.05)).count()
        };
        let honest = below(0);
        assert!((8..=36).contains(&honest), "{honest} of 400 at a level of 5 %");
        assert!(below(40) > 390);
    }

    #[test]
    fn nothing_is_said_where_nothing_can_be_compared() {
        assert_eq!(part_p_value(&[]), None);
        let equal = Stratum { count: 9, sum: 9.0, squares: 9.0, part_count: 3, part_sum: 3.0 };
        assert_eq!(part_p_value(&[equal, Stratum::default()]), None);
    }
}
