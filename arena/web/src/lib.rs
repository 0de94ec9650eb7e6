//! Runs as pages for browsers, live while they are in progress, and games played by hand on them.
//!
//! [`Server`] answers browsers, pushes what happens, and where actions are allowed takes orders for runs and keeps tables for
//! games by hand. [`keep_pages`] writes the same pages as files for any web server. Both read what runs leave in their
//! directories: a run neither knows nor waits for either. What the pages look like is the business of [`page`]; orders go through
//! the run's control socket ([`live::ask`]), and games by hand are [`hand_play::HandGame`]s.
//!
//! ```
//! use std::path::Path;
//! use std::time::Duration;
//!
//! let failure = web::keep_pages(Path::new("no/run/here"), Path::new("public"), Duration::ZERO, &rules::Catalogue::default())
//!     .expect_err("there is none");
//! assert!(failure.to_string().contains("no/run/here"));
//! ```

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod http;
mod interruption;
mod page_files;
mod runs;
mod server;
mod tables;

pub use page_files::keep_pages;
pub use server::{OfferedOpponents, Server};
