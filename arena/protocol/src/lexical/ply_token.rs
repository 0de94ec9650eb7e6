//! The token that names a ply.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::MAX_PLY;

/// A token in the form of a ply: the grammar's `move`. The rules decide whether it is a ply of the game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlyToken(Box<str>);

/// The text does not have the form of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a ply starts with a letter and holds a digit, or is `pass` or `swap`")]
pub struct NotAPly;

impl PlyToken {
    /// Returns the token.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether `token` has the form of a ply (`move` in the grammar), at most 255 bytes long.
///
/// ```
/// assert!(protocol::is_ply_token("b3b2+c3-c2+"));
/// assert!(protocol::is_ply_token("keep=a5"));
/// assert!(!protocol::is_ply_token("ponder"));
/// ```
#[must_use]
pub fn is_ply_token(token: &str) -> bool {
    if token.len() > MAX_PLY {
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

impl FromStr for PlyToken {
    type Err = NotAPly;

    fn from_str(token: &str) -> Result<Self, NotAPly> {
        if is_ply_token(token) { Ok(Self(token.into())) } else { Err(NotAPly) }
    }
}

impl AsRef<str> for PlyToken {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlyToken {
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
            assert!(is_ply_token(token), "{token}");
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
            assert!(!is_ply_token(token), "{token}");
        }
    }

    #[test]
    fn a_move_has_at_most_255_bytes() {
        assert!(is_ply_token(&format!("a{}", "1".repeat(254))));
        assert!(!is_ply_token(&format!("a{}", "1".repeat(255))));
    }
}
