//! `arena man DIR`: pages for `man`, one a subcommand.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;

use crate::help;

/// The arguments of `arena man`.
#[derive(Debug, Args)]
#[command(after_help = "Example: `arena man ~/.local/share/man/man1`, then `man arena-run`.")]
pub(crate) struct Arguments {
    /// The directory of the pages
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl Arguments {
    /// Writes the pages.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let directory = &self.directory;
        fs::create_dir_all(directory)
            .and_then(|()| clap_mangen::generate_to(help::command(), directory))
            .map_err(|error| {
                Failure::io(format!("failed to write pages to `{}`", output::path(directory)), &error)
            })?;
        say(&format!("written to {}: arena.1 and a page for each subcommand", output::path(directory)));
        Ok(Exit::Done)
    }
}
