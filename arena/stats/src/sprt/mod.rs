//! Is the new version stronger? Wald's sequential probability ratio test on pairs of games.
//!
//! [`Hypotheses`] say what is tested: that the new version is `elo0` or `elo1` better, on one of two scales
//! ([`Model`]), with which risks of error. [`log_likelihood_ratio`] weighs counted results, [`Figures`] add
//! what can be said about the strength itself, and [`Walk`] takes pairs one by one and says when to stop.
//! [`Simulator`] plays the whole test many times with invented results, to know beforehand how long it takes
//! and how often it errs.
//!
//! A pair is two games on one opening with the seats swapped. At tables of more seats a block takes its place: the games of one
//! opening in which the new version sits in every seat once, and copies of the base in the others. Its score is the mean share
//! of the base's seats that it beats, ½ where they are equal; the same test on the mean with more possible scores. How often
//! each occurred is [`crate::Counts`], which may also be of single games.

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
