//! The one token that says a ply.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::MAX_MOVE;

/// A token that the grammar accepts as a `move`. Whether it is a ply of the game is for the rules to say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveToken(Box<str>);

/// The text is not a `move` token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a move starts with a letter and holds a digit, or is `pass` or `swap`")]
pub struct NotAMove;

impl MoveToken {
    /// Returns the token.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether `token` is a `move` of the grammar, at most 255 bytes long.
///
/// ```
/// assert!(protocol::is_move_token("b3b2+c3-c2+"));
/// assert!(protocol::is_move_token("keep=a5"));
/// assert!(!protocol::is_move_token("ponder"));
/// ```
#[must_use]
pub fn is_move_token(token: &str) -> bool {
    if token.len() > MAX_MOVE {
        return false;
    }
    if matches!(token, "pass" | "swap") {
        return true;
    }
    let body = token.strip_prefix("keep=").unwrap_or(token).as_bytes();
    let letters = body.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    letters > 0
        && body.get(letters).is_some_and(u8::is_ascii_digit)
        && body[letters..].iter().all(|&byte| is_move_byte(byte))
}

fn is_move_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'=' | b':' | b'_' | b'#')
}

impl FromStr for MoveToken {
    type Err = NotAMove;

    fn from_str(token: &str) -> Result<Self, NotAMove> {
        if is_move_token(token) { Ok(Self(token.into())) } else { Err(NotAMove) }
    }
}

impl AsRef<str> for MoveToken {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MoveToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_of_every_game_are_moves() {
        for token in [
            "c4", "Wc4", "a4c4", "c3xe5", "Bc3xf5", "a10xb12", "swap", "pass", "Sd4", "keep=a5", "Lb2",
            "d2e3+c3-", "a2a3-b2+", "e7e8=Q", "a1#_:",
        ] {
            assert!(is_move_token(token), "{token}");
        }
    }

    #[test]
    fn words_of_the_protocol_are_no_moves() {
        for token in [
            "",
            "ponder",
            "moves",
            "resign",
            "1-0",
            "0000",
            "(none)",
            "a",
            "keep=",
            "keep=a",
            "4a",
            "id=17",
            "a1,b2",
            "a1\u{fffd}",
            "\u{e4}1",
            "pass1.",
            "Pass ",
            "+a1",
        ] {
            assert!(!is_move_token(token), "{token}");
        }
    }

    #[test]
    fn a_move_has_at_most_255_bytes() {
        assert!(is_move_token(&format!("a{}", "1".repeat(254))));
        assert!(!is_move_token(&format!("a{}", "1".repeat(255))));
    }
}
