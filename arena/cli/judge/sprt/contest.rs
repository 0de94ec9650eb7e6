//! Two versions that play each other until a test has a verdict.

use std::path::Path;
use std::time::Duration;

use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use fleet::WorkersFlags;
use report::{RunReport, SequentialTest};
use settings::Preset;
use stats::sprt::Hypotheses;
use tournament::{RunOutcome, Store};
use tournament_file::game_options::GameWords;
use tournament_file::{Typed, TypedBot, TypedFlags, TypedTest};

use super::source::SourceArguments;
use crate::play::progress::Show;

/// The directory of the results if nothing else is said.
const OUT: &str = "results/sprt";

/// Who plays what. None of it can be combined with counted results.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "To play")]
pub(super) struct ContestArguments {
    /// The new version: a built-in bot, a command, or a commit such as `git:HEAD`
    #[arg(long, value_name = "BOT", requires = "base", conflicts_with = "counts")]
    new: Option<String>,
    /// What it must beat: a built-in bot, a command, or a commit such as `git:origin/main`
    #[arg(long, value_name = "BOT", requires = "new", conflicts_with = "counts")]
    base: Option<String>,
    /// A game, with options after a colon: `fanorona:size=5x5,quiet-cap=10`; may be repeated
    #[arg(long = "game", value_name = "GAME", requires = "new", conflicts_with = "counts")]
    games: Vec<String>,
    /// How many pairs of games the test plays at most; with several games, rounded up to the same number of each
    #[arg(long, value_name = "N", requires = "new", conflicts_with = "counts", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_pairs: Option<u32>,
    /// How long the test plays at most, for example `20m`; the same command continues it
    #[arg(long, value_name = "TIME", requires = "new", conflicts_with = "counts", value_parser = tournament_file::read_max_time)]
    max_time: Option<Duration>,
    /// Set an option of the new version; may be repeated
    #[arg(long = "new-option", value_name = "KEY=VALUE", requires = "new", conflicts_with = "counts")]
    new_options: Vec<String>,
    /// Set an option of the base; may be repeated
    #[arg(long = "base-option", value_name = "KEY=VALUE", requires = "new", conflicts_with = "counts")]
    base_options: Vec<String>,
    #[command(flatten)]
    flags: TypedFlags,
    /// Show the test full-screen: boards, clocks, log, and keys to steer it (`?` lists them)
    #[arg(long, requires = "new", conflicts_with = "counts")]
    tui: bool,
    /// Correct the bounds for the jump with which the test passes them: fewer pairs, the same errors
    #[arg(long, requires = "new", conflicts_with = "counts")]
    overshoot: bool,
    #[command(flatten)]
    workers: WorkersFlags,
    #[command(flatten)]
    source: SourceArguments,
}

/// What came of it.
pub(super) enum Outcome {
    /// Games were played, now or before.
    Played(Box<RunOutcome>, Box<SequentialTest>),
    /// Both versions search the same nodes: there is nothing to test.
    Unchanged {
        /// The number by which their search is known.
        signature: u64,
    },
}

impl ContestArguments {
    /// Checks that nothing is said of playing where results are only counted.
    ///
    /// # Errors
    /// Names the flag that says it.
    pub(super) fn check_unused(&self) -> Result<(), Failure> {
        match self.flags.first_given() {
            Some(flag) => Err(Failure::usage(format!("`{flag}` cannot be used with `--counts`"))
                .hint("`--counts` judges results that were played elsewhere and plays nothing")),
            None => Ok(()),
        }
    }

    /// Plays from where the directory of the results stands until there is a verdict.
    ///
    /// # Errors
    /// When nothing says who plays what, or playing fails.
    pub(super) fn play(&self, hypotheses: Hypotheses, preset: Option<Preset>) -> Result<Outcome, Failure> {
        let (Some(new), Some(base)) = (&self.new, &self.base) else {
            return Err(Failure::usage("there is nothing to judge")
                .hint("to play: `--new BOT --base BOT --game GAME`")
                .hint(
                    "to judge results: for example `--counts 10,20,35,25,12`, pairs from worst to best score",
                ));
        };
        let games: Vec<String> = self.games.iter().flat_map(|games| GameWords::list(games)).collect();
        if games.is_empty() {
            return Err(
                Failure::usage("no game is named").hint("add `--game GAME`; `arena games` lists them")
            );
        }
        let show = Show::asked(self.tui)?;
        let rounds = self.max_pairs.map(|pairs| pairs.div_ceil(games.len() as u32).to_string());
        let out = self.flags.out.clone().unwrap_or_else(|| OUT.to_owned());
        let [new, base] = self.source.bots(new, base)?;
        let bots = [
            TypedBot { options: self.new_options.clone(), ..new },
            TypedBot { options: self.base_options.clone(), ..base },
        ];
        if let Some(signature) = self.source.same_signature(&bots, Path::new(&out))? {
            return Ok(Outcome::Unchanged { signature });
        }
        let plan = Typed {
            name: "sprt",
            bots: bots.into(),
            games,
            rounds: (tournament_file::MAX_PAIRS, rounds),
            flags: TypedFlags { out: Some(out), ..self.flags.clone() },
            transcripts: false,
            adjudication: tournament_file::AdjudicationFlags::default(),
            test: Some(TypedTest { hypotheses, overshoot: self.overshoot, preset, max_time: self.max_time }),
        }
        .plan()?;
        let (store, contents) = Store::open(&plan.out)?;
        let mut played = self.workers.play(&plan, contents, store, &show)?;
        let files = tournament::write_files(&plan.out, &RunReport::of(&played.contents), None)?;
        say(&format!("written to {}: {}", output::path(&plan.out), files.join(", ")));
        played.tell_rest();
        let trial = played.trial.take();
        let trial = trial.expect("a tournament of format `sprt` has a test");
        played.trial = Some(trial.clone());
        Ok(Outcome::Played(Box::new(played), Box::new(trial)))
    }
}
