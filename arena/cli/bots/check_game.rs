//! `arena check-game`: do the rules of a game of one's own hold, and what to fix if they do not.

mod forms;
mod json;
mod text;
mod words;

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use conformance::{CheckError, GameCheckSettings, check_game};
use diagnostic::{Exit, Failure, output};
use live::Interrupts;
use own_games::{CarrierFault, CarrierFaultKind, RulesCarrier};
use runner::Control;
use tournament_file::open_rules;

use crate::output_format::{Output, VerdictFormat};
use crate::terminal::{self, CountProgress};

/// How many random games are played, and how long that may take.
const GAMES: u64 = 10_000;
const TIME: Duration = Duration::from_secs(60);

/// The same with `--quick`.
const QUICK_GAMES: u64 = 200;
const QUICK_TIME: Duration = Duration::from_secs(5);

/// How long lines are counted.
const COUNTING: Duration = Duration::from_secs(3);
const QUICK_COUNTING: Duration = Duration::from_millis(500);

/// The arguments of `arena check-game`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: `arena check-game dao.wasm`, `arena check-game -- python3 dao.py`. The tests, what they ask for and \
                  why, and the shape of `--json` are in arena/docs/check-game.md. Exit code 0: the rules conform, perhaps with \
                  warnings; 1: they do not."
)]
pub(crate) struct Arguments {
    /// Play this many random games [default: 10000, or 200 with `--quick`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Play random games no longer than this [default: 60s, or 5s with `--quick`]
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Play few random games, and count lines less far
    #[arg(long)]
    quick: bool,
    /// The seed of the random games
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Ask this question and print the answer, instead of the tests; may be repeated
    #[arg(long = "ask", value_name = "QUESTION", conflicts_with_all = ["games", "time", "quick", "seed", "output_format", "json"])]
    questions: Vec<String>,
    #[command(flatten)]
    output: Output<VerdictFormat>,
    /// The rules: a WebAssembly module, or a command with its arguments
    #[arg(value_name = "FILE|CMD", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rules: Vec<String>,
}

impl Arguments {
    /// Runs the tests, or asks what is to be asked.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let interrupts = Interrupts::listen(Control::new())?;
        // What is wrong with the file or the command is told as everywhere else.
        let carrier = open_rules(&self.rules)?;
        if !self.questions.is_empty() {
            return ask(&*carrier, &self.questions);
        }
        drop(carrier);
        let settings = self.settings()?;
        let mut progress = CountProgress::new(settings.games, "random games");
        let report = check_game(&|| open(&self.rules), &settings, &mut |played, wanted| {
            progress.show(played, wanted, "");
            if interrupts.count() > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.end();
        let report = match report {
            Ok(report) => report,
            Err(CheckError::Interrupted) => return Ok(Exit::Interrupted),
            Err(CheckError::Carrier(fault)) => return Err(failed(&fault)),
            Err(error) => return Err(Failure::usage(error.to_string())),
        };
        let command = self.command();
        output::print(&match self.output.format() {
            VerdictFormat::Text => text::report(&report, &command, terminal::look_at_output().width),
            VerdictFormat::Json => json::document(&report, &command, self.seed),
            VerdictFormat::Markdown => forms::markdown(&report, &command),
            VerdictFormat::Junit => forms::junit(&report),
        })?;
        Ok(if report.conforms() { Exit::Done } else { Exit::No })
    }

    /// Returns the rules as they are typed behind a command.
    fn command(&self) -> String {
        match self.rules.as_slice() {
            [file] => output::quoted(file),
            words => words.iter().fold("--".to_owned(), |line, word| line + " " + &output::quoted(word)),
        }
    }

    fn settings(&self) -> Result<GameCheckSettings, Failure> {
        let (games, time, counting) = match self.quick {
            false => (GAMES, TIME, COUNTING),
            true => (QUICK_GAMES, QUICK_TIME, QUICK_COUNTING),
        };
        let time = match &self.time {
            None => time,
            Some(text) => settings::parse_duration(text).map_err(|error| {
                Failure::usage(format!("`--time` cannot be `{text}`: {error}"))
                    .hint("for example `--time 5m`")
            })?,
        };
        Ok(GameCheckSettings { games: self.games.unwrap_or(games), time, counting, seed: self.seed })
    }
}

/// Asks questions and prints the answers.
fn ask(carrier: &dyn RulesCarrier, questions: &[String]) -> Result<Exit, Failure> {
    for question in questions {
        if question.contains(['\n', '\r']) {
            return Err(Failure::usage("a question is one line"));
        }
        match carrier.ask(question) {
            Ok(answer) => output::print(&(answer + "\n"))?,
            Err(fault) if fault.kind() == CarrierFaultKind::Interrupted => return Ok(Exit::Interrupted),
            Err(fault) => return Err(failed(&fault)),
        }
    }
    Ok(Exit::Done)
}

/// Opens the rules: each time another instance of the module, another process of the program.
fn open(rules: &[String]) -> Result<Arc<dyn RulesCarrier>, CarrierFault> {
    open_rules(rules).map_err(|error| {
        CarrierFault::new(
            CarrierFaultKind::Start,
            format!("cannot be opened: {}", Failure::from(error).first()),
        )
    })
}

fn failed(fault: &CarrierFault) -> Failure {
    Failure::io("failed to ask the rules", &io::Error::other(format!("they {fault}")))
}
