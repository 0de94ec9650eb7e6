//! `arena report DIR`: the tables of a run, made anew from its journal.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use record::PgnForm;

use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output;
use crate::progress::say;
use crate::tournament;

/// What `arena report` is told.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The directory of the run
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Print the game log instead of writing files: `native`, or `safe` for readers of chess PGN
    #[arg(long, value_name = "FORM")]
    pgn: Option<Form>,
}

/// The form of a game log.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Plies as they are.
    Native,
    /// Null moves with the plies in comments: any reader of chess PGN takes it.
    Safe,
}

impl Arguments {
    /// Writes the files and prints the report.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let contents = record::read(&self.directory).map_err(|error| {
            tournament::failure(&error).hint("the directory of a run holds the file `journal.jsonl`")
        })?;
        if let Some(form) = self.pgn {
            let form = match form {
                Form::Native => PgnForm::Native,
                Form::Safe => PgnForm::Safe,
            };
            output::print(&report::games_pgn(&contents, form))?;
            return Ok(Exit::Done);
        }
        let files = tournament::write_files(&self.directory, &contents)?;
        output::print(&tournament::summary(&contents))?;
        say(&format!("\nwritten to {}: {}", self.directory.display(), files.join(", ")));
        Ok(Exit::Done)
    }
}
