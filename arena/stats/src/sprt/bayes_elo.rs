//! The test of the early versions of cutechess and fishtest: single games under the model of BayesElo.
//!
//! The chances of a loss and a win are 1 / (1 + 10^((draw + d)/400)) and 1 / (1 + 10^((draw − d)/400)), and the rest are draws.
//! Here d is the difference in BayesElo and `draw` the draw Elo (R. Coulom). Draw Elo is estimated from the games themselves,
//! and the ratio compares both hypotheses at this draw Elo (cutechess, `projects/lib/src/sprt.cpp`; fastchess,
//! `model=bayesian`). Pairs count as single games, so a test with pairs errs less often than requested and takes longer. It
//! exists to compare with tests of that time.

use std::num::NonZeroU64;

use crate::sprt::block_law::game;
use crate::sprt::{BlockLaw, Figures, Hypotheses, HypothesesError, Model, Run, SprtVerdict, scale};
use crate::{Counts, GameScore};

/// Two hypotheses in BayesElo, and the risks of error.
///
/// ```
/// use stats::sprt::BayesElo;
/// let test = BayesElo::new(0.0, 6.0, 0.05, 0.05)?;
/// let llr = test.log_likelihood_ratio([5900, 30_000, 6100]);
/// assert!((llr - 0.662_678).abs() < 1e-6);
/// # Ok::<(), stats::sprt::HypothesesError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BayesElo {
    /// The parameters of the test. Their model has no meaning here.
    hypotheses: Hypotheses,
}

impl BayesElo {
    /// Returns the test of H0, a difference of `elo0` BayesElo, against H1, `elo1`, with the risks of [`Hypotheses::new`].
    ///
    /// # Errors
    /// As in [`Hypotheses::new`].
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, HypothesesError> {
        Hypotheses::new(elo0, elo1, alpha, beta, Model::Logistic).map(|hypotheses| Self { hypotheses })
    }

    /// Returns the differences in BayesElo and the risks.
    #[must_use]
    pub const fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// Returns the BayesElo and the draw Elo that reproduce the shares of games lost, drawn and won; `None` unless all three
    /// results occurred.
    #[must_use]
    pub fn estimate(games: [u64; 3]) -> Option<[f64; 2]> {
        let [lost, drawn, won] = games.map(|count| count as f64);
        if lost == 0.0 || drawn == 0.0 || won == 0.0 {
            return None;
        }
        // Odds of a win against all other results, and of a loss.
        let (win, loss) = ((won / (lost + drawn)).log10(), (lost / (won + drawn)).log10());
        Some([200.0 * (win - loss), -200.0 * (win + loss)])
    }

    /// Returns the logarithm of the likelihood of the games under H1 divided by that under H0, at the draw Elo of the games. It
    /// is 0 until all three results have occurred, as in the programs of that time.
    #[must_use]
    pub fn log_likelihood_ratio(&self, games: [u64; 3]) -> f64 {
        let Some([_, draw]) = Self::estimate(games) else { return 0.0 };
        let [zero, one] = [self.hypotheses.elo0(), self.hypotheses.elo1()].map(|elo| game(draw, elo));
        let terms = games.into_iter().zip(zero).zip(one);
        terms.map(|((count, zero), one)| count as f64 * (one.ln() - zero.ln())).sum()
    }

    /// Calculates the figures of some games; `None` without any. Estimates are in logistic and normalized Elo, and account for
    /// stopping at these hypotheses.
    #[must_use]
    pub fn figures(&self, games: [u64; 3]) -> Option<Figures> {
        let draw = Self::estimate(games).map_or(0.0, |[_, draw]| draw);
        // The logistic Elo of the expected score.
        let logistic = |elo| {
            let [_, drawn, won] = game(draw, elo);
            scale::elo(won + 0.5 * drawn)
        };
        let test = &self.hypotheses;
        let same = Hypotheses::new(
            logistic(test.elo0()),
            logistic(test.elo1()),
            test.alpha(),
            test.beta(),
            Model::Logistic,
        )
        .unwrap_or(*test);
        let llr = self.log_likelihood_ratio(games);
        Some(Figures { llr, decision: test.decide(llr), ..Figures::of(&Counts::of_games(games), &same)? })
    }

    /// Simulates one test with games of `law`, two with swapped seats at a time. `uniform` supplies numbers between 0 and 1,
    /// one per game. Without a verdict the test ends after `most` pairs.
    pub fn run(&self, law: &BlockLaw, most: NonZeroU64, mut uniform: impl FnMut() -> f64) -> Run {
        let mut games = [0; 3];
        let mut decision = SprtVerdict::Continue;
        let mut pairs = 0;
        while decision == SprtVerdict::Continue && pairs < most.get() {
            for leg in 0..2 {
                let score: GameScore = law.game_at(leg, uniform());
                games[usize::from(score.halves())] += 1;
            }
            pairs += 1;
            decision = self.hypotheses.decide(self.log_likelihood_ratio(games));
        }
        Run { decision, pairs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the values of a program that follows cutechess's formulas step by step: games won, drawn and lost, the
    /// bounds, draw Elo, BayesElo and the ratio.
    #[test]
    fn ratios_are_those_of_cutechess() {
        for (games, elo0, elo1, draw, elo, llr) in [
            ([6100, 30_000, 5900], 0.0, 6.0, 311.283_960_766_2, 3.378_115_339_2, 0.662_678_458_3),
            ([120, 800, 100], -1.5, 4.5, 367.769_818_147_5, 17.745_312_790_8, 0.564_490_190_6),
            ([35, 10, 20], 0.0, 50.0, 57.047_145_696_1, 83.825_861_548_4, 1.753_936_422_9),
        ] {
            let [won, drawn, lost] = games;
            let games = [lost, drawn, won];
            let test = BayesElo::new(elo0, elo1, 0.05, 0.05).unwrap();
            let [found, found_draw] = BayesElo::estimate(games).unwrap();
            assert!((found - elo).abs() < 1e-8 && (found_draw - draw).abs() < 1e-8, "{found} {found_draw}");
            assert!((test.log_likelihood_ratio(games) - llr).abs() < 1e-8);
            let figures = test.figures(games).unwrap();
            assert!(figures.llr > 0.0 && figures.elo > 0.0 && figures.decision == SprtVerdict::Continue);
        }
    }

    #[test]
    fn nothing_is_said_before_every_result_came() {
        let test = BayesElo::new(0.0, 6.0, 0.05, 0.05).unwrap();
        for games in [[0, 10, 10], [10, 0, 10], [10, 10, 0]] {
            assert_eq!(test.log_likelihood_ratio(games), 0.0);
        }
        assert_eq!(test.figures([0; 3]), None);
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let (test, mirror) =
            (BayesElo::new(-3.0, 9.0, 0.05, 0.1).unwrap(), BayesElo::new(-9.0, 3.0, 0.1, 0.05).unwrap());
        let games = [40, 130, 61];
        let sum = test.log_likelihood_ratio(games) + mirror.log_likelihood_ratio([61, 130, 40]);
        assert!(sum.abs() < 1e-9, "{sum}");
    }
}
