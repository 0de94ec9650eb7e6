//! The length of a table: after how many pairs neighbours are distinguished.
//!
//! The model: bots at equal distances meet each other equally often, in pairs with the seats swapped. A pair between bots d
//! apart has the expected score p and the variance v. In the fit of the ratings it has the weight w = 2 p (1 − p), and its
//! residual, in points, has the variance 4 v. Let A be the sum of w c cᵀ and B that of 4 v c cᵀ over all pairs of one round,
//! where c is the difference of two bots. The covariance of the ratings is A⁻¹ B A⁻¹ after one round (White 1982), and 1/n of
//! it after n rounds. The advantage of the first seat counts as known, because swapped seats almost cancel it.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::fit::model::UNITS_PER_ELO;
use crate::numeric::matrix::Matrix;
use crate::numeric::normal::Z95;
use crate::sprt::{BlockLaw, BlockLawError, Model, Players};
use crate::{FitSettings, RatedGame, Sample};

/// A plan of a table before play.
#[derive(Debug, Clone)]
pub struct TablePlan {
    bots: usize,
    gap: f64,
    /// The law of a pair by the distance of the bots in places, as scores of the better bot; the first is that of neighbours.
    laws: Vec<BlockLaw>,
    /// The standard error of the difference between neighbours after one round, in Elo: of the two that are distinguished last.
    error: f64,
}

/// Why a table cannot be planned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TablePlanError {
    /// There are too few bots.
    #[error("a table has at least 2 bots, not {bots}")]
    Bots {
        /// The given number.
        bots: usize,
    },
    /// Neighbours are equal, or in the wrong order.
    #[error("neighbours must be more than 0 Elo apart, not {gap}")]
    Gap {
        /// The given gap.
        gap: f64,
    },
    /// No such bots exist.
    #[error(transparent)]
    Players(#[from] BlockLawError),
}

impl TablePlan {
    /// Plans a table of `bots` bots, each `gap` logistic Elo above the next.
    ///
    /// # Errors
    /// When there are fewer than two bots, `gap` is not positive, or no bots can be as far apart as the first and the last.
    pub fn new(bots: usize, gap: f64, players: &Players) -> Result<Self, TablePlanError> {
        if bots < 2 {
            return Err(TablePlanError::Bots { bots });
        }
        if gap.is_nan() || gap <= 0.0 {
            return Err(TablePlanError::Gap { gap });
        }
        let law = |places: usize| BlockLaw::new(players, Model::Logistic, places as f64 * gap);
        let laws = (1..bots).map(law).collect::<Result<Vec<_>, _>>()?;
        let error = neighbour_error(bots, &laws);
        Ok(Self { bots, gap, laws, error })
    }

    /// Returns the standard error of the difference between neighbours after `rounds` rounds, in Elo: of the two that are
    /// distinguished last. A round is one pair between every two bots.
    #[must_use]
    pub fn error(&self, rounds: f64) -> f64 {
        self.error / rounds.sqrt()
    }

    /// Returns after how many rounds any two neighbours are distinguished with this probability, between 0 and 1. The 95 %
    /// interval of their difference then lies on the correct side of zero.
    #[must_use]
    pub fn rounds(&self, power: f64) -> f64 {
        let z = Z95 + Normal::standard().inverse_cdf(power);
        (z.max(0.0) * self.error / self.gap).powi(2).ceil().max(1.0)
    }

    /// Simulates a table and returns how many of the neighbours it distinguishes. `uniform` supplies numbers between 0 and 1,
    /// one per game.
    pub fn told_apart(&self, rounds: u64, mut uniform: impl FnMut() -> f64) -> usize {
        let mut sample = Sample::default();
        for first in 0..self.bots {
            for second in first + 1..self.bots {
                let law = &self.laws[second - first - 1];
                for _ in 0..rounds {
                    let [one, two] = [0, 1].map(|leg| law.game_at(leg, uniform()));
                    sample.add_block(&[
                        RatedGame::new(first, second, one),
                        RatedGame::new(second, first, two.opposite()),
                    ]);
                }
            }
        }
        let table = sample.fit(self.bots, 1, &FitSettings::default());
        let is_told = |&upper: &usize| {
            let difference = table.difference(upper, upper + 1);
            difference.is_some_and(|apart| apart.error95.is_some_and(|error| apart.elo > error))
        };
        (0..self.bots - 1).filter(is_told).count()
    }
}

