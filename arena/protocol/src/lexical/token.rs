//! The lexical rules of the grammar: what an integer, a word, a code and a key are.

use std::num::NonZeroU8;
use std::time::Duration;

/// The largest `int` of the grammar: 19 digits.
const MAX_INT: u64 = 9_999_999_999_999_999_999;

/// Reads `int`: 1 to 19 digits.
pub(crate) fn int(token: &str) -> Option<u64> {
    let is_int = (1..=19).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_digit());
    if is_int { token.parse().ok() } else { None }
}

/// Reads `sint`: an `int` with an optional sign, clamped to 64 bits.
pub(crate) fn signed(token: &str) -> Option<i64> {
    let number = int(token.strip_prefix(['-', '+']).unwrap_or(token))?;
    let number = i64::try_from(number).ok();
    Some(match token.strip_prefix('-') {
        Some(_) => number.map_or(i64::MIN, |number| -number),
        None => number.unwrap_or(i64::MAX),
    })
}

/// Reads `count`: 1 to 255, without leading zeros.
pub(crate) fn count(token: &str) -> Option<NonZeroU8> {
    let is_count = token.bytes().all(|byte| byte.is_ascii_digit()) && !token.starts_with('0');
    if is_count { token.parse().ok() } else { None }
}

/// Reads an `int` of milliseconds.
pub(crate) fn milliseconds(token: &str) -> Option<Duration> {
    int(token).map(Duration::from_millis)
}

/// Appends a number to a text.
pub(crate) fn push_int(to: &mut String, number: u64) {
    to.push_str(itoa::Buffer::new().format(number));
}

/// Returns whole milliseconds, at most the largest `int`.
pub(crate) fn to_milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).map_or(MAX_INT, |n| n.min(MAX_INT))
}

/// Returns whether `token` is a `code`. A game id differs only in its first character.
pub(crate) fn is_code(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_lowercase()) && token.bytes().all(is_id_byte)
}

/// Returns whether `token` is a `game-id`.
pub(crate) fn is_game_id(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) && token.bytes().all(is_id_byte)
}

/// Returns whether `token` is a `word`.
pub(crate) fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic())
        && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// Returns whether `token` is a `key`. `keep` never is: `keep=a5` is a move.
pub(crate) fn is_key(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_lowercase()) && token.chars().all(is_key_char) && token != "keep"
}

/// Returns whether `c` can appear in a `key`, though perhaps not first.
pub(crate) fn is_key_char(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_')
}

fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_at_most_19_digits_and_no_sign() {
        assert_eq!(int("9999999999999999999"), Some(MAX_INT));
        assert_eq!(int("007"), Some(7));
        for token in ["", "+1", "-1", "1.5", "1e3", "10000000000000000000", "\u{0661}"] {
            assert_eq!(int(token), None, "{token}");
        }
    }

    #[test]
    fn signed_integers_take_either_sign() {
        assert_eq!(signed("-35"), Some(-35));
        assert_eq!(signed("+35"), Some(35));
        assert_eq!(signed("9223372036854775808"), Some(i64::MAX));
        assert_eq!(signed("-9999999999999999999"), Some(i64::MIN));
        for token in ["", "-", "--1", "10000000000000000000", "1-"] {
            assert_eq!(signed(token), None, "{token}");
        }
    }

    #[test]
    fn words_codes_and_keys_differ_in_case_and_signs() {
        assert!(is_word("Hash.Size_x-1") && !is_word("9x5") && !is_word(""));
        assert!(is_code("illegal-move") && !is_code("Illegal") && !is_code("2-frenzy"));
        assert!(is_game_id("2-frenzy") && !is_game_id("-frenzy"));
        assert!(is_key("x-heat") && is_key("a_b") && !is_key("A") && !is_key("keep") && !is_key(""));
    }

    #[test]
    fn milliseconds_are_cut_not_wrapped() {
        assert_eq!(to_milliseconds(Duration::from_micros(1999)), 1);
        assert_eq!(to_milliseconds(Duration::MAX), MAX_INT);
    }
}
