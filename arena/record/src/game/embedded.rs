//! Records within other JSON documents, such as messages: `#[serde(with = "record::embedded")]`.
//!
//! What reads and writes a record is compiled here, once, and not in every crate whose documents hold one.

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
use serde_json::value::RawValue;

use crate::{GameRecord, RunConfig};

/// What documents hold as JSON of its own.
pub trait Embedded: Sized {
    /// Returns it as JSON.
    ///
    /// # Errors
    /// If JSON cannot represent one of its numbers.
    fn to_json(&self) -> serde_json::Result<String>;

    /// Reads it from JSON.
    ///
    /// # Errors
    /// If that is something else.
    fn from_json(json: &str) -> serde_json::Result<Self>;
}

macro_rules! embed {
    ($($record:ty),+) => {$(
        impl Embedded for $record {
            fn to_json(&self) -> serde_json::Result<String> {
                serde_json::to_string(self)
            }

            fn from_json(json: &str) -> serde_json::Result<Self> {
                serde_json::from_str(json)
            }
        }
    )+};
}

embed!(GameRecord, Vec<GameRecord>, RunConfig);

/// Writes a record into a document, as serde would write it there.
///
/// # Errors
/// If JSON cannot represent one of its numbers, or the document cannot be written.
pub fn serialize<T: Embedded, S: Serializer>(record: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let json = record.to_json().and_then(RawValue::from_string).map_err(S::Error::custom)?;
    json.serialize(serializer)
}

/// Reads a record from a document of JSON text.
///
/// # Errors
/// If the document holds something else there.
pub fn deserialize<'de, T: Embedded, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let json = Box::<RawValue>::deserialize(deserializer)?;
    T::from_json(json.get()).map_err(D::Error::custom)
}
