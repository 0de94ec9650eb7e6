//! One player against the mean of others: a figure that compares two tables without a common scale.

use crate::fit::errors::parameter::LEVEL95;
use crate::numeric::normal::Z95;
use crate::{Effect, Parameter, RatingTable};

impl RatingTable {
    /// Returns how much higher `player` is rated than the mean of `reference`, with the standard error of a normal law that has
    /// the same 95 % interval.
    ///
    /// The zero of a table is arbitrary, but this difference is not. So tables of different games can be compared if the
    /// reference is the same. Covariances count: a player may belong to the reference.
    ///
    /// The error is `None` if the results do not vary or if the reference is the player alone. The whole result is `None`
    /// without a reference, if a player has no rating, or if they are rated separately.
    #[must_use]
    pub fn above(&self, player: usize, reference: &[usize]) -> Option<(f64, Option<f64>)> {
        let share = 1.0 / reference.len() as f64;
        let mut value = 0.0;
        for other in reference {
            value += share * self.difference(player, *other)?.elo;
        }
        let mut weights: Vec<(usize, f64)> = vec![(player, 1.0)];
        weights.extend(reference.iter().map(|other| (*other, -share)));
        let weights: Vec<(Parameter, f64)> =
            weights.into_iter().map(|(player, factor)| (Parameter::Rating(player), factor)).collect();
        let uncertainty = self.certainty.of_sum(&weights);
        (!reference.is_empty()).then(|| (value, uncertainty.map(|it| it.half_width(LEVEL95) / Z95)))
    }
}

/// Returns the change of an estimate from one independent sample to another: the difference, with both errors combined.
#[must_use]
pub fn change(before: Effect, after: Effect) -> Effect {
    Effect { value: after.value - before.value, error: before.error.hypot(after.error) }
}

impl Effect {
    /// Returns half the width of the 95 % interval.
    #[must_use]
    pub fn error95(&self) -> f64 {
        crate::numeric::normal::Z95 * self.error
    }

    /// Returns the two-sided p value of "there is no effect", by the normal law.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        2.0 * crate::numeric::normal::probability_below(-(self.value / self.error).abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FitSettings, GameScore, RatedGame, fit};

    fn table() -> RatingTable {
        let game = |i: usize| {
            let (first, second) = [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)][i % 6];
            let score =
                [GameScore::Win, GameScore::Draw, GameScore::Loss, GameScore::Win, GameScore::Win][i * i % 5];
            RatedGame::new(first, second, score)
        };
        fit(3, 1, &(0..90).map(game).collect::<Vec<_>>(), &FitSettings::default())
    }

    #[test]
    fn one_other_is_the_difference() {
        let table = table();
        let (value, error) = table.above(0, &[2]).expect("rated");
        let difference = table.difference(0, 2).expect("rated");
        assert!((value - difference.elo).abs() < 1e-9);
        assert!(
            (1.959_963_984_54 * error.expect("varies") - difference.error95.expect("varies")).abs() < 1e-6
        );
    }

    #[test]
    fn the_mean_of_all_is_where_ratings_count_from() {
        let table = table();
        let (value, error) = table.above(1, &[0, 1, 2]).expect("rated");
        assert!((value - table.ratings[1].elo.expect("rated")).abs() < 1e-9);
        let own = table.ratings[1].error95.expect("varies");
        assert!((1.959_963_984_54 * error.expect("varies") - own).abs() < 1e-6);
    }

    #[test]
    fn a_player_is_not_above_itself_or_nobody() {
        assert_eq!(table().above(1, &[1]), Some((0.0, None)));
        assert_eq!(table().above(1, &[]), None);
    }

    #[test]
    fn errors_add_in_squares() {
        let one = Effect { value: 10.0, error: 3.0 };
        let two = Effect { value: 4.0, error: 4.0 };
        assert_eq!(change(one, two), Effect { value: -6.0, error: 5.0 });
        assert!((Effect { value: -1.959_963_984_540_054, error: 1.0 }.p_value() - 0.05).abs() < 1e-9);
    }
}
