//! `arena report DIR`: the tables of a run, made again from its journal.

mod author;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use diagnostic::Exit;
use diagnostic::harmless::{Harmless, Stream, Styles};
use diagnostic::output;
use diagnostic::say;
use diagnostic::{Diagnostic, Failure};
use record::{JournalError, PgnForm, RunSummary};
use report::{RunReport, SequentialTest, SeveralGames};
use rules::Catalogue;

use crate::look::summary;
use crate::output_format::TableFormat;
use crate::own_games_arguments::OwnGamesArguments;
use crate::terminal;

/// The arguments of `arena report`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: `arena report results/cup`, `arena report results/cup --json`, `arena report results/cup --pgn safe > cup.pgn`, `arena report results/cup --pgn native --game 17`."
)]
pub(crate) struct Arguments {
    /// The directory of the run
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    own_games: OwnGamesArguments,
    /// Print the game log instead of writing files: `native`, or `safe` for programs that read chess PGN
    #[arg(long, value_name = "FORM")]
    pgn: Option<Form>,
    /// Print this game only; may be repeated
    #[arg(long = "game", value_name = "N", requires = "pgn")]
    games: Vec<u64>,
    /// Print the standings in this form instead of writing files; of a test of strength, `markdown` is its verdict
    // `--format` is what other subcommands once called it.
    #[arg(long, alias = "format", value_name = "FORMAT", conflicts_with_all = ["pgn", "bot", "authors", "watch"])]
    output_format: Option<TableFormat>,
    /// The same as `--output-format json`
    #[arg(long, conflicts_with_all = ["output_format", "pgn", "bot", "authors", "watch"])]
    json: bool,
    /// Print what a test of strength says of each of its games instead of writing files
    // It once took the form itself.
    #[arg(long, value_name = "FORMAT", conflicts_with = "pgn", num_args = 0..=1, default_missing_value = "text", hide_possible_values = true, value_parser = several_format())]
    several: Option<TableFormat>,
    /// Write what the author of this bot may see instead, into `authors/NAME` of the directory: a page for browsers, its games,
    /// and the pages about its own faults with its own standard error
    #[arg(long, value_name = "NAME", conflicts_with_all = ["pgn", "several", "explain"])]
    bot: Option<String>,
    /// Write the same for the author of every bot, and `authors/index.html`, which lists them
    #[arg(long, conflicts_with_all = ["pgn", "several", "explain", "bot"])]
    authors: bool,
    /// Explain what each column means and which model made it
    #[arg(long, conflicts_with = "pgn")]
    explain: bool,
    /// While the run is played, keep the pages of `arena serve` as files that any web server can show; DIR may hold several
    /// runs. Ends with the run; with several, Ctrl-C ends it
    #[arg(long, requires = "to", conflicts_with_all = ["pgn", "several", "bot", "authors", "explain"])]
    watch: bool,
    /// Where `--watch` writes them: a directory that is new, empty or has such pages
    #[arg(long, value_name = "DIR", requires = "watch")]
    to: Option<PathBuf>,
    /// Show with `--watch` how the run stood this many seconds ago, at most a day
    #[arg(long, value_name = "SECONDS", requires = "watch", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=86_400))]
    delay: u32,
}

/// Reads the form in which the verdict over several games was once asked for.
fn several_format() -> impl TypedValueParser<Value = TableFormat> {
    let format = |word: String| TableFormat::from_str(&word, false);
    PossibleValuesParser::new(["text", "markdown", "json"]).try_map(format)
}

/// The form of a game log.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Plies as they are.
    Native,
    /// Moves of chess with the plies in comments: programs that read chess accept it.
    Safe,
}

