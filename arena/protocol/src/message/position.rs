//! `position`: where the game stands, always from its start.

use std::fmt;

use crate::lexical::words::Words;
use crate::message::text::write_moves;
use crate::{LineError, MoveToken, Pair, SeatNumber};

/// `position`: the start of the game and every ply since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionMessage {
    /// Where the game began.
    pub start: Start,
    /// The plies since, in order.
    pub moves: Vec<MoveToken>,
}

/// Where a game began.
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
            "fen" => Start::Fen(take_fen("position", &mut words)?),
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

/// Takes a position string: rows, a seat, pairs. Stops before the first token that is none of them.
pub(super) fn take_fen(message: &'static str, words: &mut Words<'_>) -> Result<String, LineError> {
    let rows = words.next().ok_or(LineError::Missing { message, what: "rows" })?;
    let is_rows =
        rows.split('/').all(|row| !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    if !is_rows {
        return Err(LineError::invalid(message, "the rows", rows));
    }
    let seat = words.next().ok_or(LineError::Missing { message, what: "the seat to move" })?;
    if seat.parse::<SeatNumber>().is_err() {
        return Err(LineError::invalid(message, "the seat to move", seat));
    }
    let mut fen = format!("{rows} {seat}");
    while let Some(pair) = words.peek().filter(|word| Pair::parse(word).is_some()) {
        fen.push(' ');
        fen.push_str(pair);
        words.next();
    }
    Ok(fen)
}

/// Takes every token as a move.
pub(super) fn take_moves(message: &'static str, words: Words<'_>) -> Result<Vec<MoveToken>, LineError> {
    words.map(|word| word.parse().map_err(|_| LineError::invalid(message, "a move", word))).collect()
}

impl fmt::Display for PositionMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.start)?;
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        write_moves(f, &self.moves)
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
