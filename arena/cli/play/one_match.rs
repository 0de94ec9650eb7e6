//! `arena match BOT BOT --game GAME`: two bots, one game, no file.

use std::path::Path;

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use record::{Journal, RunSummary};
use report::RunReport;
use tournament::Store;
use tournament_file::game_options;
use tournament_file::{AdjudicationFlags, Typed, TypedBot, program_name};

use crate::look::summary;
use crate::play::progress::Show;

/// What `arena match` is told.
#[derive(Debug, Args)]
#[command(
    after_help = "A BOT is the name of a built-in bot or a command: `arena match alphabeta 'node bot.js' --game farook`."
)]
pub(crate) struct Arguments {
    /// The bots: names of built-in ones, or commands
    #[arg(value_name = "BOT", num_args = 2, required = true)]
    bots: Vec<String>,
    /// The game; `arena games` lists them
    #[arg(long, value_name = "GAME")]
    game: String,
    /// Set an option of the game; may be repeated
    #[arg(long = "opt", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// How many pairs of games to play, seats swapped within each
    #[arg(long, value_name = "N")]
    rounds: Option<String>,
    /// The time control
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// The seed of everything random
    #[arg(long, value_name = "N")]
    seed: Option<String>,
    /// How many random plies begin a game; left out, two turns, or more where there are too few openings
    #[arg(long, value_name = "N")]
    plies: Option<String>,
    /// How many games are played at once
    #[arg(long, value_name = "N")]
    concurrency: Option<String>,
    /// Keep the journal, the game log and the tables in this directory
    #[arg(long, value_name = "DIR")]
    out: Option<String>,
    /// Keep every line between the arena and the bots in the directory of `--out`, a file a game
    #[arg(long, requires = "out")]
    transcripts: bool,
    /// How the bots that are commands get their lines: `pipe`, or `tcp`, which leaves their standard output free
    #[arg(long, value_name = "CARRIER")]
    io: Option<String>,
    /// How far the bots are confined: `none`, `basic`, `contest` or `strict`
    #[arg(long, value_name = "LEVEL")]
    sandbox: Option<String>,
    #[command(flatten)]
    adjudication: AdjudicationFlags,
    /// Show the run full-screen: boards, clocks, standings, log, and keys to steer it (`?` lists them)
    #[arg(long)]
    tui: bool,
    /// Say in words what the columns mean and which model made them
    #[arg(long)]
    explain: bool,
    /// Say at the end what playing has cost the arena itself: processor time, system calls, bytes, wake-ups
    #[arg(long)]
    verbose: bool,
    /// Show every line between the arena and the bots, with the milliseconds since the start
    #[arg(long)]
    trace: bool,
}

impl Arguments {
    /// Plays the match.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let show = Show::asked(self.tui)?;
        // Checked here first, where the fault can be told in the words of the command line.
        let setup = game_options::setup(&self.game, &self.options)?;
        let options: Vec<_> = setup.options().iter().map(|(key, value)| format!("{key}={value}")).collect();
        let game = match options.is_empty() {
            true => setup.game().id.to_owned(),
            false => format!("{}:{}", setup.game().id, options.join("+")),
        };
        let names = names(&self.bots);
        let [first, second] = [0, 1].map(|index| TypedBot {
            io: self.io.clone(),
            ..TypedBot::new("BOT", &names[index], &self.bots[index])
        });
        let typed = Typed {
            name: "match",
            bots: [first, second],
            games: vec![game],
            rounds: ("--rounds", self.rounds.clone()),
            tc: self.tc.clone(),
            plies: self.plies.clone(),
            seed: self.seed.clone(),
            concurrency: self.concurrency.clone(),
            out: self.out.clone(),
            transcripts: self.transcripts,
            sandbox: self.sandbox.clone(),
            adjudication: self.adjudication.clone(),
            test: None,
        };
        let mut plan = typed.plan()?;
        plan.settings.trace = self.trace;
        let (store, contents) = match &self.out {
            Some(directory) => {
                let (journal, contents) =
                    Journal::open(Path::new(directory)).map_err(|error| tournament::failure(&error))?;
                (Store::Directory(Box::new(journal)), contents)
            }
            None => (Store::Memory, RunSummary::default()),
        };
        let played = tournament::play(&plan, contents, store, &show)?;
        let report = RunReport::of(&played.contents);
        if let Some(directory) = &self.out {
            let files = tournament::write_files(Path::new(directory), &report)?;
            say(&format!("written to {directory}: {}", files.join(", ")));
        }
        output::print_if_read(&summary::summary(&report))?;
        if self.explain {
            summary::explain(&report)?;
        }
        if self.verbose {
            played.tell_effort();
        }
        Ok(played.exit())
    }
}

/// Names the bots after their programs, and tells namesakes apart.
fn names(bots: &[String]) -> Vec<String> {
    let names: Vec<_> = bots.iter().map(|bot| program_name(bot)).collect();
    let is_unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let number = |(index, name): (usize, &String)| {
        if is_unique(name) { name.clone() } else { format!("{name}-{}", index + 1) }
    };
    names.iter().enumerate().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_are_named_after_their_programs() {
        let named = |bots: [&str; 2]| names(&bots.map(str::to_owned));
        assert_eq!(named(["random", "node bots/my_bot.js --fast"]), ["random", "my_bot"]);
        assert_eq!(named(["greedy", "greedy"]), ["greedy-1", "greedy-2"]);
        assert_eq!(named(["./engine", "java -jar x.jar"]), ["engine", "x"]);
    }
}
