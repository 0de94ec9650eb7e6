//! Reading games in order to summarize them: every field is checked as in a whole record, texts borrow from the line, and no
//! ply is kept.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::fingerprint::PlyTexts;
use crate::journal::game_line::{self, TakePlies};
use crate::journal::reader::{from_line, is_game};
use crate::journal::text::Text;
use crate::summary::Gist;
use crate::summary::ThinkingTimes;
use crate::{GameRecord, GameSummary, PlyRecord, Summarizer};

/// A game without its plies.
type Sketch<'a> = GameRecord<Text<'a>, Course, Text<'a>>;

/// What is kept of the plies while their line is read.
#[derive(Debug, Default)]
struct Course {
    thinking: ThinkingTimes,
    /// The texts. The hash begins with the start, which may come after them.
    texts: PlyTexts,
}

/// A game of which only the texts of its plies are kept.
type Trace<'a> = GameRecord<Text<'a>, PlyTexts, Text<'a>>;

/// The fields that identify copies and shared openings, in a line that is known to be a game.
#[derive(Debug, Deserialize)]
struct BareTrace<'a> {
    #[serde(borrow, default)]
    start: Option<Text<'a>>,
    opening: u32,
    #[serde(deserialize_with = "plies_alone")]
    plies: PlyTexts,
}

#[derive(Debug, Deserialize)]
struct PlyAlone<'a> {
    #[serde(borrow)]
    ply: Text<'a>,
}

/// Summarizes a line as `summarizer` does. `None` if it does not begin like a game of the arena or is not a valid line.
pub(super) fn sum_up(line: &[u8], summarizer: &mut Summarizer, place: u64) -> Option<GameSummary<'static>> {
    if !is_game(line) {
        return None;
    }
    let game = sketch(line)?;
    let Course { thinking, texts } = &game.plies;
    let (fingerprint, opening) =
        texts.fingerprints(game.start.as_ref().map(Text::as_ref), game.opening as usize);
    let gist = Gist { thinking: thinking.clone(), plies: texts.count, fingerprint, opening };
    Some(summarizer.summary(&game, &gist, place))
}

fn sketch(line: &[u8]) -> Option<Sketch<'_>> {
    game_line::game(line).or_else(|| from_line(line).ok())
}

/// Returns the hash of a game's start and plies, if it has plies, and that of its opening.
pub(super) fn trace(line: &[u8]) -> Option<(Option<u128>, u64)> {
    let (start, opening, plies) = match game_line::game(line) {
        Some(Trace { start, opening, plies, .. }) => (start, opening, plies),
        None => {
            let BareTrace { start, opening, plies } = from_line(line).ok()?;
            (start, opening, plies)
        }
    };
    let (fingerprint, opening) = plies.fingerprints(start.as_ref().map(Text::as_ref), opening as usize);
    Some(((plies.count > 0).then_some(fingerprint), opening))
}

/// Returns whether a line begins like a game of the arena and [`sum_up`] accepts it.
pub(super) fn is_record(line: &[u8]) -> bool {
    is_game(line) && sketch(line).is_some()
}

impl<'a> TakePlies<Text<'a>> for PlyTexts {
    #[inline(always)]
    fn take(&mut self, ply: PlyRecord<Text<'a>>) {
        self.push(ply.ply.as_ref());
    }
}

impl<'a> TakePlies<Text<'a>> for Course {
    fn expect(&mut self, bytes: usize) {
        self.texts.reserve(bytes / 16);
    }

    #[inline(always)]
    fn take(&mut self, ply: PlyRecord<Text<'a>>) {
        self.texts.push(ply.ply.as_ref());
        self.thinking.take(&ply);
    }
}

impl<'de> Deserialize<'de> for Course {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Plies)
    }
}

/// Reads plies one after the other.
struct Plies;

impl<'de> Visitor<'de> for Plies {
    type Value = Course;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut plies: S) -> Result<Course, S::Error> {
        let mut course = Course::default();
        while let Some(ply) = plies.next_element()? {
            course.take(ply);
        }
        Ok(course)
    }
}

