//! Values as a journal has them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value as a journal has it: one of today's, or a text that only a newer arena understands.
///
/// Such a text never makes a journal unreadable: it is shown as it stands, and written again as it stands. Code that
/// needs to know what it means asks for the [known](Recorded::known) value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Recorded<T> {
    /// A value.
    Known(T),
    /// A text that is no value of this version.
    Unknown(String),
}

impl<T> Recorded<T> {
    /// Returns the value, if this version knows it.
    #[must_use]
    pub const fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Unknown(_) => None,
        }
    }
}

impl<T> From<T> for Recorded<T> {
    fn from(value: T) -> Self {
        Self::Known(value)
    }
}

impl<T: Default> Default for Recorded<T> {
    fn default() -> Self {
        Self::Known(T::default())
    }
}

impl<T: PartialEq> PartialEq<T> for Recorded<T> {
    fn eq(&self, other: &T) -> bool {
        self.known() == Some(other)
    }
}

impl<T: fmt::Display> fmt::Display for Recorded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(value) => value.fmt(f),
            Self::Unknown(text) => f.pad(text),
        }
    }
}

impl<T: fmt::Display> Serialize for Recorded<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, T: FromStr> Deserialize<'de> for Recorded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(text.parse().map_or_else(|_| Self::Unknown(text), Self::Known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, TimeControl};

    #[test]
    fn what_is_known_has_its_type_and_the_same_text() {
        let text = r#""double-knockout""#;
        let format: Recorded<Format> = serde_json::from_str(text).unwrap();
        assert_eq!(format, Format::DoubleKnockout);
        assert_eq!(serde_json::to_string(&format).unwrap(), text);
        let tc: Recorded<TimeControl> = serde_json::from_str(r#""40/60:30+1, nodes 5000""#).unwrap();
        assert_eq!(tc.known().and_then(TimeControl::nodes), Some(5000));
        assert_eq!(serde_json::to_string(&tc).unwrap(), r#""40/60:30+1, nodes 5000""#);
    }

    #[test]
    fn what_a_newer_arena_wrote_is_kept_as_it_stands() {
        let format: Recorded<Format> = serde_json::from_str(r#""scheveningen""#).unwrap();
        assert_eq!((format.known(), format.to_string().as_str()), (None, "scheveningen"));
        assert_ne!(format, Format::RoundRobin);
        assert_eq!(serde_json::to_string(&format).unwrap(), r#""scheveningen""#);
    }
}
