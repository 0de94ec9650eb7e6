//! Taking the fields of an object, with the place of what is wrong.

use serde_json::{Map, Value};
use thiserror::Error;

/// What is wrong with the look that a game declares.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {fault}")]
pub struct LookError {
    /// Where in the look: `look.board.width`.
    pub place: String,
    /// What is wrong there, and what would be right.
    pub fault: String,
}

/// The longest text that a look may hold.
const LONGEST: usize = 60;

/// An object and where it stands. Keys that nobody asks for are passed over.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    map: Option<&'a Map<String, Value>>,
    place: &'a str,
}

impl<'a> Fields<'a> {
    pub(super) fn of(value: &'a Value, place: &'a str) -> Result<Self, LookError> {
        match value {
            Value::Object(map) => Ok(Self { map: Some(map), place }),
            _ => Err(fault(place, "an object is needed here")),
        }
    }

    /// Returns the value of a key; `None` where there is none, or `null`.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map?.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn place(&self, key: &str) -> String {
        format!("{}.{key}", self.place)
    }

    pub(super) fn fault(&self, key: &str, words: impl Into<String>) -> LookError {
        fault(&self.place(key), words)
    }

    pub(super) fn needed(&self, key: &str) -> Result<&'a Value, LookError> {
        self.get(key).ok_or_else(|| self.fault(key, "is missing"))
    }

    /// Returns a text that can be shown; `None` where the key is missing.
    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, LookError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = value.as_str().ok_or_else(|| self.fault(key, "a text is needed here"))?;
        if text.chars().count() > LONGEST || text.chars().any(char::is_control) {
            let words =
                format!("a text has at most {LONGEST} characters, and no line breaks or control characters");
            return Err(self.fault(key, words));
        }
        Ok(Some(text))
    }

    pub(super) fn flag(&self, key: &str, default: bool) -> Result<bool, LookError> {
        match self.get(key) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.fault(key, "`true` or `false` is needed here")),
        }
    }

    /// Returns which of these words stands at a key; `None` where the key is missing.
    pub(super) fn word<T: Copy>(&self, key: &str, words: &[(T, &str)]) -> Result<Option<T>, LookError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let found = words.iter().find(|(_, word)| *word == text).map(|(value, _)| *value);
        found.map(Some).ok_or_else(|| self.unknown(key, text, words.iter().map(|(_, word)| *word)))
    }

    /// Returns the error about a text that is none of these words.
    pub(super) fn unknown<'w>(
        &self,
        key: &str,
        text: &str,
        words: impl Iterator<Item = &'w str> + Clone,
    ) -> LookError {
        let near = rules::nearest(text, words.clone())
            .map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
        let all: Vec<_> = words.collect();
        self.fault(key, format!("`{text}` is none of {}{near}", all.join(", ")))
    }
}

pub(super) fn fault(place: &str, words: impl Into<String>) -> LookError {
    LookError { place: place.to_owned(), fault: words.into() }
}
