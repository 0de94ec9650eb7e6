//! `arena intake DIR`: the entries of a course or contest, built, tested, tried, with a page for each author.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use diagnostic::{Exit, Failure, output, say};
use intake::IntakeSettings;
use live::Interrupts;
use runner::Control;
use sandbox::Level;
use settings::{Conditions, Reading, Settings as _};
use tournament_file::flag_help;

use crate::bots::check;

/// The arguments of `arena intake`.
#[derive(Debug, Args)]
#[command(
    after_help = "Every directory in DIR is an entry, described by its `bot.yaml`. `arena run OUT/tournament.yaml` plays what was \
                  accepted. All of it is in arena/docs/course.md. Exit code 0: all entries were accepted; 1: some were not."
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
    #[arg(long, value_name = "DURATION", default_value = "50ms", help = flag_help("margin"))]
    margin: String,
    #[arg(long, value_name = "N", default_value = "1", help = flag_help("seed"))]
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
        let _interrupts = Interrupts::listen(control.clone())?;
        let summary = intake::take_in(&settings, &control, &say)?;
        if summary.is_interrupted {
            let left = summary.entries - summary.judged;
            let entries = if left == 1 { "entry" } else { "entries" };
            say(&format!("interrupted with {left} {entries} left; to continue: {}", output::command_line()));
            return Ok(Exit::Interrupted);
        }
        say(&format!(
            "{} of {} accepted; written to {}: index.html, intake.csv, feedback, tournament.yaml",
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
        let build_limit = settings::parse_duration(&self.build_limit).map_err(|error| {
            Failure::usage(format!("`--build-limit` cannot be `{}`: {error}", self.build_limit))
        })?;
        if build_limit == Duration::ZERO {
            return Err(
                Failure::usage("`--build-limit` leaves no time").hint("for example `--build-limit 2m`")
            );
        }
        read("--tc", settings::time_control(&self.tc))?;
        let mut conditions = Conditions::default();
        let margin = Conditions::find("margin").expect("a key of every file");
        read("--margin", (margin.read)(&mut conditions, &self.margin))?;
        Ok(IntakeSettings {
            directory: self.directory.clone(),
            out: self.out.clone(),
            games: self.games.iter().map(|text| check::game(text)).collect::<Result<_, _>>()?,
            build_limit,
            sandbox: self.sandbox,
            tc: self.tc.clone(),
            margin_text: self.margin.clone(),
            margin: conditions.margin,
            seed: self.seed,
            concurrency,
            is_quick: self.quick,
            is_forced: self.force,
        })
    }
}

/// Returns what a flag says, or what is wrong with it.
fn read<T>(flag: &str, reading: Reading<T>) -> Result<T, Failure> {
    reading
        .map_err(|complaint| Failure::usage(format!("`{flag}` {}", complaint.predicate)).hint(complaint.hint))
}
