//! Reading a request for a position: the game, its options, where it starts and what is played.

use std::rc::Rc;

use protocol::{printable, printable_capped};
use rules::{Position, Referee, Rejection, Setup, Visitor};

use crate::document::RequestError;

/// The longest word that an error repeats.
const SHOWN: usize = 80;

/// What stands among the plies, before its name, for a fault of a seat: no ply is spelled like it.
const FAULT: &str = "fault.";

/// Sets games up and remembers the last one: most lines are about the same game.
#[derive(Debug, Default)]
pub(super) struct PositionReader {
    last: Option<Rc<KnownGame>>,
}

/// A game with its options, and what every answer about it repeats.
#[derive(Debug)]
pub(super) struct KnownGame {
    /// The words that named it.
    words: Vec<String>,
    setup: Setup,
    /// Its name with the options that are not the defaults.
    pub(super) label: String,
    /// Whether it cares for repetition.
    pub(super) has_repetition: bool,
}

impl KnownGame {
    fn new(words: &[&str], setup: Setup) -> Self {
        struct Repeats;
        impl Visitor for Repeats {
            type Output = bool;
            fn visit<P: Position>(self, _: &P::Options) -> bool {
                P::HAS_REPETITION
            }
        }
        Self {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            label: setup.label(),
            has_repetition: setup.visit(Repeats).unwrap_or(false),
            setup,
        }
    }
}

/// A game and where it stands.
pub(super) type GameAt = (Rc<KnownGame>, Box<dyn Referee>);

impl PositionReader {
    /// Reads `GAME [KEY=VALUE…] startpos|fen STRING [moves PLY…]` and plays the plies.
    ///
    /// # Errors
    /// Says what is wrong.
    pub(super) fn position(&mut self, words: &[&str]) -> Result<GameAt, RequestError> {
        if words.is_empty() {
            return Err(RequestError::new("bad-request", "the request names no game".to_owned()));
        }
        let options = words[1..].iter().take_while(|word| word.contains('=')).count();
        let (game, rest) = words.split_at(1 + options);
        let known = self.game(game)?;
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
        let mut referee = known.setup.referee(from.as_deref()).map_err(|error| {
            let message = format!("not a position of `{}`: {error}", known.label);
            RequestError::new("bad-position", printable(&message).into_owned())
        })?;
        for (number, ply) in (1..).zip(plies) {
            let seat = referee.seat();
            // At a table of more than two, the word for a fault of a seat.
            let faulty = ply.strip_prefix(FAULT).filter(|_| referee.seats() > 2);
            let result = match faulty.and_then(|seat| seat.parse().ok()) {
                Some(faulty) => referee.fault(faulty),
                None => referee.submit(ply),
            };
            result.map_err(|rejection| {
                let ply = printable_capped(ply, SHOWN);
                let why = printable(&rejection.to_string()).into_owned();
                let code = match rejection {
                    Rejection::NotAPly(_) => "bad-ply",
                    Rejection::Illegal(_) | Rejection::Rules(_) => "illegal-ply",
                };
                let message = format!("ply {number}, `{ply}`, is refused to {seat}: {why}");
                RequestError::new(code, message).because(why)
            })?;
        }
        Ok((known, referee))
    }

    /// Returns the game that these words name.
    fn game(&mut self, words: &[&str]) -> Result<Rc<KnownGame>, RequestError> {
        if let Some(known) = &self.last
            && known.words.iter().map(String::as_str).eq(words.iter().copied())
        {
            return Ok(Rc::clone(known));
        }
        let game = rules::find(words[0])
            .map_err(|error| RequestError::new("unknown-game", printable(&error.to_string()).into_owned()))?;
        let pairs: Vec<_> = words[1..].iter().filter_map(|word| word.split_once('=')).collect();
        let setup = game
            .setup(&pairs)
            .map_err(|error| RequestError::new("bad-option", printable(&error.to_string()).into_owned()))?;
        let known = Rc::new(KnownGame::new(words, setup));
        self.last = Some(Rc::clone(&known));
        Ok(known)
    }
}

fn expected(what: &str, found: Option<&str>) -> RequestError {
    let found =
        found.map_or_else(|| "the end".to_owned(), |word| format!("`{}`", printable_capped(word, SHOWN)));
    RequestError::new("bad-request", format!("{what} is needed here, not {found}"))
}
