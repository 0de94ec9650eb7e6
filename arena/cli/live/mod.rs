//! A run as it stands while it goes on, for those who watch it and those who steer it.
//!
//! [`LiveState`] is the whole picture, a plain value: `live.json`, the dashboard of `--tui` and whatever else shows a run
//! are made from it alone. A [`Scoreboard`] makes it from what happens, a [`LiveFile`] keeps it in the run's directory, a
//! [`Socket`] there takes [`Order`]s. None of them may hold up a game or end a run.

mod file;
mod order;
mod scoreboard;
mod socket;
mod state;
mod station;

pub(crate) use self::file::{LiveFile, clear, is_in_use, read};
pub(crate) use self::order::{Order, Steering};
pub(crate) use self::scoreboard::{Scoreboard, View};
pub(crate) use self::socket::{Socket, SocketError, ask};
pub(crate) use self::state::{
    Bot, Counts, Evaluation, Fault, Game, LiveState, Pace, Search, Stage, Standing, Test,
};
pub(crate) use self::station::Station;
