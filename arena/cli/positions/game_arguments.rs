//! A game as named on the command line: its name, options and a position to start from.

use diagnostic::Failure;
use rules::{Referee, Setup};
use tournament_file::game_options::{position_error, setup};

/// A game, its options and the position to start from: what the position tools have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct GameArguments {
    /// The game, with options after a colon: `fanorona:size=5x5`; `arena games` lists them
    game: String,
    // The way in which options were once written.
    #[arg(long = "opt", value_name = "KEY=VALUE", hide = true)]
    options: Vec<String>,
    /// Begin from this position string instead of the start of the game.
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    from: Option<String>,
}

impl GameArguments {
    /// Returns the game with all its options.
    ///
    /// # Errors
    /// Names the game or option that does not exist, with what does.
    pub(crate) fn setup(&self) -> Result<Setup, Failure> {
        setup(&self.game, &self.options)
    }

    /// Starts a game at the position asked for.
    ///
    /// # Errors
    /// As [`GameArguments::setup`], and says what is wrong with the position string.
    pub(crate) fn referee(&self) -> Result<(Setup, Box<dyn Referee>), Failure> {
        let setup = self.setup()?;
        let referee = setup.referee(self.from.as_deref()).map_err(|error| position_error(&setup, &error))?;
        Ok((setup, referee))
    }

    /// Returns the position string to begin from.
    pub(crate) fn from(&self) -> Option<&str> {
        self.from.as_deref()
    }
}
