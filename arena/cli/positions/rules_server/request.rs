//! Reading a request for a position: the game, its options, where it starts and what is played.

use protocol::{printable, printable_capped};
use rules::{Referee, Rejection, Setup};

use crate::positions::rules_server::document::RequestError;

/// The longest word that an error repeats.
const SHOWN: usize = 80;

/// Sets games up and remembers the last one: most lines are about the same game.
#[derive(Debug, Default)]
pub(super) struct PositionReader {
    last: Option<(Vec<String>, Setup)>,
}

impl PositionReader {
    /// Reads `GAME [KEY=VALUE…] startpos|fen STRING [moves PLY…]` and plays the plies.
    ///
    /// # Errors
    /// Says what is wrong.
    pub(super) fn position(&mut self, words: &[&str]) -> Result<(Setup, Box<dyn Referee>), RequestError> {
        if words.is_empty() {
            return Err(RequestError::new("bad-request", "the request names no game".to_owned()));
        }
        let options = words[1..].iter().take_while(|word| word.contains('=')).count();
        let (game, rest) = words.split_at(1 + options);
        let setup = self.setup(game)?;
        let (from, rest) = match rest.split_first() {
            Some((&"startpos", rest)) => (None, rest),
            Some((&"fen", rest)) => {
                let end = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
                (Some(rest[..end].join(" ")), &rest[end..])
            }
            other => return Err(expected("`startpos` or `fen`", other.map(|(word, _)| *word))),
        };
        let plies = match rest.split_first() {
            None => &[],
            Some((&"moves", plies)) => plies,
            Some((word, _)) => return Err(expected("`moves`", Some(word))),
        };
        let mut referee = setup.referee(from.as_deref()).map_err(|error| {
            let message = format!("not a position of `{}`: {error}", setup.label());
            RequestError::new("bad-position", printable(&message).into_owned())
        })?;
        for (number, ply) in (1..).zip(plies) {
            let seat = referee.seat();
            referee.submit(ply).map_err(|rejection| {
                let (Rejection::NotAPly(why) | Rejection::Illegal(why)) = rejection;
                let ply = printable_capped(ply, SHOWN);
                let message = format!("ply {number}, `{ply}`, is refused to {seat}: {}", printable(&why));
                RequestError::new("illegal-ply", message)
            })?;
        }
        Ok((setup, referee))
    }

    /// Returns the set-up of a game and its options.
    fn setup(&mut self, words: &[&str]) -> Result<Setup, RequestError> {
        if let Some((known, setup)) = &self.last
            && known.iter().map(String::as_str).eq(words.iter().copied())
        {
            return Ok(setup.clone());
        }
        let game = rules::find(words[0])
            .map_err(|error| RequestError::new("unknown-game", printable(&error.to_string()).into_owned()))?;
        let pairs: Vec<_> = words[1..].iter().filter_map(|word| word.split_once('=')).collect();
        let setup = game
            .setup(&pairs)
            .map_err(|error| RequestError::new("bad-option", printable(&error.to_string()).into_owned()))?;
        self.last = Some((words.iter().map(|word| (*word).to_owned()).collect(), setup.clone()));
        Ok(setup)
    }
}

fn expected(what: &str, found: Option<&str>) -> RequestError {
    let found =
        found.map_or_else(|| "the end".to_owned(), |word| format!("`{}`", printable_capped(word, SHOWN)));
    RequestError::new("bad-request", format!("{what} is needed here, not {found}"))
}
