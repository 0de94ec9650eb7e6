//! The part of a line that an outcome needs. Reading stops at the plies if they come last.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::Termination;
use crate::game::result::fields::ResultWord;
use crate::journal::reader::words;
use crate::journal::text::Text;

/// The fields of a line that matter. The type of the line decides which are required.
#[derive(Debug, Default)]
pub(super) struct Head<'a> {
    pub(super) kind: Option<Cow<'a, str>>,
    pub(super) format: Option<u32>,
    pub(super) number: Option<u64>,
    pub(super) pair: Option<u64>,
    pub(super) game: Option<Cow<'a, str>>,
    pub(super) label: Option<Cow<'a, str>>,
    pub(super) seats: Option<Vec<HeadSeat<'a>>>,
    pub(super) result: Option<ResultWord>,
    pub(super) places: Option<Vec<u8>>,
    pub(super) reason: Option<Termination>,
    pub(super) started: Option<Cow<'a, str>>,
    /// Whether the plies came after all of these and were not read.
    is_cut: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct HeadSeat<'a> {
    #[serde(borrow)]
    pub(super) bot: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) version: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) digest: Cow<'a, str>,
    #[serde(default)]
    pub(super) out: Option<HeadExit>,
}

#[derive(Debug, Deserialize)]
pub(super) struct HeadExit {
    pub(super) reason: Termination,
}

impl<'a> Head<'a> {
    /// Reads a line. If the plies come after all fields that matter, it skips them and only checks that the line ends as an
    /// object does.
    pub(super) fn parse(line: &'a [u8]) -> Result<Self, String> {
        let mut head = Self::default();
        let mut deserializer = serde_json::Deserializer::from_slice(line);
        let parsed = Filling(&mut head).deserialize(&mut deserializer);
        if head.is_cut {
            // Reading stops before the end of the object, which the parser reports as an error.
            let is_whole = line.trim_ascii_end().ends_with(b"}");
            return if is_whole { Ok(head) } else { Err("the line does not end with `}`".to_owned()) };
        }
        parsed.and_then(|()| deserializer.end()).map_err(|error| words(&error))?;
        Ok(head)
    }

    fn is_full(&self) -> bool {
        self.kind.is_some()
            && self.number.is_some()
            && self.pair.is_some()
            && self.game.is_some()
            && self.label.is_some()
            && self.seats.is_some()
            && self.result.is_some_and(|word| word != ResultWord::Places || self.places.is_some())
            && self.reason.is_some()
            && self.started.is_some()
    }
}

/// The name of a field.
#[derive(Clone, Copy, Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Type,
    Format,
    Number,
    Pair,
    Game,
    Label,
    Seats,
    Result,
    Places,
    Reason,
    Started,
    Plies,
    #[serde(other)]
    Other,
}

/// Fills a head from an object.
struct Filling<'h, 'a>(&'h mut Head<'a>);

impl<'de> DeserializeSeed<'de> for Filling<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Filling<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let head = self.0;
        while let Some(field) = map.next_key()? {
            match field {
                Field::Type => text(&mut map, "type", &mut head.kind)?,
                Field::Format => value(&mut map, "format", &mut head.format)?,
                Field::Number => value(&mut map, "number", &mut head.number)?,
                Field::Pair => value(&mut map, "pair", &mut head.pair)?,
                Field::Game => text(&mut map, "game", &mut head.game)?,
                Field::Label => text(&mut map, "label", &mut head.label)?,
                Field::Seats => value(&mut map, "seats", &mut head.seats)?,
                Field::Result => value(&mut map, "result", &mut head.result)?,
                Field::Places => value(&mut map, "places", &mut head.places)?,
                Field::Reason => value(&mut map, "reason", &mut head.reason)?,
                Field::Started => text(&mut map, "started", &mut head.started)?,
                Field::Plies if head.is_full() => {
                    head.is_cut = true;
                    return Ok(());
                }
                Field::Plies | Field::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

fn value<'de, M: MapAccess<'de>, T: Deserialize<'de>>(
    map: &mut M,
    name: &'static str,
    to: &mut Option<T>,
) -> Result<(), M::Error> {
    if to.is_some() {
        return Err(M::Error::duplicate_field(name));
    }
    *to = Some(map.next_value()?);
    Ok(())
}

fn text<'de, M: MapAccess<'de>>(
    map: &mut M,
    name: &'static str,
    to: &mut Option<Cow<'de, str>>,
) -> Result<(), M::Error> {
    let mut read = None;
    value::<_, Text<'_>>(map, name, &mut read)?;
    if to.is_some() {
        return Err(M::Error::duplicate_field(name));
    }
    *to = read.map(|text| text.0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: &str = r#"{"type":"game","number":7,"pair":4,"game":"faust","label":"faust","seats":[{"bot":"a","version":"","digest":""},{"bot":"b","version":"","digest":""}],"result":"draw","reason":"repetition","started":"2026""#;

    #[test]
    fn plies_that_stand_last_are_not_read() {
        let line = format!("{FRONT},\"plies\":[whatever this is]}}\n");
        let head = Head::parse(line.as_bytes()).expect("all that matters is there");
        assert!(head.is_cut);
        assert_eq!(head.number, Some(7));
        // But the line must end.
        let torn = Head::parse(&line.as_bytes()[..line.len() - 2]).expect_err("it was cut");
        assert_eq!(torn, "the line does not end with `}`");
    }

    #[test]
    fn plies_that_stand_before_are_passed_over() {
        let line = FRONT.replacen("\"pair\"", "\"plies\":[{\"ply\":\"a1\"}],\"pair\"", 1) + ",\"seconds\":1}";
        let head = Head::parse(line.as_bytes()).expect("all that matters is there");
        assert!(!head.is_cut);
        assert_eq!(head.pair, Some(4));
        let broken = line.replace("\"a1\"}]", "a1}]");
        assert!(Head::parse(broken.as_bytes()).is_err());
    }

    #[test]
    fn a_field_stands_once_and_nothing_after_the_object() {
        for wrong in [
            format!("{FRONT},\"number\":8}}"),
            format!("{FRONT},\"label\":\"x\"}}"),
            format!("{FRONT}}} {{}}"),
            format!("{FRONT},\"plies\":[]"),
            "[]".to_owned(),
        ] {
            assert!(Head::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
