//! `after`: one legal ply and the position that it leads to.

use std::fmt;

use super::position::take_fen;
use super::text::one_line;
use crate::lexical::words::Words;
use crate::{GameEnd, LineError, PlyToken};

/// `after`: one legal ply and the position that it leads to. A question has one such line for every legal ply.
///
/// ```
/// use protocol::After;
///
/// let line = "after b3c3 3/1b1/3 p1 quiet=0 gameover p2win no-stones";
/// let Ok(protocol::ArenaMessage::After(After { ply, board, end })) = protocol::ArenaMessage::parse(line) else {
///     panic!("the line is an `after`");
/// };
/// assert_eq!((ply.as_str(), board.as_str()), ("b3c3", "3/1b1/3 p1 quiet=0"));
/// assert_eq!(end.map(|end| end.code).as_deref(), Some("no-stones"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// The ply.
    pub ply: PlyToken,
    /// The position string after it.
    pub board: String,
    /// The end of the game if the ply ends it, in the words of `gameover`.
    pub end: Option<GameEnd>,
}

impl After {
    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, LineError> {
        let ply = words.next().ok_or(LineError::Missing { message: "after", what: "a ply" })?;
        let ply = ply.parse().map_err(|_| LineError::invalid("after", "the ply", ply))?;
        let board = take_fen("after", &mut words, Some("gameover"))?;
        let is_end = words.by_ref().any(|word| word == "gameover");
        let end = if is_end { Some(GameEnd::parse(words)?) } else { None };
        Ok(Self { ply, board, end })
    }
}

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} {}", self.ply, one_line(&self.board))?;
        match &self.end {
            Some(end) => write!(f, " {end}"),
            None => Ok(()),
        }
    }
}
