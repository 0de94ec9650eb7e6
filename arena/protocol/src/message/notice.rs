//! `error`, `played`, `out` and `gameover`: messages that need no answer.

use std::fmt;

use super::text::{one_line, split_text};
use crate::lexical::token;
use crate::lexical::words::Words;
use crate::{AnnouncedResult, LineError, Pairs, PlyToken, SeatNumber};

/// `error`: something was wrong. Both sides may send it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorNotice {
    /// The error, as a code.
    pub code: String,
    /// Details.
    pub pairs: Pairs,
    /// The error, in words.
    pub text: Option<String>,
}

/// `played`: a ply was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The seat that decided.
    pub seat: SeatNumber,
    /// The ply.
    pub ply: PlyToken,
    /// Details, such as `ms`.
    pub pairs: Pairs,
}

/// `out`: a seat is out, and the others play on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutNotice {
    /// The seat that is out.
    pub seat: SeatNumber,
    /// The reason, as a code.
    pub code: String,
    /// Details.
    pub pairs: Pairs,
}

/// `gameover`: the game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Who won.
    pub outcome: AnnouncedResult,
    /// The reason, as a code.
    pub code: String,
    /// Details, such as `plies`.
    pub pairs: Pairs,
}

impl ErrorNotice {
    pub(super) fn parse(words: Words<'_>) -> Result<Self, LineError> {
        let (mut words, text) = split_text(words);
        let code = take_code("error", &mut words)?;
        Ok(Self { code, pairs: Pairs::from_words(words), text: text.map(str::to_owned) })
    }
}

impl Played {
    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, LineError> {
        let seat = words.next().ok_or(LineError::Missing { message: "played", what: "a seat" })?;
        let seat = seat.parse().map_err(|_| LineError::invalid("played", "the seat", seat))?;
        let ply = words.next().ok_or(LineError::Missing { message: "played", what: "a ply" })?;
        let ply = ply.parse().map_err(|_| LineError::invalid("played", "the ply", ply))?;
        Ok(Self { seat, ply, pairs: Pairs::from_words(words) })
    }
}

impl OutNotice {
    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, LineError> {
        let seat = words.next().ok_or(LineError::Missing { message: "out", what: "a seat" })?;
        let seat = seat.parse().map_err(|_| LineError::invalid("out", "the seat", seat))?;
        let code = take_code("out", &mut words)?;
        Ok(Self { seat, code, pairs: Pairs::from_words(words) })
    }
}

impl GameEnd {
    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, LineError> {
        let outcome = words.next().ok_or(LineError::Missing { message: "gameover", what: "an outcome" })?;
        let outcome = outcome.parse().map_err(|_| LineError::invalid("gameover", "the outcome", outcome))?;
        let code = take_code("gameover", &mut words)?;
        Ok(Self { outcome, code, pairs: Pairs::from_words(words) })
    }
}

/// Reads a code.
pub(super) fn take_code(message: &'static str, words: &mut Words<'_>) -> Result<String, LineError> {
    let code = words.next().ok_or(LineError::Missing { message, what: "a code" })?;
    if token::is_code(code) {
        Ok(code.to_owned())
    } else {
        Err(LineError::invalid(message, "the code", code))
    }
}

/// Writes a text after ` : `, if there is one.
pub(super) fn write_text(f: &mut fmt::Formatter<'_>, text: Option<&str>) -> fmt::Result {
    match text.map(one_line) {
        Some(text) if !text.is_empty() => write!(f, " : {text}"),
        _ => Ok(()),
    }
}

impl fmt::Display for ErrorNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {}{}", self.code, self.pairs)?;
        write_text(f, self.text.as_deref())
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "played {} {}{}", self.seat, self.ply, self.pairs)
    }
}

impl fmt::Display for OutNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "out {} {}{}", self.seat, self.code, self.pairs)
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gameover {} {}{}", self.outcome, self.code, self.pairs)
    }
}
