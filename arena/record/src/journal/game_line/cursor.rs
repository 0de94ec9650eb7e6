//! The unread part of a journal's line, and the values that come next in it.

use std::borrow::Cow;

use serde::Deserialize;

/// The most digits of a number that is certainly below 2^64.
const MOST_DIGITS: usize = 19;

/// The unread part of a line.
pub(super) struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning of a line.
    pub(super) const fn new(rest: &'a str) -> Self {
        Self { rest }
    }

    /// Returns how many bytes are unread.
    pub(super) const fn left(&self) -> usize {
        self.rest.len()
    }

    pub(super) const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Skips a word if it comes next. Inlined, the comparison with a word of known length takes one or two instructions.
    #[inline(always)]
    pub(super) fn eat(&mut self, word: &str) -> bool {
        self.rest.strip_prefix(word).map(|rest| self.rest = rest).is_some()
    }

    #[inline(always)]
    pub(super) fn must(&mut self, word: &str) -> Option<()> {
        self.eat(word).then_some(())
    }

    /// Reads a number after a word.
    #[inline(always)]
    pub(super) fn after(&mut self, word: &str) -> Option<u64> {
        self.must(word)?;
        self.number()
    }

    /// Reads a number after a word; `Some(None)` if the word does not come next.
    #[inline(always)]
    pub(super) fn optional(&mut self, word: &str) -> Option<Option<u64>> {
        if self.eat(word) { self.number().map(Some) } else { Some(None) }
    }

    /// Reads a text after a word that ends with a quote.
    #[inline(always)]
    pub(super) fn text_after<T: From<Cow<'a, str>>>(&mut self, word: &str) -> Option<T> {
        self.must(word)?;
        self.string().map(T::from)
    }

    /// Reads a text after a word that ends with a quote; `Some(None)` if the word does not come next.
    #[inline(always)]
    pub(super) fn text<T: From<Cow<'a, str>>>(&mut self, word: &str) -> Option<Option<T>> {
        if self.eat(word) { self.string().map(T::from).map(Some) } else { Some(None) }
    }

    /// Reads a list or an object with the general parser.
    pub(super) fn value<V: Deserialize<'a>>(&mut self) -> Option<V> {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter();
        let value = values.next()?.ok()?;
        self.rest = &self.rest[values.byte_offset()..];
        Some(value)
    }

    /// Reads a list or an object after a word; `Some(None)` if the word does not come next.
    #[inline(always)]
    pub(super) fn optional_value<V: Deserialize<'a>>(&mut self, word: &str) -> Option<Option<V>> {
        if self.eat(word) { self.value().map(Some) } else { Some(None) }
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let bytes = self.rest.as_bytes();
        let (mut number, mut digits) = (0_u64, 0);
        while let Some(byte) = bytes.get(digits).filter(|byte| byte.is_ascii_digit()) {
            number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            digits += 1;
        }
        let is_plain = digits == 1 || (2..=MOST_DIGITS).contains(&digits) && bytes[0] != b'0';
        self.rest = &self.rest[digits..];
        is_plain.then_some(number)
    }

    /// Reads a number that may have decimals, but no sign and no exponent.
    pub(super) fn decimal(&mut self) -> Option<f64> {
        let text = self.rest;
        self.number()?;
        if self.eat(".") {
            let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return None;
            }
            self.rest = &self.rest[digits..];
        }
        text[..text.len() - self.rest.len()].parse().ok()
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        if !self.eat("-") {
            return self.number()?.try_into().ok();
        }
        // Minus zero is not an integer.
        let number: i64 = self.number()?.try_into().ok()?;
        (number != 0).then_some(-number)
    }

    /// Reads the rest of a text after its first quote, including the second quote.
    pub(super) fn string(&mut self) -> Option<Cow<'a, str>> {
        let end = self.rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | ..b' '))?;
        let (text, rest) = self.rest.split_at(end);
        if let Some(rest) = rest.strip_prefix('"') {
            self.rest = rest;
            return Some(Cow::Borrowed(text));
        }
        self.escaped()
    }

    /// Reads a text that may contain escapes.
    #[cold]
    fn escaped(&mut self) -> Option<Cow<'a, str>> {
        let mut is_escaped = false;
        let end = self.rest.bytes().position(|byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        })?;
        let (text, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        serde_json::from_str(&format!("\"{text}\"")).ok().map(Cow::Owned)
    }
}
