//! `arena bench bot`: the bot of the measurements.

use std::io;
use std::time::Duration;

use clap::Args;
use diagnostic::{Exit, Failure};
use measure::LineBot;

/// The arguments of `arena bench bot`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The plies of the whole game, with commas between them; where they end, it resigns
    #[arg(long, value_name = "PLIES", value_delimiter = ',', required = true)]
    plies: Vec<String>,
    /// Keep the processor busy for this many microseconds before every answer
    #[arg(long, value_name = "MICROSECONDS", default_value = "0")]
    think: u32,
    /// Ask for the list of legal plies with every question
    #[arg(long)]
    legal: bool,
    /// Say that it plays every game: tables of more than two seats need that
    #[arg(long)]
    any_game: bool,
}

impl Arguments {
    /// Plays until the input ends or `quit` comes.
    #[expect(clippy::disallowed_methods, reason = "a bot speaks to the arena")]
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let think = Duration::from_micros(self.think.into());
        let bot = LineBot { plies: &self.plies, think, wants_legal: self.legal, plays_all: self.any_game };
        let input = io::BufReader::with_capacity(64 * 1024, io::stdin().lock());
        bot.play(input, io::stdout().lock())
            .map_err(|error| Failure::io("the bot of a measurement failed", &error))?;
        Ok(Exit::Done)
    }
}
