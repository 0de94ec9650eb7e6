//! `arena bot NAME`: a built-in bot, on standard input and output like any other.

use std::env;
use std::io;

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use kit::OwnGames;

use crate::own_games_arguments::OwnGamesArguments;

/// The arguments of `arena bot`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The bot
    #[arg(value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(kit::BUILTINS.iter().map(|bot| bot.name)))]
    name: String,
    /// Play games of one's own by lot, from the lists of legal plies, without their rules. In a tournament `random` does
    #[arg(long, conflicts_with = "rules")]
    any_game: bool,
    #[command(flatten)]
    own_games: OwnGamesArguments,
}

/// Returns the arguments of a command line that says `arena bot NAME` and no more, as every built-in bot of a tournament is
/// started: nothing else of the command line is made for it. `None` where the parser has something to say.
pub(crate) fn plain() -> Option<Arguments> {
    let words: Vec<_> = env::args_os().skip(1).collect();
    let [command, name] = words.as_slice() else { return None };
    let bot = kit::builtin(name.to_str()?).filter(|_| command == "bot")?;
    Some(Arguments { name: bot.name.to_owned(), any_game: false, own_games: OwnGamesArguments::default() })
}

impl Arguments {
    /// Plays until the input ends or `quit` comes.
    #[expect(clippy::disallowed_methods, reason = "a bot speaks to the arena")]
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let bot = kit::builtin(&self.name).expect("the name was checked with the arguments");
        let (input, output) = (io::BufReader::new(io::stdin()), io::stdout());
        let own_games = match self.any_game {
            true => OwnGames::ByLot,
            false => OwnGames::Known(self.own_games.catalogue()?),
        };
        bot.serve(own_games, input, output)
            .map_err(|error| Failure::io(format!("bot `{}`", self.name), &error))?;
        Ok(Exit::Done)
    }
}
