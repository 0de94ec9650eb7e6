//! Ratings and tests of strength: pure functions from results to figures.
//!
//! [`fit()`] turns the games of a tournament into a [`RatingTable`]. It estimates all figures at once, including the first-seat
//! advantage of each game. Its errors stay valid with draws and paired openings, and it marks figures for which the data have
//! no finite value. A [`Sample`] counts the games one at a time, so any number of them fits in memory. [`Davidson`] only
//! predicts how often a game is won, drawn and lost. [`elo_ladder`], [`glicko2_ladder`] and [`weng_lin_ladder`] give running
//! ratings, which depend on the order of the games and never replace the table. [`Counts`] holds results in the form that the
//! tests of strength need, and [`sprt`] is the sequential test.
//!
//! [`combine()`] gives one verdict over several games, [`Monitor`] one that is valid at any time, and [`transitivity()`] tests
//! whether ratings explain the results at all. [`next_meetings`] chooses the meetings that soonest settle an order or the best
//! player, and [`Evidence`] decides when it is settled.
//!
//! All ratings are in Elo: 400 points are odds of ten to one. Errors named `error95` are half the width of a 95 % interval. No
//! figure is infinite or NaN: if the data do not determine it, it is `None`.
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