/// Reads only the texts of plies.
fn plies_alone<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PlyTexts, D::Error> {
    struct Alone;

    impl<'de> Visitor<'de> for Alone {
        type Value = PlyTexts;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a sequence")
        }

        fn visit_seq<S: SeqAccess<'de>>(self, mut plies: S) -> Result<PlyTexts, S::Error> {
            let mut texts = PlyTexts::default();
            while let Some(PlyAlone { ply }) = plies.next_element()? {
                texts.push(ply.as_ref());
            }
            Ok(texts)
        }
    }

    deserializer.deserialize_seq(Alone)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A game with every field.
    fn body() -> Value {
        let seat = |bot: &str| {
            json!({
                "bot": bot, "version": "1.\u{e9}", "digest": "d", "tc": "10+0.1", "seed": 3, "overruns": 1, "retries": 1,
                "warnings": [{"kind": "mate-sign", "count": 2, "ply": 3, "what": "a \"b\""}], "exit": "exit 1", "cpu_ms": 4,
                "peak_kib": 5,
            })
        };
        json!({
            "number": 7, "pair": 4, "leg": 1, "round": 2, "game": "farook", "options": {"max-moves": "50"},
            "label": "farook max-moves=50", "start": "3/3 p1 n=0", "seats": [seat("a"), seat("b\n")], "opening": 1,
            "result": "p2win", "reason": "crash", "detail": "it \"ended\"", "failed": 1,
            "started": "2026-11-21T09:30:05.123Z", "seconds": 0.25, "gathered": {"processor": 3, "until": 0.125},
            "worker": {"name": "w\u{e9}", "sandbox": "contest"},
            "plies": [
                {"ply": "a1", "seat": 1, "turn": 1},
                {
                    "ply": "b\t2", "seat": 2, "turn": 2, "of": 1, "us": 1234, "used": {"cpu_us": 1200, "wait_us": 3},
                    "clock": 9000, "info": {"depth": 6, "cp": -12, "mate": -3, "nodes": 77, "text": "a \"b\""}, "fallback": true,
                },
                {"ply": "c3", "seat": 1, "turn": 3, "us": 99},
            ],
        })
    }

    fn line(body: &Value) -> Vec<u8> {
        let text = body.to_string();
        format!("{{\"type\":\"game\",{}", text.strip_prefix('{').unwrap_or(&text)).into_bytes()
    }

    /// Summarizes a line with and without its plies, and returns whether it is valid.
    fn check(line: &[u8]) -> bool {
        let whole: serde_json::Result<GameRecord> = serde_json::from_slice(line);
        let expected = whole.ok().map(|game| Summarizer::default().summary(&game, &Gist::of(&game), 11));
        let found = sum_up(line, &mut Summarizer::default(), 11);
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(line));
        found.is_some()
    }

    /// Returns the paths of all values inside another one.
    fn paths(value: &Value, path: &str, found: &mut Vec<String>) {
        let mut next = |key: &str, value| {
            found.push(format!("{path}/{key}"));
            paths(value, &format!("{path}/{key}"), found);
        };
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, value)| next(key, value)),
            Value::Array(items) => {
                (0..).zip(items).for_each(|(i, value): (u32, _)| next(&i.to_string(), value));
            }
            _ => {}
        }
    }

    #[test]
    fn what_is_summed_up_is_that_of_the_whole_record() {
        assert!(check(&line(&body())));
        let mut short = body();
        (short["plies"], short["start"]) = (json!([]), Value::Null);
        assert!(check(&line(&short)));
    }

    #[test]
    fn every_field_is_checked_as_that_of_a_whole_record() {
        let mut all = Vec::new();
        paths(&body(), "", &mut all);
        let others = [
            json!(null),
            json!(true),
            json!(-1),
            json!(1),
            json!(1.5),
            json!(1e30),
            json!("x"),
            json!([]),
            json!({}),
            json!(["a", "b"]),
            json!({"x": 1}),
        ];
        let mut counts = [0; 2];
        for path in all {
            let (parent, key) = path.rsplit_once('/').expect("a path");
            let mut without = body();
            match without.pointer_mut(parent).expect("a value") {
                Value::Object(fields) => drop(fields.remove(key)),
                Value::Array(items) => drop(items.pop()),
                _ => {}
            }
            counts[usize::from(check(&line(&without)))] += 1;
            for other in &others {
                let mut changed = body();
                *changed.pointer_mut(&path).expect("a value") = other.clone();
                counts[usize::from(check(&line(&changed)))] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }

    #[test]
    fn every_byte_is_checked_as_that_of_a_whole_record() {
        let whole = line(&body());
        for place in r#"{"type":"game","#.len()..whole.len() {
            check(&whole[..place]);
            for byte in [b'"', b'0', 0xff] {
                let mut changed = whole.clone();
                changed[place] = byte;
                check(&changed);
            }
        }
        assert!(!check(&[&whole[..], b"{}"].concat()));
        assert!(!check(br#"{"type":"void","number":1}"#));
    }
}
