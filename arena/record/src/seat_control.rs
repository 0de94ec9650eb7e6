//! The time control of a seat in the record of a game.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use settings::{TimeControl, TimeControlError};

/// The time control that a seat played under: the text of the record, and its meaning, parsed once.
///
/// The text is empty if a person played without a limit. A record stays readable if this version cannot read the text; it is
/// shown and written again unchanged.
///
/// ```
/// let tc = record::SeatControl::from("60+0.6, nodes 5000".to_owned());
/// assert_eq!(tc.known().and_then(settings::TimeControl::nodes), Some(5000));
/// assert_eq!(tc.to_string(), "60+0.6, nodes 5000");
/// assert_eq!(record::SeatControl::default().read(), Ok(None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatControl {
    text: String,
    meaning: Result<Option<TimeControl>, TimeControlError>,
}

impl SeatControl {
    /// Returns the text of the record, empty if nothing limits the seat.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the time control, if there is one and this version can read it.
    #[must_use]
    pub fn known(&self) -> Option<&TimeControl> {
        self.read().ok().flatten()
    }

    /// Returns whether the time control is known and limits no time, only nodes or depth.
    #[must_use]
    pub fn is_untimed(&self) -> bool {
        self.known().is_some_and(|control| !control.limits_time())
    }

    /// Returns the time control, `None` if nothing limits the seat.
    ///
    /// # Errors
    /// If this version cannot read the text.
    pub fn read(&self) -> Result<Option<&TimeControl>, &TimeControlError> {
        self.meaning.as_ref().map(Option::as_ref)
    }
}

impl Default for SeatControl {
    fn default() -> Self {
        Self { text: String::new(), meaning: Ok(None) }
    }
}

impl From<String> for SeatControl {
    fn from(text: String) -> Self {
        let meaning = if text.is_empty() { Ok(None) } else { text.parse().map(Some) };
        Self { text, meaning }
    }
}

impl From<Cow<'_, str>> for SeatControl {
    fn from(text: Cow<'_, str>) -> Self {
        Self::from(text.into_owned())
    }
}

impl From<TimeControl> for SeatControl {
    fn from(control: TimeControl) -> Self {
        Self { text: control.to_string(), meaning: Ok(Some(control)) }
    }
}

impl AsRef<str> for SeatControl {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for SeatControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl Serialize for SeatControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for SeatControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_kept_as_it_stands() {
        for (text, is_known) in
            [("60+0.6", true), ("60+0.600", true), ("nodes 5000", true), ("", false), ("100 sighs", false)]
        {
            let json = serde_json::to_string(text).expect("a text");
            let control: SeatControl = serde_json::from_str(&json).expect("any text is read");
            assert_eq!(control.known().is_some(), is_known, "{text}");
            assert_eq!(control.read().is_ok(), is_known || text.is_empty(), "{text}");
            assert_eq!((control.as_str(), serde_json::to_string(&control).expect("a text")), (text, json));
        }
    }
}
