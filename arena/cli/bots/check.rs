//! `arena check`: does a bot keep to the protocol, and what is to be mended if it does not.

mod json;
mod script;
mod text;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use conformance::{CheckError, Settings, TESTS};
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use intake::BotConnector;
use live::Interrupts;
use protocol::GameSpec;
use rules::Setup;
use runner::Control;
use tournament_file::game_options;
use tournament_file::launcher;
use tournament_file::{LoneBot, Program};

use crate::terminal;

/// What `arena check` is told.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: `arena check -- python3 mine.py`. The tests, what they ask for and why, and the shape of \
                  `--json` are in arena/docs/check.md. Exit code 0: the bot conforms, perhaps with warnings; 1: it does not."
)]
pub(crate) struct Arguments {
    /// Test this game; may be repeated [default: what the bot says it plays]
    #[arg(long = "game", value_name = "GAME[:KEY=VALUE,...]")]
    games: Vec<String>,
    /// The seed of the positions that are asked about
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Run these tests only, such as `T18,T20`
    #[arg(long, value_name = "TESTS", value_delimiter = ',')]
    only: Vec<String>,
    /// Ask about a tenth of the positions, and test time in one game only
    #[arg(long)]
    quick: bool,
    /// Hold this dialogue with the bot in place of the tests, or all dialogues of this folder; may be repeated
    #[arg(long = "script", value_name = "FILE", conflicts_with_all = ["games", "seed", "only", "quick"])]
    scripts: Vec<PathBuf>,
    /// How far a limit of time may be overrun
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    margin: String,
    /// How far the bot is confined: `none`, `basic`, `contest` or `strict`
    #[arg(long, value_name = "LEVEL")]
    sandbox: Option<String>,
    /// Write one document of JSON at the end instead of lines
    #[arg(long)]
    json: bool,
    /// The bot: a command with its arguments, or `builtin:NAME`
    #[arg(value_name = "CMD", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

impl Arguments {
    /// Runs the tests.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let launch = self.launch()?;
        let settings = Settings {
            command: launch.command(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games: self.games.iter().map(|text| game(text)).collect::<Result<_, _>>()?,
            only: self.only.iter().map(|text| number(text)).collect::<Result<_, _>>()?,
            seed: self.seed,
            is_quick: self.quick,
            margin: self.margin()?,
        };
        let scripts = script::read(&self.scripts)?;
        let control = Control::new();
        let interrupts = Interrupts::listen(control.clone())
            .map_err(|error| Failure::io("failed to listen to signals", &error))?;
        let starter = BotConnector::new(launcher()?, launch, control)
            .map_err(|error| Failure::io("failed to wait for processes", &error))?;
        let width = terminal::look_at_output().width;
        let stopped = |error| Self::stopped(error, &settings, interrupts.count() > 0);
        if !scripts.is_empty() {
            let held = script::hold(&starter, &settings, &scripts, |number, held| {
                if self.json { Ok(()) } else { output::print(&script::line(number, held, width)) }
            })?;
            let held = match held {
                Ok(held) => held,
                Err(error) => return stopped(error),
            };
            let end = if self.json { script::document(&held, &settings) } else { script::summary(&held) };
            output::print(&end)?;
            return Ok(if script::is_held(&held) { Exit::Done } else { Exit::No });
        }
        let mut written = Ok(());
        let report = conformance::check(&starter, &settings, &mut |test| {
            if !self.json {
                written = output::print(&text::test(test, width));
            }
            if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        written?;
        let report = match report {
            Ok(report) => report,
            Err(error) => return stopped(error),
        };
        let end = if self.json { json::document(&report, &settings) } else { text::summary(&report) };
        output::print(&end)?;
        Ok(if report.conforms() { Exit::Done } else { Exit::No })
    }

    /// Says why nothing came of it.
    fn stopped(error: CheckError, settings: &Settings, is_interrupted: bool) -> Result<Exit, Failure> {
        match error {
            CheckError::Launch(error) => {
                Err(Failure::io(format!("failed to start `{}`", settings.command), &error))
            }
            _ if is_interrupted => Ok(Exit::Interrupted),
            error => Err(Failure::usage(error.to_string())),
        }
    }

    /// Returns how the bot is started: as that of a tournament file.
    fn launch(&self) -> Result<runner::Launch, Failure> {
        let program = match self.command.as_slice() {
            // As everywhere else, a command in one word is split as a shell would.
            [word] => word.strip_prefix("builtin:").map_or(Program::Line(word), Program::Builtin),
            words => Program::Words(words),
        };
        let lone = LoneBot { sandbox: self.sandbox.as_deref(), ..LoneBot::new("CMD", "bot", program) };
        Ok(lone.check(Path::new("."))?.launch)
    }

    fn margin(&self) -> Result<Duration, Failure> {
        settings::parse_duration(&self.margin).map_err(|error| {
            Failure::usage(format!("`--margin` cannot be `{}`: {error}", self.margin))
                .hint("for example `--margin 100ms`")
        })
    }
}

/// Reads a game with options: `fanorona:size=5x5`.
pub(crate) fn game(text: &str) -> Result<Setup, Failure> {
    let spec: GameSpec = text.parse().map_err(|()| {
        Failure::usage(format!("`--game` cannot be `{text}`")).hint("for example `--game fanorona:size=5x5`")
    })?;
    let Some(game) = &spec.game else {
        return Err(
            Failure::usage("`--game` names one game").hint("may be repeated; without it, all are tested")
        );
    };
    let pairs: Vec<_> = spec.constraints.iter().map(ToString::to_string).collect();
    game_options::setup(game, &pairs)
}

/// Reads the number of a test: `T18` or `18`.
fn number(text: &str) -> Result<u8, Failure> {
    let digits = text.trim().trim_start_matches(['T', 't']);
    let number = digits.parse().ok().filter(|number| TESTS.iter().any(|test| test.number == *number));
    number.ok_or_else(|| {
        Failure::usage(format!("there is no test `{text}`"))
            .hint(format!("the tests are T01 to T{:02}; arena/docs/check.md lists them", TESTS.len()))
    })
}
