//! Ratings and tests of strength: pure functions from results to figures.
//!
//! [`fit()`] turns the games of a tournament into a [`RatingTable`]: everything is estimated at once, with
//! the first-seat advantage of each game, errors that stand up to draws and to paired openings, and an
//! honest mark where the data hold no finite answer. A [`Sample`] counts games one at a time for it, so that any
//! number of them fits in memory. [`Davidson`] stands beside it and only predicts how
//! often a game is won, drawn and lost. [`elo_ladder`], [`glicko2_ladder`] and [`weng_lin_ladder`] are the running numbers of
//! the ladders: they depend on the order of the games and are never the table. [`Counts`] are results as the tests of strength
//! need them; [`sprt`] is the sequential test.
//!
//! [`combine()`] gives one verdict over several games, [`Monitor`] one that may be read at any time, and
//! [`transitivity()`] tests whether ratings explain the results at all. [`next_meetings`] says who should meet next to
//! settle an order or a best player soon, and [`Evidence`] when it is settled.
//!
//! All ratings are in Elo: 400 points are odds of ten to one. Errors named `error95` are half the width of a
//! 95 % interval. No figure is ever infinite or not a number: where the data say nothing it is `None`.
//!
//! This crate is pure: no files, clock, environment, randomness or printing.

mod counts;
mod fit;
mod game;
mod inference;
mod interval;
mod ladder;
mod numeric;
mod planning;
mod points;
pub mod sprt;
mod tally;
mod transitivity;

pub use counts::Counts;
pub use fit::davidson::{Chances, Davidson};
pub use fit::errors::parameter::Parameter;
pub use fit::fit;
pub use fit::settings::{Anchor, Errors, FitSettings, Prior, RIDGE_SIGMA};
pub use fit::table::{
    Advantage, Difference, ErrorKind, Method, Neighbours, Rating, RatingBound, RatingTable, RidgeCause,
    SeatAdvantage,
};
pub use game::{GameScore, MOST_SEATS, RatedGame, TableResult};
pub use inference::combine::{Combination, CombineError, Effect, RandomEffects, combine};
pub use inference::constant::Constant;
pub use inference::contrast::change;
pub use inference::fisher::fisher;
pub use inference::monitor::{EloRange, Monitor};
pub use inference::strata::{Stratum, part_p_value};
pub use interval::Interval;
pub use ladder::{
    ELO_K, GLICKO_DEVIATION, GLICKO_TAU, GLICKO_VOLATILITY, Glicko, LADDER_START, WengLin, elo_ladder,
    glicko2_ladder, weng_lin_ladder,
};
pub use numeric::normal::holm;
pub use planning::evidence::{Evidence, Goal, RankingVerdict};
pub use planning::next_meetings::next_meetings;
pub use planning::table_plan::{TablePlan, TablePlanError};
pub use points::Points;
pub use tally::sample::Sample;
pub use transitivity::{Curl, STRONGEST_CURLS, Transitivity, transitivity};
