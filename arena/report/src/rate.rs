//! Ratings from the outcomes of any number of journals and game logs.
//!
//! A [`Pool`] counts outcomes as they are read and keeps nothing else. [`Pool::ratings`] returns the [`Ratings`], which can be
//! written as text, CSV, JSON or Markdown.

mod csv;
mod explain;
mod forms;
mod json;
mod left_out;
mod markdown;
mod matrix;
mod pool;
mod ratings;
mod roster;
mod text;

pub use left_out::LeftOut;
pub use pool::{Filter, Pool};
pub use ratings::{GameRow, PlayerRow, RateError, RateSettings, Ratings};
pub use roster::By;
