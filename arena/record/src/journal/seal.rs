//! The checksum at the end of a journal's line, since format 3. It shows damage without parsing the line.
//!
//! It is the CRC-32 of zlib and PNG over every byte before its own field, which is the last one of the object. It detects
//! accidents only: anyone who can write a line can write its checksum too.

use std::fmt::Write as _;

/// The text before the digits.
const FRONT: &[u8] = br#","crc":""#;

/// The text after the digits.
const BACK: &[u8] = br#""}"#;

const DIGITS: usize = 8;

/// What the checksum says about a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seal {
    /// The line is as it was written.
    Whole,
    /// The line has changed.
    Broken,
    /// The line has no checksum.
    Missing,
}

/// Appends the checksum to an object.
pub(super) fn seal(json: &mut String) {
    json.pop();
    let sum = crc32fast::hash(json.as_bytes());
    write!(json, r#","crc":"{sum:08x}"}}"#).expect("writing to a string cannot fail");
}

/// Checks the end of a line, with or without its line feed.
pub(super) fn look(line: &[u8]) -> Seal {
    let Some((body, digits)) = parts(line) else {
        return Seal::Missing;
    };
    let written = str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok());
    if written == Some(crc32fast::hash(body)) { Seal::Whole } else { Seal::Broken }
}

/// Returns whether a line has a checksum, valid or not.
pub(super) fn has_seal(line: &[u8]) -> bool {
    parts(line).is_some()
}

/// Returns the text before a line's checksum, and its digits.
fn parts(line: &[u8]) -> Option<(&[u8], &[u8; DIGITS])> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let (line, digits) = line.strip_suffix(BACK)?.split_last_chunk::<DIGITS>()?;
    Some((line.strip_suffix(FRONT)?, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_byte_of_a_line_is_noticed() {
        let mut line = r#"{"type":"game","number":1,"bot":"a"}"#.to_owned();
        seal(&mut line);
        assert_eq!(line, r#"{"type":"game","number":1,"bot":"a","crc":"13085207"}"#);
        assert_eq!(look(line.as_bytes()), Seal::Whole);
        assert_eq!(look(format!("{line}\n").as_bytes()), Seal::Whole);
        for place in 0..line.len() {
            for bit in 0..8 {
                let mut changed = line.clone().into_bytes();
                changed[place] ^= 1 << bit;
                // Damage in the checksum's own field may hide the checksum.
                let is_its_own = place >= line.len() - FRONT.len() - DIGITS - BACK.len();
                let found = look(&changed);
                // The digits may be upper case.
                let is_same = changed.eq_ignore_ascii_case(line.as_bytes()) && is_its_own;
                assert!(
                    found == Seal::Broken || is_its_own && (is_same || found == Seal::Missing),
                    "{place} {bit}"
                );
            }
        }
        assert_eq!(look(br#"{"type":"game"}"#), Seal::Missing);
        assert_eq!(look(b""), Seal::Missing);
    }

    #[test]
    fn two_lines_without_the_line_feed_between_them_are_no_line() {
        let mut line = r#"{"type":"game","number":1}"#.to_owned();
        seal(&mut line);
        assert_eq!(look(format!("{line} {line}").as_bytes()), Seal::Broken);
    }
}
