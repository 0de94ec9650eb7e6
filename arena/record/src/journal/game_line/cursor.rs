//! The unread part of a journal's line, and the values that come next in it.

use std::borrow::Cow;

use serde::Deserialize;

/// The most digits of a number that is certainly below 2^64.
const MOST_DIGITS: usize = 19;

/// How many bytes are looked at together.
const WORD: usize = size_of::<u64>();

/// The highest bit of every byte of a word.
const HIGHEST: u64 = each(0x80);

/// The unread part of a line. Its beginning is never within a character.
pub(super) struct Cursor<'a> {
    line: &'a str,
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning of a line.
    pub(super) const fn new(line: &'a str) -> Self {
        Self { line, rest: line.as_bytes() }
    }

    /// Returns how many bytes are unread.
    pub(super) const fn left(&self) -> usize {
        self.rest.len()
    }

    pub(super) const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Skips a word of ASCII if it comes next. The comparison with as many bytes as are known when this is compiled takes one or
    /// two instructions.
    #[inline(always)]
    pub(super) fn eat<const N: usize>(&mut self, word: &[u8; N]) -> bool {
        match self.rest.split_first_chunk() {
            Some((next, rest)) if next == word => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    #[inline(always)]
    pub(super) fn must<const N: usize>(&mut self, word: &[u8; N]) -> Option<()> {
        self.eat(word).then_some(())
    }

    /// Skips the name of a field if it comes next, behind this byte, which becomes a comma.
    #[inline(always)]
    pub(super) fn eat_field<const N: usize>(&mut self, before: &mut u8, name: &[u8; N]) -> bool {
        let Some((first, rest)) = self.rest.split_first() else { return false };
        match rest.split_first_chunk() {
            Some((next, rest)) if next == name && first == before => {
                self.rest = rest;
                *before = b',';
                true
            }
            _ => false,
        }
    }

    /// Reads a number after a word.
    #[inline(always)]
    pub(super) fn after<const N: usize>(&mut self, word: &[u8; N]) -> Option<u64> {
        self.must(word)?;
        self.number()
    }

    /// Reads a number after a word; `Some(None)` if the word does not come next.
    #[inline(always)]
    pub(super) fn optional<const N: usize>(&mut self, word: &[u8; N]) -> Option<Option<u64>> {
        if self.eat(word) { self.number().map(Some) } else { Some(None) }
    }

    /// Reads a text after a word that ends with a quote.
    #[inline(always)]
    pub(super) fn text_after<T: From<Cow<'a, str>>, const N: usize>(&mut self, word: &[u8; N]) -> Option<T> {
        self.must(word)?;
        self.string().map(T::from)
    }

    /// Reads a text after a word that ends with a quote; `Some(None)` if the word does not come next.
    #[inline(always)]
    pub(super) fn text<T: From<Cow<'a, str>>, const N: usize>(
        &mut self,
        word: &[u8; N],
    ) -> Option<Option<T>> {
        if self.eat(word) { self.string().map(T::from).map(Some) } else { Some(None) }
    }

    /// Reads a list or an object with the general parser.
    pub(super) fn value<V: Deserialize<'a>>(&mut self) -> Option<V> {
        let mut values = serde_json::Deserializer::from_str(self.line.get(self.place()..)?).into_iter();
        let value = values.next()?.ok()?;
        self.rest = &self.rest[values.byte_offset()..];
        Some(value)
    }

    /// Reads a list or an object after a word; `Some(None)` if the word does not come next.
    #[inline(always)]
    pub(super) fn optional_value<V: Deserialize<'a>, const N: usize>(
        &mut self,
        word: &[u8; N],
    ) -> Option<Option<V>> {
        if self.eat(word) { self.value().map(Some) } else { Some(None) }
    }

    /// Reads a number of up to [`MOST_DIGITS`] digits without zeros in front.
    #[inline(always)]
    pub(super) fn number(&mut self) -> Option<u64> {
        // Most numbers of a line have one digit.
        if let [digit @ b'0'..=b'9', next, ..] = *self.rest
            && !next.is_ascii_digit()
        {
            self.rest = &self.rest[1..];
            return Some(u64::from(digit - b'0'));
        }
        self.longer_number()
    }

    // Inlined too: what nobody reads of a number is then not calculated.
    #[inline(always)]
    fn longer_number(&mut self) -> Option<u64> {
        let first = *self.rest.first()?;
        let (number, digits) = match self.rest.first_chunk().map(|bytes| short_number(*bytes)) {
            Some((number, digits)) if digits < WORD => (number, digits),
            _ => long_number(self.rest),
        };
        let is_plain = digits == 1 || (2..=MOST_DIGITS).contains(&digits) && first != b'0';
        self.rest = &self.rest[digits..];
        is_plain.then_some(number)
    }

    /// Reads a number that may have decimals, but no sign and no exponent.
    pub(super) fn decimal(&mut self) -> Option<f64> {
        let start = self.place();
        self.number()?;
        if self.eat(b".") {
            let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return None;
            }
            self.rest = &self.rest[digits..];
        }
        self.line.get(start..self.place())?.parse().ok()
    }

    #[inline(always)]
    pub(super) fn signed(&mut self) -> Option<i64> {
        if !self.eat(b"-") {
            return self.number()?.try_into().ok();
        }
        // Minus zero is not an integer.
        let number: i64 = self.number()?.try_into().ok()?;
        (number != 0).then_some(-number)
    }

    /// Reads the rest of a text after its first quote, including the second quote.
    #[inline]
    pub(super) fn string(&mut self) -> Option<Cow<'a, str>> {
        let end = plain(self.rest);
        if *self.rest.get(end)? != b'"' {
            return self.escaped();
        }
        let start = self.place();
        self.rest = &self.rest[end + 1..];
        self.line.get(start..start + end).map(Cow::Borrowed)
    }

    /// Reads a text that may contain escapes.
    #[cold]
    fn escaped(&mut self) -> Option<Cow<'a, str>> {
        let mut is_escaped = false;
        let end = self.rest.iter().position(|byte| {
            let is_end = *byte == b'"' && !is_escaped;
            is_escaped = *byte == b'\\' && !is_escaped;
            is_end
        })?;
        let text = self.line.get(self.place()..)?.get(..end)?;
        self.rest = &self.rest[end + 1..];
        serde_json::from_str(&format!("\"{text}\"")).ok().map(Cow::Owned)
    }

    /// Returns how many bytes were read.
    const fn place(&self) -> usize {
        self.line.len() - self.rest.len()
    }
}