/// Returns the highest standard error of the difference between neighbours after one round, in Elo.
fn neighbour_error(bots: usize, laws: &[BlockLaw]) -> f64 {
    let (mut information, mut variance) = (Matrix::zero(bots), Matrix::zero(bots));
    for i in 0..bots {
        for j in i + 1..bots {
            let law = &laws[j - i - 1];
            let mean = law.mean();
            for (matrix, weight) in [
                (&mut information, 2.0 * mean * (1.0 - mean)),
                (&mut variance, 4.0 * law.deviation().powi(2)),
            ] {
                for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                    matrix.add(a, b, sign * weight);
                }
            }
        }
    }
    // Ratings are determined up to a shift: any weight on their sum fixes it without changing a difference.
    for i in 0..bots {
        for j in 0..bots {
            information.add(i, j, 1.0);
        }
    }
    let Some(factor) = information.cholesky(f64::EPSILON) else { return f64::INFINITY };
    let inverse = factor.inverse();
    let covariance = inverse.product(&variance.product(&inverse));
    let of = |i: usize, j: usize| covariance.get(i, i) + covariance.get(j, j) - 2.0 * covariance.get(i, j);
    let greatest = (1..bots).map(|j| of(j - 1, j)).fold(0.0, f64::max);
    greatest.sqrt() / UNITS_PER_ELO
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprt::Draws;

    fn players(rate: f64, first_seat: f64) -> Players {
        Players { draws: Draws::Rate(rate), first_seat }
    }

    #[test]
    fn two_bots_take_what_a_match_takes() {
        // Without draws a pair of equals has the variance 1/8 and a weight of ½ of a point's slope.
        let plan = TablePlan::new(2, 1e-6, &players(0.0, 0.0)).unwrap();
        let expected = (4.0 * 0.125f64).sqrt() / 0.5 / UNITS_PER_ELO;
        assert!((plan.error(1.0) / expected - 1.0).abs() < 1e-6, "{}", plan.error(1.0));
        let plan = TablePlan::new(2, 20.0, &players(0.0, 0.0)).unwrap();
        // (1.96 · 245.7 / 20)² rounds distinguish them in half of all tables.
        assert!((plan.rounds(0.5) - 580.0).abs() < 5.0, "{}", plan.rounds(0.5));
        assert!(plan.rounds(0.95) > plan.rounds(0.8) && plan.rounds(0.8) > plan.rounds(0.5));
    }

    #[test]
    fn draws_and_opponents_make_it_shorter() {
        let rounds = |bots, rate| TablePlan::new(bots, 20.0, &players(rate, 0.0)).unwrap().rounds(0.8);
        assert!(rounds(8, 0.6) < 0.6 * rounds(8, 0.0));
        assert!(rounds(8, 0.0) < 0.4 * rounds(2, 0.0));
    }

    #[test]
    fn tables_without_sense_are_refused() {
        assert_eq!(
            TablePlan::new(1, 20.0, &players(0.0, 0.0)).unwrap_err(),
            TablePlanError::Bots { bots: 1 }
        );
        for gap in [0.0, -1.0, f64::NAN] {
            assert!(matches!(TablePlan::new(4, gap, &players(0.0, 0.0)), Err(TablePlanError::Gap { .. })));
        }
        assert!(matches!(TablePlan::new(4, 1e5, &players(0.0, 0.0)), Err(TablePlanError::Players(_))));
    }
}
