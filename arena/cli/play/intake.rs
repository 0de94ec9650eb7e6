//! `arena intake DIR`: the entries of a course or contest, built, tested, tried, with a page for each author.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use diagnostic::{Exit, Failure, output, say};
use intake::IntakeSettings;
use live::Interrupts;
use runner::Control;
use sandbox::Level;

use crate::bots::check;

/// What `arena intake` is told.
#[derive(Debug, Args)]
#[command(
    after_help = "Every directory in DIR is an entry, described by its `bot.yaml`. What was accepted is played by `arena run \
                  OUT/tournament.yaml`. All of it is in arena/docs/course.md. Exit code 0: all entries were accepted; 1: some were not."
)]
pub(crate) struct Arguments {
    /// The directory of the entries
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Where `intake.csv`, `feedback/`, the built entries and their tournament are written
    #[arg(long, value_name = "OUT", default_value = "intake")]
    out: PathBuf,
    /// Test and try every entry in this game; may be repeated [default: what each entry says it plays]
    #[arg(long = "game", value_name = "GAME[:KEY=VALUE,...]")]
    games: Vec<String>,
    /// How long the build of an entry may take
    #[arg(long, value_name = "TIME", default_value = "2m")]
    build_limit: String,
    /// How far entries are confined, their builds too from `contest` on: `none`, `basic`, `contest` or `strict`
    #[arg(long, value_name = "LEVEL")]
    sandbox: Option<Level>,
    /// The time control of the games against `random`
    #[arg(long, value_name = "TC", default_value = "10+0.1")]
    tc: String,
    /// How far a limit of time may be overrun
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    margin: String,
    /// The seed of positions and games
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// How many entries are worked on at once: a number or `auto`
    #[arg(long, value_name = "N", default_value = "auto")]
    concurrency: String,
    /// Ask about a tenth of the positions, and test time in one game only
    #[arg(long)]
    quick: bool,
    /// Build and try every entry again, also those that have not changed
    #[arg(long)]
    force: bool,
}

impl Arguments {
    /// Takes the entries in.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let settings = self.settings()?;
        let control = Control::new();
        let _interrupts = Interrupts::listen(control.clone())
            .map_err(|error| Failure::io("failed to listen to signals", &error))?;
        let summary = intake::take_in(&settings, &control, &say)?;
        if summary.is_interrupted {
            let left = summary.entries - summary.judged;
            let entries = if left == 1 { "entry" } else { "entries" };
            say(&format!("interrupted with {left} {entries} left; to go on: {}", output::command_line()));
            return Ok(Exit::Interrupted);
        }
        say(&format!(
            "{} of {} accepted; written to {}: intake.csv, feedback, tournament.yaml",
            summary.accepted,
            summary.judged,
            output::path(&summary.out)
        ));
        Ok(if summary.accepted == summary.judged { Exit::Done } else { Exit::No })
    }

    /// Returns how entries are taken in.
    fn settings(&self) -> Result<IntakeSettings, Failure> {
        let concurrency = tournament_file::read_concurrency(&self.concurrency).map_err(|error| {
            Failure::usage(format!("`--concurrency` cannot be `{}`: {error}", self.concurrency))
        })?;
        let duration = |flag: &str, text: &str| {
            settings::parse_duration(text)
                .map_err(|error| Failure::usage(format!("`{flag}` cannot be `{text}`: {error}")))
        };
        let build_limit = duration("--build-limit", &self.build_limit)?;
        if build_limit == Duration::ZERO {
            return Err(
                Failure::usage("`--build-limit` leaves no time").hint("for example `--build-limit 2m`")
            );
        }
        self.tc.parse::<settings::TimeControl>().map_err(|error| {
            Failure::usage(format!("`--tc` cannot be `{}`: {error}", self.tc))
                .hint("for example `--tc 10+0.1`")
        })?;
        Ok(IntakeSettings {
            directory: self.directory.clone(),
            out: self.out.clone(),
            games: self.games.iter().map(|text| check::game(text)).collect::<Result<_, _>>()?,
            build_limit,
            sandbox: self.sandbox,
            tc: self.tc.clone(),
            margin_text: self.margin.clone(),
            margin: duration("--margin", &self.margin)?,
            seed: self.seed,
            concurrency,
            is_quick: self.quick,
            is_forced: self.force,
        })
    }
}
