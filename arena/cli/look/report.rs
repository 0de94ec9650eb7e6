//! `arena report DIR`: the tables of a run, made anew from its journal.

mod author;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use diagnostic::Exit;
use diagnostic::harmless::{Harmless, Stream, Styles};
use diagnostic::output;
use diagnostic::say;
use diagnostic::{Diagnostic, Failure};
use record::{JournalError, PgnForm, RunSummary};
use report::{Look, RunReport, SeveralGames, Trial};
use tournament::outputs;

use crate::look::summary;
use crate::terminal;

/// What `arena report` is told.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The directory of the run
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Print the game log instead of writing files: `native`, or `safe` for readers of chess PGN
    #[arg(long, value_name = "FORM")]
    pgn: Option<Form>,
    /// Print what a test of strength says of each of its games instead of writing files
    #[arg(long, value_name = "FORMAT", conflicts_with = "pgn")]
    several: Option<Several>,
    /// Write what the author of this bot may see instead, into `authors/NAME` of the directory: its games, and the pages
    /// about its own faults with its own standard error
    #[arg(long, value_name = "NAME", conflicts_with_all = ["pgn", "several", "explain"])]
    bot: Option<String>,
    /// Say in words what each column means and which model made it
    #[arg(long, conflicts_with = "pgn")]
    explain: bool,
    /// While the run goes on, keep the pages of `arena serve` as files that any web server can show; DIR may hold several
    /// runs. Ends with the run, of several by Ctrl-C
    #[arg(long, requires = "to", conflicts_with_all = ["pgn", "several", "bot", "explain"])]
    watch: bool,
    /// Where `--watch` writes them: a directory that is new, empty or has such pages
    #[arg(long, value_name = "DIR", requires = "watch")]
    to: Option<PathBuf>,
    /// Show with `--watch` how the run stood so many seconds ago, at most a day
    #[arg(long, value_name = "SECONDS", requires = "watch", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=86_400))]
    delay: u32,
}

/// How the verdict over several games is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Several {
    /// For people.
    Text,
    /// For a comment on a change.
    Markdown,
    /// One object for scripts.
    Json,
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
        if let Some(target) = &self.to {
            return web::keep_pages(&self.directory, target, Duration::from_secs(self.delay.into()));
        }
        let contents = tournament::read(&self.directory)?;
        if let Some(bot) = &self.bot {
            let author::Written { directory, games, faults, pages } =
                author::write(&self.directory, &contents, bot)?;
            let (games, faults) = (output::count(games, "game"), output::count(faults, "fault"));
            let directory = output::path(&directory);
            say(&format!("written to {directory}: {games}, {faults}, {}", output::count(pages, "page")));
            return Ok(Exit::Done);
        }
        if let Some(form) = self.pgn {
            let form = match form {
                Form::Native => PgnForm::Native,
                Form::Safe => PgnForm::Safe,
            };
            return self.print_log(&contents, form);
        }
        let look = terminal::look_at_output();
        if let Some(format) = self.several {
            output::print(
                &(several(&contents, format)? + &self.explained(SeveralGames::explanation, &look)),
            )?;
            return Ok(Exit::Done);
        }
        let report = RunReport::of(&contents);
        let files = tournament::write_files(&self.directory, &report)?;
        output::print(&summary::summary(&report))?;
        output::print(&self.explained(|| report::explanation(&report), &look))?;
        say(&format!("\nwritten to {}: {}", output::path(&self.directory), files.join(", ")));
        Ok(Exit::Done)
    }

    /// Prints the game log.
    fn print_log(&self, contents: &RunSummary, form: PgnForm) -> Result<Exit, Failure> {
        outputs::game_log(&self.directory, contents, form, |text| {
            let text = String::from_utf8_lossy(text);
            Harmless::of(&text, Styles::Escaped).write(Stream::Out).map_err(LogError::Output)
        })
        .map_err(|error| match error {
            LogError::Journal(error) => tournament::failure(&error),
            LogError::Output(error) => output::failure(&error),
        })?;
        Ok(Exit::Done)
    }

    /// Returns paragraphs laid out, if they were asked for.
    fn explained(&self, paragraphs: impl FnOnce() -> Vec<String>, look: &Look) -> String {
        if !self.explain {
            return String::new();
        }
        terminal::paragraphs(&paragraphs(), look)
    }
}

/// Why a log could not be printed.
enum LogError {
    Journal(JournalError),
    Output(io::Error),
}

impl From<JournalError> for LogError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// Returns what a test says of each of its games.
///
/// # Errors
/// When the run is no test over several games, or has too few pairs.
fn several(contents: &RunSummary, format: Several) -> Result<String, Failure> {
    let Some(trial) = Trial::of(contents) else {
        return Err(Failure::usage("the run is no test of strength")
            .hint("`format: sprt` in a tournament file, or `arena sprt`, makes one"));
    };
    let Some(several) = SeveralGames::of(&trial) else {
        let text =
            "fewer than two games have ten pairs whose scores differ: there is no verdict over several games";
        return Err(Failure::new(Exit::NoVerdict, vec![Diagnostic::new(text)]));
    };
    Ok(match format {
        Several::Text => several.to_text(&terminal::look_at_output()),
        Several::Markdown => several.to_markdown(),
        Several::Json => several.to_json(),
    })
}
