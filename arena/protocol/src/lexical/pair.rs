//! `key=value`, the form of every optional part.

use std::fmt;

use crate::lexical::token;
use crate::lexical::words::Words;

/// One `key=value` that can always be written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    key: String,
    value: String,
}

/// Pairs in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pairs(Vec<Pair>);

impl Pair {
    /// Returns the pair of `key` and `value`. It replaces every character that a pair cannot contain by `_`, and puts an `x`
    /// before a key that does not start with a letter or is `keep`.
    #[must_use]
    pub fn new(key: &str, value: impl fmt::Display) -> Self {
        let mut key = if key.chars().all(token::is_key_char) {
            key.to_owned()
        } else {
            key.chars().map(|c| if token::is_key_char(c) { c } else { '_' }).collect()
        };
        if !token::is_key(&key) {
            key.insert(0, 'x');
        }
        let mut value = value.to_string();
        if !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            value = value.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect();
        }
        Self { key, value }
    }

    /// Reads a token, or returns `None` if it is not a pair.
    #[must_use]
    pub fn parse(token: &str) -> Option<Self> {
        let (key, value) = token.split_once('=')?;
        let is_pair = token::is_key(key) && value.bytes().all(|byte| byte.is_ascii_graphic());
        is_pair.then(|| Self { key: key.to_owned(), value: value.to_owned() })
    }

    /// Returns the key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the value, which may be empty.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }
}

impl Pairs {
    /// Returns an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns these pairs and one more.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.push(Pair::new(key, value));
        self
    }

    /// Adds a pair at the end.
    pub fn push(&mut self, pair: Pair) {
        self.0.push(pair);
    }

    /// Returns the value of the first pair with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.iter().find(|pair| pair.key == key).map(Pair::value)
    }

    /// Returns the pairs in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Pair> {
        self.0.iter()
    }

    /// Returns whether there is no pair.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Collects the pairs among `words` and skips the other tokens.
    pub(crate) fn from_words(words: Words<'_>) -> Self {
        Self(words.filter_map(Pair::parse).collect())
    }
}

impl FromIterator<Pair> for Pairs {
    fn from_iter<T: IntoIterator<Item = Pair>>(pairs: T) -> Self {
        Self(pairs.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a Pairs {
    type Item = &'a Pair;
    type IntoIter = std::slice::Iter<'a, Pair>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        f.write_str("=")?;
        f.write_str(&self.value)
    }
}

/// Writes every pair with a space before it.
impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|pair| write!(f, " {pair}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_be_empty_or_hold_equals_signs() {
        assert_eq!(Pair::parse("a=").map(|pair| pair.value().to_owned()).as_deref(), Some(""));
        assert_eq!(Pair::parse("a=b=c").map(|pair| pair.value().to_owned()).as_deref(), Some("b=c"));
    }

    #[test]
    fn other_tokens_are_no_pairs() {
        for token in ["a", "=b", "A=b", "1=2", "a=\u{e4}"] {
            assert_eq!(Pair::parse(token), None, "{token}");
        }
    }

    #[test]
    fn a_pair_that_is_made_can_be_read() {
        for (key, value) in [("opponent", "My Bot\n> quit"), ("", ""), ("A b", "\u{e4}"), ("1", "x")] {
            let pair = Pair::new(key, value);
            assert_eq!(Pair::parse(&pair.to_string()), Some(pair));
        }
    }

    #[test]
    fn the_first_pair_of_a_key_counts() {
        let pairs = Pairs::new().with("id", 1).with("id", 2);
        assert_eq!(pairs.get("id"), Some("1"));
        assert_eq!(pairs.to_string(), " id=1 id=2");
    }
}
