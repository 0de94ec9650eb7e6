//! Shares of many simulations, with their own errors.

use std::ops::AddAssign;

/// How many of all; what one simulation yields is one cluster, since its figures depend on each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    held: f64,
    all: f64,
    /// Sums over clusters: of held², of held · all, and of all².
    squares: [f64; 3],
}

/// Where a share ought to lie, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Band {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// How many standard errors of the simulation a share may lie outside its band: with some two hundred shares none does by
/// accident.
const MOST_ERRORS: f64 = 3.5;

impl Share {
    /// Counts what one simulation yields.
    pub(super) fn of(outcomes: impl IntoIterator<Item = bool>) -> Self {
        let (mut held, mut all) = (0.0, 0.0);
        for is_held in outcomes {
            held += f64::from(u8::from(is_held));
            all += 1.0;
        }
        Self { held, all, squares: [held * held, held * all, all * all] }
    }

    /// How many outcomes there are.
    pub(super) const fn all(self) -> f64 {
        self.all
    }

    /// The share, 0 to 1; `None` without an outcome.
    pub(super) fn value(self) -> Option<f64> {
        (self.all > 0.0).then(|| self.held / self.all)
    }

    /// Its standard error, as a ratio of sums over independent clusters.
    fn error(self) -> Option<f64> {
        let value = self.value()?;
        let [held, mixed, all] = self.squares;
        Some((held - 2.0 * value * mixed + value * value * all).max(0.0).sqrt() / self.all)
    }

    /// Whether it lies outside a band by more than the simulation's own error.
    pub(super) fn is_outside(self, band: Band) -> bool {
        let (Some(value), Some(error)) = (self.value(), self.error()) else { return false };
        // Where all or nearly all outcomes are alike, their spread says nothing: at the edge of the band it has this at least.
        let margin = |edge: f64| MOST_ERRORS * error.max((edge * (1.0 - edge) / self.all).sqrt());
        value + margin(band.low) < band.low || value - margin(band.high) > band.high
    }

    /// Writes it in per cent, marked where it lies outside its band.
    pub(super) fn cell(self, band: Band) -> String {
        let Some(value) = self.value() else { return "      - ".to_owned() };
        format!("{:7.1}{}", 100.0 * value, if self.is_outside(band) { '!' } else { ' ' })
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.held += other.held;
        self.all += other.all;
        self.squares.iter_mut().zip(other.squares).for_each(|(sum, square)| *sum += square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAND: Band = Band { low: 0.93, high: 0.97 };

    /// Clusters of ten, some of which have a miss.
    fn share(clusters: usize, missed: usize) -> Share {
        let mut share = Share::default();
        (0..clusters).for_each(|cluster| share += Share::of((0..10).map(|i| i > 0 || cluster >= missed)));
        share
    }

    #[test]
    fn the_error_is_that_of_clusters() {
        let all_or_none = (0..100).map(|cluster| Share::of([cluster < 90; 7]));
        let mut sum = Share::default();
        all_or_none.for_each(|share| sum += share);
        assert!((sum.value().expect("outcomes") - 0.9).abs() < 1e-12);
        // As one outcome a cluster.
        assert!((sum.error().expect("outcomes") - (0.9 * 0.1 / 100.0_f64).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_share_far_outside_its_band_is_told() {
        assert!(!share(500, 250).is_outside(BAND) && !share(10, 8).is_outside(BAND));
        assert!(share(500, 450).is_outside(BAND) && share(500, 50).is_outside(BAND));
        assert!(share(500, 450).cell(BAND).contains('!') && !share(500, 250).cell(BAND).contains('!'));
        assert!(!Share::default().is_outside(BAND) && Share::default().value().is_none());
    }
}
