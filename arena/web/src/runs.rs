//! What pages show of runs, read from what these leave in their directories: a [`RunIndex`] of runs, and the pictures that
//! pages are told.
//!
//! The server pushes the pictures to pages, [`crate::keep_pages`] writes them into files. Neither a run nor its bots
//! know of either.

mod game_picture;
mod picture;
mod run_index;
mod upcoming;

pub(crate) use self::game_picture::{FoundGame, GameWatcher, explanation};
pub(crate) use self::picture::{PictureText, RunSnapshot, RunWatcher, list, runs, waiting};
pub(crate) use self::run_index::{FILES, RunDigest, RunIndex};
