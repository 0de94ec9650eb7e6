//! Two versions that play each other until a test has a verdict.

use std::path::Path;
use std::time::Duration;

use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use record::Journal;
use report::{RunReport, Trial};
use settings::Preset;
use stats::sprt::Hypotheses;
use tournament::{RunOutcome, Store};
use tournament_file::{Typed, TypedTest};

use super::source::SourceArguments;
use crate::play::progress::Show;

/// The directory of the results if nothing else is said.
const OUT: &str = "results/sprt";

/// Who plays what; nothing of it goes with counted results.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "To play")]
pub(super) struct ContestArguments {
    /// The new version: a built-in bot, a command, or a commit such as `git:HEAD`
    #[arg(long, value_name = "BOT", requires = "base", conflicts_with = "counts")]
    new: Option<String>,
    /// What it must beat: a built-in bot, a command, or a commit such as `git:origin/main`
    #[arg(long, value_name = "BOT", requires = "new", conflicts_with = "counts")]
    base: Option<String>,
    /// A game, with options as in `fanorona:size=5x5+quiet-cap=10`; may be repeated
    #[arg(long = "game", value_name = "GAME", requires = "new", conflicts_with = "counts")]
    games: Vec<String>,
    /// The time control, for example `nodes 5000`
    #[arg(long, value_name = "TC", requires = "new", conflicts_with = "counts")]
    tc: Option<String>,
    /// How many pairs of games are played at most; with several games, rounded up to as many of each
    #[arg(long, value_name = "N", requires = "new", conflicts_with = "counts", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_pairs: Option<u32>,
    /// How long is played at most, for example `20m`; the next call with the same directory goes on
    #[arg(long, value_name = "TIME", requires = "new", conflicts_with = "counts", value_parser = tournament_file::read_max_time)]
    max_time: Option<Duration>,
    /// How many random plies begin a game; left out, as many as give every pair an opening of its own
    #[arg(long, value_name = "N", requires = "new", conflicts_with = "counts")]
    plies: Option<String>,
    /// The seed of everything random
    #[arg(long, value_name = "N", requires = "new", conflicts_with = "counts")]
    seed: Option<String>,
    /// How many games are played at once
    #[arg(long, value_name = "N", requires = "new", conflicts_with = "counts")]
    concurrency: Option<String>,
    /// How far the bots are confined: `none`, `basic`, `contest` or `strict`
    #[arg(long, value_name = "LEVEL", requires = "new", conflicts_with = "counts")]
    sandbox: Option<String>,
    /// The directory of the results, from which the test goes on [default: results/sprt]
    #[arg(long, value_name = "DIR", requires = "new", conflicts_with = "counts")]
    out: Option<String>,
    /// Show the test full-screen: boards, clocks, log, and keys to steer it (`?` lists them)
    #[arg(long, requires = "new", conflicts_with = "counts")]
    tui: bool,
    #[command(flatten)]
    source: SourceArguments,
    /// Correct the bounds for the jump with which the test passes them: fewer pairs, the same errors
    #[arg(long, requires = "new", conflicts_with = "counts")]
    overshoot: bool,
}

/// What came of it.
pub(super) enum Outcome {
    /// Games were played, now or before.
    Played(Box<RunOutcome>, Box<Trial>),
    /// Both versions search the same nodes: there is nothing to test.
    Unchanged {
        /// The number by which their search is known.
        signature: u64,
    },
}

impl ContestArguments {
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
        let games: Vec<String> =
            self.games.iter().flat_map(|games| games.split(',')).map(|game| game.trim().to_owned()).collect();
        if games.is_empty() {
            return Err(
                Failure::usage("no game is named").hint("add `--game GAME`; `arena games` lists them")
            );
        }
        let show = Show::asked(self.tui)?;
        let rounds = self.max_pairs.map(|pairs| pairs.div_ceil(games.len() as u32).to_string());
        let out = self.out.clone().unwrap_or_else(|| OUT.to_owned());
        let bots = self.source.bots(new, base)?;
        if let Some(signature) = self.source.same_signature(&bots, Path::new(&out))? {
            return Ok(Outcome::Unchanged { signature });
        }
        let plan = Typed {
            name: "sprt",
            bots,
            games,
            rounds: (tournament_file::MAX_PAIRS, rounds),
            tc: self.tc.clone(),
            plies: self.plies.clone(),
            seed: self.seed.clone(),
            concurrency: self.concurrency.clone(),
            out: Some(out),
            transcripts: false,
            sandbox: self.sandbox.clone(),
            adjudication: tournament_file::AdjudicationFlags::default(),
            test: Some(TypedTest { hypotheses, overshoot: self.overshoot, preset, max_time: self.max_time }),
        }
        .plan()?;
        let (journal, contents) = Journal::open(&plan.out).map_err(|error| tournament::failure(&error))?;
        if contents.torn > 0 {
            say(&format!("dropped an unfinished last line of {} bytes from the journal", contents.torn));
        }
        let mut played = tournament::play(&plan, contents, Store::Directory(Box::new(journal)), &show)?;
        let files = tournament::write_files(&plan.out, &RunReport::of(&played.contents))?;
        say(&format!("written to {}: {}", output::path(&plan.out), files.join(", ")));
        played.tell_rest();
        let trial = played.trial.take();
        let trial = trial.expect("a tournament of format `sprt` has a test");
        played.trial = Some(trial.clone());
        Ok(Outcome::Played(Box::new(played), Box::new(trial)))
    }
}
