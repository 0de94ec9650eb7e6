//! `position`: the start of the game and every ply since.

use std::fmt;

use crate::lexical::words::Words;
use crate::message::text::write_plies;
use crate::{LineError, PlyToken};

/// `position`: the start of the game and every ply since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionMessage {
    /// The start of the game.
    pub start: Start,
    /// The plies since, in order.
    pub moves: Vec<PlyToken>,
}

/// The start of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The start position of the game with its options.
    #[default]
    StartPosition,
    /// Another position, by its position string.
    Fen(String),
}

impl PositionMessage {
    pub(super) fn parse(words: Words<'_>) -> Result<Self, LineError> {
        const MISSING: LineError = LineError::Missing { message: "position", what: "`startpos` or `fen`" };
        let mut words = words;
        let start = match words.next().ok_or(MISSING)? {
            "startpos" => Start::StartPosition,
            "fen" => Start::Fen(take_fen("position", &mut words, Some("moves"))?),
            other => return Err(LineError::invalid("position", "the start", other)),
        };
        let moves = if words.by_ref().any(|word| word == "moves") {
            take_moves("position", words)?
        } else {
            Vec::new()
        };
        Ok(Self { start, moves })
    }
}

/// Reads a position string: all words up to `end`, if that follows. Only the game's rules know their meaning.
pub(super) fn take_fen(
    message: &'static str,
    words: &mut Words<'_>,
    end: Option<&str>,
) -> Result<String, LineError> {
    let mut fen = String::new();
    while let Some(word) = words.peek().filter(|word| Some(*word) != end) {
        if !fen.is_empty() {
            fen.push(' ');
        }
        fen.push_str(word);
        words.next();
    }
    if fen.is_empty() { Err(LineError::Missing { message, what: "a position string" }) } else { Ok(fen) }
}

/// Reads every token as a ply.
pub(super) fn take_moves(message: &'static str, words: Words<'_>) -> Result<Vec<PlyToken>, LineError> {
    words.map(|word| word.parse().map_err(|_| LineError::invalid(message, "a ply", word))).collect()
}

impl fmt::Display for PositionMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.start)?;
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        write_plies(f, &self.moves)
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StartPosition => f.write_str("startpos"),
            Self::Fen(fen) => write!(f, "fen {}", super::one_line(fen)),
        }
    }
}
