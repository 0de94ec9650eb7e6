//! Records within other JSON documents, such as messages: `#[serde(with = "record::embedded")]`.
//!
//! What reads and writes a record is compiled here, once, and not in every crate whose documents hold one. The text is the same
//! as without it. Only documents that are JSON text can be read so, not those that were already parsed.
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Message {
//!     worker: String,
//!     #[serde(with = "record::embedded")]
//!     games: Vec<record::GameRecord>,
//! }
//!
//! let text = r#"{"worker":"desk","games":[]}"#;
//! let message: Message = serde_json::from_str(text)?;
//! assert_eq!(serde_json::to_string(&message)?, text);
//! # Ok::<(), serde_json::Error>(())
//! ```

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

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;

    #[derive(Serialize)]
    struct Usual<'a> {
        game: &'a GameRecord,
        games: [&'a GameRecord; 2],
    }

    #[derive(Debug, Deserialize, Serialize)]
    struct Message {
        #[serde(with = "super")]
        game: GameRecord,
        #[serde(with = "super")]
        games: Vec<GameRecord>,
    }

    #[test]
    fn the_text_is_the_usual_one_and_faults_are_told() {
        let seat = |bot: &str| json!({"bot": bot, "version": "1", "digest": "", "tc": "10+0.1", "seed": 1});
        let game: GameRecord = serde_json::from_value(json!({
            "number": 1, "pair": 1, "leg": 1, "round": 1, "game": "farook", "options": {"max-moves": "50"},
            "label": "farook", "seats": [seat("one \"x\" ü"), seat("other")], "opening": 1, "result": "p1win",
            "reason": "resign", "started": "2026-01-01T00:00:00Z", "seconds": 0.1,
            "plies": [{"ply": "a1", "seat": 1, "turn": 1, "us": 900, "info": {"depth": 2, "cp": -3}}],
        }))
        .expect("a game");
        let usual = serde_json::to_string(&Usual { game: &game, games: [&game; 2] }).expect("JSON");
        let message: Message = serde_json::from_str(&usual).expect("a message");
        assert_eq!((&message.game, message.games.len()), (&game, 2));
        assert_eq!(serde_json::to_string(&message).expect("JSON"), usual);
        let fault = serde_json::from_str::<Message>(&usual.replace("p1win", "won")).expect_err("no result");
        assert!(fault.to_string().contains("won"), "{fault}");
    }
}
