//! `arena bot NAME`: a built-in bot, on standard input and output like any other.

use std::io;

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;

/// What `arena bot` is told.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The bot
    #[arg(value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(kit::BUILTINS.iter().map(|bot| bot.name)))]
    name: String,
}

impl Arguments {
    /// Plays until the input ends or `quit` comes.
    #[expect(clippy::disallowed_methods, reason = "a bot speaks to the arena")]
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let bot = kit::builtin(&self.name).expect("the name was checked with the arguments");
        bot.serve(io::BufReader::new(io::stdin()), io::stdout())
            .map_err(|error| Failure::io(format!("bot `{}`", self.name), &error))?;
        Ok(Exit::Done)
    }
}