impl Arguments {
    /// Writes the files and prints the report.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        if let Some(target) = &self.to {
            let delay = Duration::from_secs(self.delay.into());
            return web::keep_pages(&self.directory, target, delay, &self.own_games.catalogue()?);
        }
        let known = self.own_games.catalogue()?;
        let read = || tournament::read(&self.directory, &known);
        if let Some(bot) = &self.bot {
            let author::Written { directory, games, faults, pages } =
                author::write(&self.directory, &read()?, bot)?;
            let (games, faults) = (output::count(games, "game"), output::count(faults, "fault"));
            let directory = output::path(&directory);
            say(&format!("written to {directory}: {games}, {faults}, {}", output::count(pages, "page")));
            return Ok(Exit::Done);
        }
        if self.authors {
            let all = author::write_all(&self.directory, &read()?)?;
            let faults = all.iter().map(|written| written.faults).sum();
            say(&format!(
                "written to {}: {}, {}; `index.html` there lists them",
                output::path(&self.directory.join("authors")),
                output::count(all.len() as u64, "page"),
                output::count(faults, "fault"),
            ));
            return Ok(Exit::Done);
        }
        if let Some(form) = self.pgn {
            let form = match form {
                Form::Native => PgnForm::Native,
                Form::Safe => PgnForm::Safe,
            };
            let mut contents = read()?;
            self.choose_games(&mut contents)?;
            return self.print_log(&contents, form);
        }
        let format = self.json.then_some(TableFormat::Json).or(self.output_format);
        if let Some(several) = self.several {
            let text = self::several(&read()?, format.unwrap_or(several))?;
            output::print(&(text + &self.explained(SeveralGames::explanation)))?;
            return Ok(Exit::Done);
        }
        let Some(format) = format else { return self.write_files(&known) };
        output::print(&figures(&RunReport::of(&read()?), format)?)?;
        Ok(Exit::Done)
    }

    /// Writes the files of the run and prints its report.
    fn write_files(&self, known: &Catalogue) -> Result<Exit, Failure> {
        let (contents, early) = tournament::read_for_files(&self.directory, known)?;
        let report = RunReport::of(&contents);
        let files = tournament::write_files(&self.directory, &report, early)?;
        output::print(&summary::summary(&report))?;
        output::print(&self.explained(|| report::explanation(&report)))?;
        say(&format!("\nwritten to {}: {}", output::path(&self.directory), files.join(", ")));
        Ok(Exit::Done)
    }

    /// Leaves the games that are asked for, if some are; the run must have them.
    fn choose_games(&self, contents: &mut RunSummary) -> Result<(), Failure> {
        let is_there = |number: &&u64| contents.games.iter().any(|game| game.number == **number);
        if let Some(number) = self.games.iter().find(|number| !is_there(number)) {
            let played = output::count(contents.games.len() as u64, "game");
            return Err(Failure::usage(format!("the run has no game {number}; it has {played}")));
        }
        if !self.games.is_empty() {
            contents.games.retain(|game| self.games.contains(&game.number));
        }
        Ok(())
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
        let left_out = contents.games.iter().filter(|game| game.seats().len() > 2).count() as u64;
        if form == PgnForm::Safe && left_out > 0 {
            let games = output::count(left_out, "game");
            say(&format!("{games} of more than two players left out: chess has no form for them"));
        }
        Ok(Exit::Done)
    }

    /// Returns paragraphs laid out, if they were asked for.
    fn explained(&self, paragraphs: impl FnOnce() -> Vec<String>) -> String {
        if !self.explain {
            return String::new();
        }
        terminal::paragraphs(&paragraphs(), &terminal::look_at_output())
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
fn several(contents: &RunSummary, format: TableFormat) -> Result<String, Failure> {
    let Some(trial) = SequentialTest::of(contents) else {
        return Err(Failure::usage("the run is no test of strength")
            .hint("`format: sprt` in a tournament file, or `arena sprt`, makes one"));
    };
    let Some(several) = SeveralGames::of(&trial) else {
        let text =
            "fewer than two games have ten pairs whose scores differ: there is no verdict over several games";
        return Err(Failure::new(Exit::NoVerdict, vec![Diagnostic::new(text)]));
    };
    match format {
        TableFormat::Text => Ok(several.to_text(&terminal::look_at_output())),
        TableFormat::Markdown => Ok(several.to_markdown()),
        TableFormat::Json => Ok(several.to_json()),
        TableFormat::Csv => {
            Err(Failure::usage("`--several` is not written as CSV").hint("use `text`, `markdown` or `json`"))
        }
    }
}

/// Returns the standings of a run, or the verdict of a test for a comment.
///
/// # Errors
/// When Markdown is asked for and the run is no test.
fn figures(report: &RunReport<'_>, format: TableFormat) -> Result<String, Failure> {
    match format {
        TableFormat::Text => Ok(summary::summary(report)),
        TableFormat::Json => Ok(report::standings_json(report)),
        TableFormat::Csv => Ok(String::from_utf8_lossy(&report::standings_csv(report)).into_owned()),
        TableFormat::Markdown => {
            let contents = report.contents();
            let trial = SequentialTest::of(contents).zip(contents.runs.last());
            let (trial, run) = trial.ok_or_else(|| {
                Failure::usage("only a test of strength is reported as Markdown")
                    .hint("`arena rate DIR --output-format markdown` writes the ratings of any run")
            })?;
            Ok(report::trial_markdown(&trial, &run.config, &measure::describe_machine()))
        }
    }
}
