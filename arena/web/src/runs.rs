//! What pages show of runs, read from what these leave in their directories: a [`Library`] of runs, and the pictures that
//! pages are told.
//!
//! The server pushes the pictures to pages, [`crate::keep_pages`] writes them into files. Neither a run nor its bots
//! know of either.

mod library;
mod picture;

pub(crate) use self::library::{FILES, Library, Summary, report_at};
pub(crate) use self::picture::{Seen, Snapshot, Watcher, list, runs, waiting};
