//! A game as named on the command line: its name, options and a position to start from.

use diagnostic::{Diagnostic, Failure};
use rules::{NotationError, OptionError, Referee, Setup, UnknownGame};

/// A game, its options and the position to start from: what the position tools have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct GameArguments {
    /// The game; `arena games` lists them.
    game: String,
    /// Set an option of the game; may be repeated.
    #[arg(long = "opt", value_name = "KEY=VALUE")]
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
        let referee = setup.referee(self.from.as_deref()).map_err(|error| position_fault(&setup, &error))?;
        Ok((setup, referee))
    }

    /// Returns the position string to begin from.
    pub(crate) fn from(&self) -> Option<&str> {
        self.from.as_deref()
    }
}

/// Returns a game with options as they were written, `key=value` each.
///
/// # Errors
/// Names the game or option that does not exist, with what does.
pub(crate) fn setup(game: &str, options: &[String]) -> Result<Setup, Failure> {
    let game = rules::find(game).map_err(|error| unknown_game(&error))?;
    let mut pairs = Vec::new();
    for option in options {
        let pair = option.split_once('=').ok_or_else(|| {
            Failure::usage(format!("option `{option}` has no value")).hint("options are `--opt key=value`")
        })?;
        pairs.push(pair);
    }
    Ok(game.setup(&pairs).map_err(|error| option_fault(game.id, &error))?)
}

/// Says that there is no such game.
pub(crate) fn unknown_game(error: &UnknownGame) -> Diagnostic {
    let known: Vec<_> = rules::GAMES.iter().map(|game| game.id).collect();
    Diagnostic::new(format!("unknown game `{}`", error.id)).hint(match error.nearest() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the games are {}", known.join(", ")),
    })
}

/// Says what is wrong with an option of a game.
pub(crate) fn option_fault(game: &str, error: &OptionError) -> Diagnostic {
    match error {
        OptionError::Unknown { key, nearest, known } => {
            Diagnostic::new(format!("game `{game}` has no option `{key}`")).hint(match nearest {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "it has no options".to_owned(),
                None => format!("its options are {}", known.join(", ")),
            })
        }
        OptionError::Value { key, value, allowed } => {
            Diagnostic::new(format!("option `{key}` of game `{game}` cannot be `{value}`"))
                .hint(format!("allowed: {}", allowed.replace('|', ", ").replace("..", " to ")))
        }
        OptionError::Twice { key } => Diagnostic::new(format!("option `{key}` is given twice")),
    }
}

/// Says what is wrong with a position string.
pub(crate) fn position_fault(setup: &Setup, error: &NotationError) -> Failure {
    let failure = Failure::usage(format!("not a position of `{}`: {error}", setup.label()));
    match setup.referee(None) {
        Ok(referee) => failure.hint(format!("the game starts from `{}`", referee.position())),
        Err(_) => failure,
    }
}