/// Returns the number that these bytes begin with, and how many digits it has. If all bytes are digits, there may be more.
#[inline]
const fn short_number(bytes: [u8; WORD]) -> (u64, usize) {
    // Digits become their values, and other bytes something above nine.
    let values = u64::from_le_bytes(bytes) ^ each(b'0');
    let others = (((values & !HIGHEST) + each(0x80 - 10)) | values) & HIGHEST;
    let digits = first(others);
    if digits == 0 {
        return (0, 0);
    }
    // As a number of eight digits, the first of which are zero: pairs of digits, then pairs of those, then pairs of those.
    let eight = values << (8 * (WORD - digits));
    let two = (eight & each(0x0f)).wrapping_mul(10 * 0x100 + 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let four = two.wrapping_mul(100 * 0x1_0000 + 1) >> 16 & 0x0000_ffff_0000_ffff;
    (four.wrapping_mul(10_000 * 0x1_0000_0000 + 1) >> 32, digits)
}

/// Returns the number that these bytes begin with, modulo 2^64, and how many digits it has.
#[cold]
fn long_number(bytes: &[u8]) -> (u64, usize) {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold((0_u64, 0), |(number, digits), byte| {
        (number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0')), digits + 1)
    })
}

/// Returns how many bytes a text begins with that mean themselves: neither a quote nor a backslash nor a control character.
#[inline]
fn plain(text: &[u8]) -> usize {
    // Most texts of a line are shorter than a word.
    if let Some(word) = text.first_chunk()
        && special(*word) != 0
    {
        return first(special(*word));
    }
    let (words, rest) = text.as_chunks();
    for (index, word) in words.iter().enumerate() {
        let special = special(*word);
        if special != 0 {
            return index * WORD + first(special);
        }
    }
    let is_plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | ..b' ');
    text.len() - rest.len() + rest.iter().take_while(is_plain).count()
}

/// Returns a word whose lowest bit stands for the first quote, backslash or control character.
#[inline]
const fn special(bytes: [u8; WORD]) -> u64 {
    let bytes = u64::from_le_bytes(bytes);
    // The highest bit of a byte shows whether the byte is below another one. A byte after such a one may show it by mistake.
    let quote = (bytes ^ each(b'"')).wrapping_sub(each(1)) & !(bytes ^ each(b'"'));
    let backslash = (bytes ^ each(b'\\')).wrapping_sub(each(1)) & !(bytes ^ each(b'\\'));
    let control = bytes.wrapping_sub(each(b' ')) & !bytes;
    (quote | backslash | control) & HIGHEST
}

/// Returns the place of the first byte with a bit set, [`WORD`] if none has.
const fn first(bits: u64) -> usize {
    bits.trailing_zeros() as usize / 8
}

/// Returns a word of equal bytes.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; WORD])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_are_read() {
        let texts = (1..=20)
            .flat_map(|length| ["9", "1", "10", "78"].map(|text| text.repeat(20)[..length].to_owned()));
        for digits in texts.chain(["0", "00", "07", "", "18446744073709551615"].map(str::to_owned)) {
            let is_plain = digits.len() == 1 || digits.len() <= MOST_DIGITS && !digits.starts_with('0');
            let expected = digits.parse::<u64>().ok().filter(|_| is_plain);
            for rest in [
                "",
                ",",
                "}",
                "/",
                ":",
                "\u{e9}",
                ",12345678",
                "a12345678",
                " \t\n\x7f",
                "\u{ba}\u{b0}\u{b9}",
            ] {
                let text = digits.clone() + rest;
                let mut cursor = Cursor::new(&text);
                assert_eq!(cursor.number(), expected, "{text}");
                if expected.is_some() {
                    assert_eq!(cursor.rest, rest.as_bytes());
                }
            }
        }
    }

    #[test]
    fn a_text_ends_at_the_first_byte_that_does_not_mean_itself() {
        for length in 0..40 {
            for rest in [0, 1, 7, 8, 20] {
                for byte in 0..=u8::MAX {
                    // What follows must not matter, nor what precedes.
                    let before = [0x20, 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']', 0xa2, 0xdc];
                    let mut text: Vec<u8> = before.iter().copied().cycle().take(length).collect();
                    text.push(byte);
                    text.extend([b'!', b'"', 0x21, b'\\', 0, 0xff].iter().cycle().take(rest));
                    let is_plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | ..b' ');
                    let expected = text.iter().position(|byte| !is_plain(byte)).unwrap_or(text.len());
                    assert_eq!(plain(&text), expected, "{text:?}");
                }
            }
        }
    }
}
