//! Is the new version stronger? Wald's sequential probability ratio test on pairs of games.
//!
//! [`Hypotheses`] says what is tested: that the new version is `elo0` or `elo1` better, on one of two scales ([`Model`]), with
//! given risks of error. [`log_likelihood_ratio`] evaluates counted results, [`Figures`] adds estimates of the strength itself,
//! and [`Walk`] takes pairs one by one and says when to stop. [`Simulator`] simulates whole tests to predict how long they take
//! and how often they err.
//!
//! A pair is two games on one opening with the seats swapped. At tables of more seats a block replaces it: the games of one
//! opening in which the new version sits in every seat once, and copies of the base in the others. Its score is the mean share
//! of the base's seats that it beats, ½ if they are equal. The test on the mean is the same, with more possible scores.
//! [`crate::Counts`] holds how often each score occurred, also for single games.

mod bayes_elo;
mod block;
mod block_law;
mod brownian;
mod expected;
mod figures;
mod hypotheses;
mod likelihood;
mod overshoot;
mod scale;
mod simulator;
mod tilt;
mod unbiased;
mod walk;

pub use bayes_elo::BayesElo;
pub use block::{BlockScore, GameBlock, Plies};
pub use block_law::{BlockLaw, BlockLawError, Draws, Players};
pub use expected::Length;
pub use figures::Figures;
pub use hypotheses::{Hypotheses, HypothesesError, Model, SprtVerdict};
pub use likelihood::log_likelihood_ratio;
pub(crate) use scale::elo as elo_of;
pub use simulator::{Run, Simulator, Summary};
pub use unbiased::{ELO_LIMIT, Unbiased};
pub use walk::{IDENTICAL_PAIRS, SprtEnd, Walk};
