//! `arena match BOT BOT --game GAME`: two bots, one game, no file.

use std::iter;
use std::path::Path;

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::say;
use record::RunSummary;
use report::RunReport;
use tournament::Store;
use tournament_file::game_options;
use tournament_file::{AdjudicationFlags, Typed, TypedBot, TypedFlags, flag_help, program_name};

use crate::look::summary;
use crate::play::progress::{Show, Watching};

/// The arguments of `arena match`.
#[derive(Debug, Args)]
#[command(
    after_help = "A BOT is the name of a built-in bot or a command: `arena match alphabeta 'node bot.js' --game farook`. \
    The results are shown and forgotten unless `--out` names a directory."
)]
pub(crate) struct Arguments {
    /// The bots, as many as the game has seats or more: names of built-in ones, or commands
    #[arg(value_names = ["BOT", "BOT"], num_args = 2.., required = true)]
    bots: Vec<String>,
    /// The game, with options after a colon: `fanorona:size=5x5`; `arena games` lists them
    #[arg(long, value_name = "GAME")]
    game: String,
    // The way in which options were once written.
    #[arg(long = "opt", value_name = "KEY=VALUE", hide = true)]
    options: Vec<String>,
    #[arg(long, value_name = "N", help = flag_help("rounds"))]
    rounds: Option<String>,
    #[command(flatten)]
    flags: TypedFlags,
    /// Set an option of the first bot; may be repeated
    #[arg(long = "option1", value_name = "KEY=VALUE")]
    options1: Vec<String>,
    /// Set an option of the second bot; may be repeated
    #[arg(long = "option2", value_name = "KEY=VALUE")]
    options2: Vec<String>,
    #[arg(long, requires = "out", help = flag_help("transcripts"))]
    transcripts: bool,
    /// How the bots that are commands get their lines: `pipe`, or `tcp`, which leaves their standard output free
    #[arg(long, value_name = "CARRIER")]
    io: Option<String>,
    /// Show every line between the arena and the bots, with the milliseconds since the start
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    adjudication: AdjudicationFlags,
}

impl Arguments {
    /// Plays the match.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let show = Show::asked(self.watching.tui)?;
        // Checked here first: older options stand apart from the name.
        let setup = game_options::setup(&self.game, &self.options)?;
        // Rules of one's own are named by their file.
        let is_own = setup.game().own_rules().is_some();
        let game = if is_own { self.game.clone() } else { game_options::typed(&setup) };
        let names = names(&self.bots);
        if self.bots.len() > 2 && setup.seats() == 2 {
            return Err(Failure::usage(format!(
                "{} is for two bots, not {}",
                setup.label(),
                self.bots.len()
            ))
            .hint("`arena run` plays tournaments of more bots"));
        }
        if let (Some(_), None) =
            (self.flags.on_event.as_ref().or(self.flags.webhook.as_ref()), &self.flags.out)
        {
            return Err(Failure::usage(
                "events name the directory of the results, and this match leaves none",
            )
            .hint("add `--out DIR`"));
        }
        let options = [&self.options1, &self.options2].into_iter().map(Some).chain(iter::repeat(None));
        let bots = names.iter().zip(&self.bots).zip(options).map(|((name, bot), options)| TypedBot {
            io: self.io.clone(),
            options: options.cloned().unwrap_or_default(),
            ..TypedBot::new("BOT", name, bot)
        });
        let typed = Typed {
            name: "match",
            bots: bots.collect(),
            games: vec![game],
            rounds: ("--rounds", self.rounds.clone()),
            flags: self.flags.clone(),
            transcripts: self.transcripts,
            adjudication: self.adjudication.clone(),
            test: None,
        };
        let mut plan = typed.plan()?;
        plan.settings.trace = self.trace;
        let (store, contents) = match &self.flags.out {
            Some(directory) => Store::open(Path::new(directory))?,
            None => (Store::Memory, RunSummary::default()),
        };
        let played = tournament::play(&plan, contents, store, &show)?;
        let report = RunReport::of(&played.contents);
        if let Some(directory) = &self.flags.out {
            let files = tournament::write_files(Path::new(directory), &report, None)?;
            say(&format!("written to {directory}: {}", files.join(", ")));
        }
        summary::print_end(&report, &self.watching)?;
        if self.watching.verbose {
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
