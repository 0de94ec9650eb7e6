//! `arena check`: does a bot keep to the protocol, and what to fix if it does not.

pub(super) mod json;
mod script;
pub(super) mod text;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use conformance::{CheckError, SuiteSettings, TESTS};
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use intake::BotConnector;
use live::Interrupts;
use rules::{Catalogue, Setup};
use runner::Control;
use tournament_file::game_options;
use tournament_file::launcher;
use tournament_file::{LoneBot, Program};

use crate::terminal;

/// The arguments of `arena check`.
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
    /// Hold this dialogue with the bot instead of the tests, or all dialogues of this folder; may be repeated
    #[arg(long = "script", value_name = "FILE", conflicts_with_all = ["games", "seed", "only", "quick"])]
    scripts: Vec<PathBuf>,
    /// How far a limit of time may be overrun
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    margin: String,
    /// How far the bot is confined: `none`, `basic`, `contest` or `strict`
    #[arg(long, value_name = "LEVEL")]
    sandbox: Option<String>,
    #[command(flatten)]
    address: Address,
    /// Write one document of JSON at the end instead of lines
    #[arg(long)]
    json: bool,
    /// The bot: a command with its arguments, or `builtin:NAME`
    #[arg(value_name = "CMD", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// How the bot is started and addressed: the keys of its entry in a tournament file.
#[derive(Debug, Args)]
struct Address {
    /// The line that greets the bot, for other families of protocols: `uci` for example
    #[arg(long, value_name = "WORD")]
    hello: Option<String>,
    /// What the bot's clocks are called: `seats` (`p1time`) or `wb` (`wtime`)
    #[arg(long, value_name = "WORDS")]
    clock: Option<String>,
    /// What announces a position to the bot: `fen`, `sfen` or `tps`
    #[arg(long, value_name = "WORD")]
    position_keyword: Option<String>,
    /// Do not send `game` to a bot that declares no `protocol`
    #[arg(long)]
    quiet: bool,
    /// How lines reach the bot, as the key `io` has it
    #[arg(long, value_name = "IO")]
    io: Option<String>,
}

impl Address {
    /// Returns the keys that are given, by name.
    fn keys(&self) -> BTreeMap<&'static str, String> {
        let quiet = self.quiet.then(|| "true".to_owned());
        let given = [
            ("hello", &self.hello),
            ("clock", &self.clock),
            ("position-keyword", &self.position_keyword),
            ("quiet", &quiet),
            ("io", &self.io),
        ];
        given.into_iter().filter_map(|(key, text)| Some((key, text.clone()?))).collect()
    }
}

impl Arguments {
    /// Runs the tests.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let games = self.games.iter().map(|text| game(text)).collect::<Result<Vec<_>, _>>()?;
        let bot = self.bot(Catalogue::of(&games))?;
        let launch = bot.launch;
        let settings = SuiteSettings {
            command: launch.command(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games,
            only: self.only.iter().map(|text| number(text)).collect::<Result<_, _>>()?,
            seed: self.seed,
            is_quick: self.quick,
            margin: self.margin()?,
            profile: bot.dialect,
        };
        let scripts = script::read(&self.scripts)?;
        let control = Control::new();
        let interrupts = Interrupts::listen(control.clone())?;
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
        let (mut written, mut shown) = (Ok(()), Vec::new());
        let report = conformance::check(&starter, &settings, &mut |test| {
            if !self.json {
                written = output::print(&text::test(test, &mut shown, width));
            }
            if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        written?;
        let report = match report {
            Ok(report) => report,
            Err(error) => return stopped(error),
        };
        let end = if self.json { json::document(&report, &settings) } else { text::summary(&report, width) };
        output::print(&end)?;
        Ok(if report.conforms() { Exit::Done } else { Exit::No })
    }

    /// Says why nothing came of it.
    fn stopped(error: CheckError, settings: &SuiteSettings, is_interrupted: bool) -> Result<Exit, Failure> {
        match error {
            CheckError::Launch(error) => {
                Err(Failure::io(format!("failed to start `{}`", settings.command), &error))
            }
            _ if is_interrupted => Ok(Exit::Interrupted),
            CheckError::Rules(fault) => Err(Failure::new(Exit::Io, vec![game_options::rules_fault(&fault)])),
            error => Err(Failure::usage(error.to_string())),
        }
    }

    /// Returns the bot: it is started and addressed as that of a tournament file.
    fn bot(&self, own_games: Catalogue) -> Result<runner::PlannedBot, Failure> {
        let program = match self.command.as_slice() {
            // As everywhere else, a command in one word is split as a shell would.
            [word] => word.strip_prefix("builtin:").map_or(Program::Line(word), Program::Builtin),
            words => Program::Words(words),
        };
        let (sandbox, keys) = (self.sandbox.as_deref(), self.address.keys());
        let lone = LoneBot { sandbox, keys, own_games, ..LoneBot::new("CMD", "bot", program) };
        lone.check(Path::new("."))
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
    if text.trim() == "*" {
        return Err(
            Failure::usage("`--game` names one game").hint("may be repeated; without it, all are tested")
        );
    }
    game_options::setup(text, &[])
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
