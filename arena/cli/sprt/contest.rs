//! Two versions that play each other until a test has a verdict.

use std::path::Path;

use record::Journal;
use report::Trial;
use serde_json::json;

use crate::config::{self, Overrides};
use crate::diagnostic::Failure;
use crate::duel;
use crate::hypotheses::HypothesesArguments;
use crate::progress::say;
use crate::tournament::{self, Played, Store};

/// The directory of the results if nothing else is said.
const OUT: &str = "results/sprt";

/// Who plays what.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "To play")]
pub(super) struct ContestArguments {
    /// The new version: a built-in bot or a command
    #[arg(long, value_name = "BOT", requires = "base")]
    new: Option<String>,
    /// What it must beat: a built-in bot or a command
    #[arg(long, value_name = "BOT", requires = "new")]
    base: Option<String>,
    /// A game, with options as in `fanorona:size=5x5+quiet-cap=10`; may be repeated
    #[arg(long = "game", value_name = "GAME", requires = "new")]
    games: Vec<String>,
    /// The time control
    #[arg(long, value_name = "TC", requires = "new")]
    tc: Option<String>,
    /// How many pairs of games are played at most
    #[arg(long, value_name = "N", requires = "new")]
    max_pairs: Option<u32>,
    /// How many random plies begin a game; left out, as many as give every pair an opening of its own
    #[arg(long, value_name = "N", requires = "new")]
    plies: Option<String>,
    /// The seed of everything random
    #[arg(long, value_name = "N", requires = "new")]
    seed: Option<String>,
    /// How many games are played at once
    #[arg(long, value_name = "N", requires = "new")]
    concurrency: Option<String>,
    /// The directory of the results, from which the test goes on
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: String,
    /// Correct the bounds for the jump with which the test passes them: fewer pairs, the same errors
    #[arg(long, requires = "new")]
    overshoot: bool,
}

impl ContestArguments {
    /// Plays from where the directory of the results stands until there is a verdict.
    ///
    /// # Errors
    /// When nothing says who plays what, or playing fails.
    pub(super) fn play(&self, test: &HypothesesArguments) -> Result<(Played, Trial), Failure> {
        let (Some(new), Some(base)) = (&self.new, &self.base) else {
            return Err(Failure::usage("there is nothing to judge")
                .hint("to play: `--new BOT --base BOT --game GAME`")
                .hint(
                    "to judge results: for example `--counts 10,20,35,25,12`, pairs from worst to best score",
                ));
        };
        if self.games.is_empty() {
            return Err(
                Failure::usage("no game is named").hint("add `--game GAME`; `arena games` lists them")
            );
        }
        let mut text = json!({
            "name": "sprt",
            "format": "sprt",
            "sprt": test.to_file(self.overshoot),
            "bots": [duel::entry(new, "new"), duel::entry(base, "base")],
        });
        if let Some(plies) = &self.plies {
            text["openings"] = json!({ "plies": plies });
        }
        let games = u32::try_from(self.games.len()).unwrap_or(u32::MAX);
        let overrides = Overrides {
            games: Some(self.games.join(",")),
            rounds: self.max_pairs.map(|pairs| pairs.div_ceil(games).to_string()),
            tc: self.tc.clone(),
            seed: self.seed.clone(),
            concurrency: self.concurrency.clone(),
            out: Some(self.out.clone()),
            ..Overrides::default()
        };
        // JSON is YAML: the test is a tournament of two.
        let plan = config::parse(&text.to_string(), "the test", Path::new("."), &overrides)?;
        let (journal, contents) = Journal::open(&plan.out).map_err(|error| tournament::failure(&error))?;
        if contents.torn > 0 {
            say(&format!("dropped an unfinished last line of {} bytes from the journal", contents.torn));
        }
        let mut played = tournament::play(&plan, contents, Store::Directory(Box::new(journal)))?;
        let files = tournament::write_files(&plan.out, &played.contents)?;
        say(&format!("written to {}: {}", plan.out.display(), files.join(", ")));
        let trial = played.trial.take();
        let trial = trial.expect("a tournament of format `sprt` has a test");
        played.trial = Some(trial.clone());
        Ok((played, trial))
    }
}
