//! Runs as pages for browsers.

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod http;
mod interruption;
mod page_files;
mod runs;
mod server;
mod tables;

pub use page_files::keep_pages;
pub use server::{Opponents, Server};
