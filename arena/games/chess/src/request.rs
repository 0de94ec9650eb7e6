//! Reading a request for a position: where it starts and what is played.

use serde::Serialize;

use crate::game::ID;
use crate::position::Position;

/// The longest word that an error repeats, in characters.
const SHOWN: usize = 80;

/// What is wrong with a request.
#[derive(Debug, Serialize)]
pub(crate) struct RequestError {
    error: &'static str,
    message: String,
    /// Why a ply is refused, without saying which.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

impl RequestError {
    /// Returns an error with its code.
    pub(crate) const fn new(error: &'static str, message: String) -> Self {
        Self { error, message, why: None }
    }

    /// Returns the error as an answer.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings can be written as JSON")
    }
}

/// Reads `chess startpos|fen STRING [moves PLY…]` and plays the plies.
///
/// # Errors
/// Says what is wrong.
pub(crate) fn read_position(words: &[&str]) -> Result<Position, RequestError> {
    let bad_request = |message: String| Err(RequestError::new("bad-request", message));
    let Some((&game, words)) = words.split_first() else {
        return bad_request("the request names no game".to_owned());
    };
    if game != ID {
        return Err(RequestError::new("unknown-game", format!("no game is called {}", shown(game))));
    }
    if let Some((name, _)) = words.first().and_then(|word| word.split_once('=')) {
        return Err(RequestError::new("bad-option", format!("there is no option {}", shown(name))));
    }
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let mut position = match &words[..end] {
        ["startpos"] => Position::start(),
        ["fen", fields @ ..] => {
            Position::from_fen(&fields.join(" ")).map_err(|error| RequestError::new("bad-position", error))?
        }
        ["startpos", word, ..] => return bad_request(format!("`moves` is needed here, not {}", shown(word))),
        _ => return bad_request("`startpos` or `fen` is needed after the game".to_owned()),
    };
    for (number, ply) in (1..).zip(words.iter().skip(end + 1)) {
        position = position.after(ply).ok_or_else(|| {
            let message = format!("ply {number}, {}, is not legal in `{}`", shown(ply), position.fen());
            RequestError {
                why: Some("no legal move is written so"),
                ..RequestError::new("illegal-ply", message)
            }
        })?;
    }
    Ok(position)
}

/// Returns a word of a request as it stands in a message: escaped, and not too much of it.
pub(crate) fn shown(word: &str) -> String {
    let capped: String = word.chars().take(SHOWN).collect();
    format!("`{}`", capped.escape_debug())
}
