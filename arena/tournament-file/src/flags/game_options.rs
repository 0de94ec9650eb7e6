//! A game as people name it, with its options: what is wrong with either, and with a position of it.

use diagnostic::{Diagnostic, Failure};
use rules::{NotationError, OptionError, Setup, UnknownGame};

/// Returns a game with options as they were written, `key=value` each.
///
/// # Errors
/// Names the game or option that does not exist, with what does.
pub fn setup(game: &str, options: &[String]) -> Result<Setup, Failure> {
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
pub fn unknown_game(error: &UnknownGame) -> Diagnostic {
    let known: Vec<_> = rules::GAMES.iter().map(|game| game.id).collect();
    Diagnostic::new(format!("unknown game `{}`", error.id)).hint(match error.nearest() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the games are {}", known.join(", ")),
    })
}

/// Says what is wrong with an option of a game.
pub fn option_fault(game: &str, error: &OptionError) -> Diagnostic {
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
pub fn position_fault(setup: &Setup, error: &NotationError) -> Failure {
    let failure = Failure::usage(format!("not a position of `{}`: {error}", setup.label()));
    match setup.referee(None) {
        Ok(referee) => failure.hint(format!("the game starts from `{}`", referee.position())),
        Err(_) => failure,
    }
}
