//! Points that add up exactly at tables of any size.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// A sum of points. In each game a seat scores the share of its opponents that it beat, where a tie counts a half.
///
/// Points are whole 840ths, which express every share at tables of two to eight seats exactly, so sums do not depend on their
/// order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(u64);

impl Points {
    /// The units per point: twice the least common multiple of 1 to 7.
    const PARTS: u64 = 840;

    /// Returns `halves` half points.
    #[must_use]
    pub const fn from_halves(halves: u64) -> Self {
        Self(halves * Self::PARTS / 2)
    }

    /// Returns `part` of `whole`, rounded down to an 840th if `whole` does not divide 840.
    pub(crate) const fn share(part: u64, whole: u64) -> Self {
        Self(part * Self::PARTS / whole)
    }

    /// Returns the number of half points; `None` if it is not whole.
    #[must_use]
    pub const fn halves(self) -> Option<u64> {
        if self.0.is_multiple_of(Self::PARTS / 2) { Some(self.0 * 2 / Self::PARTS) } else { None }
    }

    /// Returns the points as a number.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / Self::PARTS as f64
    }

    /// Returns the mean per game, 0 to 1; `None` without games.
    #[must_use]
    pub fn mean(self, games: u64) -> Option<f64> {
        (games > 0).then(|| self.to_f64() / games as f64)
    }

    /// Compares the mean of these points in `games` games with that of `other` in `other_games`, exactly.
    #[must_use]
    pub fn compare_means(self, games: u64, other: Self, other_games: u64) -> std::cmp::Ordering {
        let product = |points: Self, games: u64| u128::from(points.0) * u128::from(games);
        product(self, other_games).cmp(&product(other, games))
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// Subtraction stops at zero.
impl Sub for Points {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_every_table_are_whole_parts() {
        for opponents in 1..=7 {
            let all: Points = (0..2 * opponents).map(|_| Points::share(1, 2 * opponents)).sum();
            assert_eq!(all, Points::from_halves(2));
        }
        assert_eq!((Points::share(1, 3) + Points::share(1, 6)).halves(), Some(1));
        assert_eq!(Points::share(1, 3).halves(), None);
        assert_eq!(Points::from_halves(25).to_f64(), 12.5);
        assert_eq!(Points::from_halves(3).mean(2), Some(0.75));
        assert_eq!(Points::default().mean(0), None);
    }
}
