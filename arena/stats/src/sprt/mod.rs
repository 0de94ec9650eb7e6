//! Is the new version stronger? Wald's sequential probability ratio test on pairs of games.
//!
//! [`Hypotheses`] say what is tested: that the new version is `elo0` or `elo1` better, on one of two scales
//! ([`Model`]), with which risks of error. [`log_likelihood_ratio`] weighs counted results, [`Figures`] add
//! what can be said about the strength itself, and [`Walk`] takes pairs one by one and says when to stop.
//! [`Simulator`] plays the whole test many times with invented results, to know beforehand how long it takes
//! and how often it errs.
//!
//! A pair is two games on one opening with the seats swapped. The counts of pairs are [`crate::Pentanomial`];
//! [`crate::Trinomial`] stands in where there are only single games.

mod bayes_elo;
mod brownian;
mod expected;
mod figures;
mod hypotheses;
mod likelihood;
mod overshoot;
mod pair;
mod pair_law;
mod scale;
mod simulator;
mod tilt;
mod unbiased;
mod walk;

pub use bayes_elo::BayesElo;
pub use expected::Length;
pub use figures::Figures;
pub use hypotheses::{Hypotheses, HypothesesError, Model, SprtVerdict};
pub use likelihood::log_likelihood_ratio;
pub use pair::{GamePair, PairScore, Plies};
pub use pair_law::{Draws, PairLaw, PairLawError, Players};
pub(crate) use scale::elo as elo_of;
pub use simulator::{Run, Simulator, Summary};
pub use unbiased::{ELO_LIMIT, Unbiased};
pub use walk::{IDENTICAL_PAIRS, SprtEnd, Walk};
