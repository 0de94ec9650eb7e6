//! A fast parser for the plies of a game as the arena writes them: fields in their order, without spaces. Nine tenths of a
//! journal are plies, and a general JSON parser takes ten times as long for them.
//!
//! It leaves any other spelling to the general parser. What it reads, both read alike.

use std::borrow::Cow;

use serde::Deserialize;

use crate::{GameRecord, InfoRecord, PlyRecord, ProcessTimes};

/// The text between the other fields of a game and its plies. Inside a string the quotes would have backslashes.
const FRONT: &str = r#","plies":["#;

/// The text that completes an object without plies.
const WITHOUT_PLIES: &str = r#","plies":[]}"#;

/// The most digits of a number that is certainly below 2^64.
const MOST_DIGITS: usize = 19;

/// A game as it is read: the fields before its plies, and what `P` keeps of the plies.
pub(super) trait TakePlies<T> {
    /// Takes the next ply.
    fn take(&mut self, ply: PlyRecord<T>);
}

impl<T> TakePlies<T> for Vec<PlyRecord<T>> {
    fn take(&mut self, ply: PlyRecord<T>) {
        self.push(ply);
    }
}

/// Reads a game whose texts borrow from `head`. `None` if the line is not written as the arena writes games.
pub(super) fn game<'a, T, P, C>(line: &'a [u8], head: &'a mut String) -> Option<GameRecord<T, P, C>>
where
    T: Default + Ord + From<Cow<'a, str>> + Deserialize<'a>,
    P: TakePlies<T> + Deserialize<'a>,
    C: Deserialize<'a>,
{
    let plies = divide(line, head)?;
    let mut game: GameRecord<T, P, C> = serde_json::from_str(head).ok()?;
    each(plies, |ply| game.plies.take(ply))?;
    Some(game)
}

/// Writes an object with the fields before the plies and no plies into `head`, and returns the rest of the line.
fn divide<'a>(line: &'a [u8], head: &mut String) -> Option<&'a str> {
    let text = str::from_utf8(line).ok()?;
    let (fields, plies) = text.split_once(FRONT)?;
    head.clear();
    head.reserve(fields.len() + WITHOUT_PLIES.len());
    head.push_str(fields);
    head.push_str(WITHOUT_PLIES);
    Some(plies)
}

/// Passes the plies to `take`, one after the other, up to the end of the line. Returns `None` if anything else follows; the
/// plies taken are then invalid.
fn each<'a, T: From<Cow<'a, str>>>(plies: &'a str, mut take: impl FnMut(PlyRecord<T>)) -> Option<()> {
    let mut cursor = Cursor { rest: plies };
    if !cursor.eat("]") {
        loop {
            take(cursor.ply()?);
            if !cursor.eat(",") {
                break;
            }
        }
        cursor.must("]")?;
    }
    if cursor.eat(r#","crc":""#) {
        // Check whether it fits before reading a line.
        cursor.string()?;
    }
    cursor.must("}")?;
    cursor.eat("\n");
    cursor.rest.is_empty().then_some(())
}

/// The unread part of a line.
struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    fn ply<T: From<Cow<'a, str>>>(&mut self) -> Option<PlyRecord<T>> {
        self.must(r#"{"ply":""#)?;
        let ply = T::from(self.string()?);
        let san = self.text(r#","san":""#)?.map(T::from);
        self.must(r#","seat":"#)?;
        let seat = self.number()?.try_into().ok()?;
        self.must(r#","turn":"#)?;
        let turn = self.number()?.try_into().ok()?;
        let of = match self.optional(r#","of":"#)? {
            Some(seat) => Some(seat.try_into().ok()?),
            None => None,
        };
        let us = self.optional(r#","us":"#)?;
        let used = if self.eat(r#","used":{"cpu_us":"#) {
            let cpu_us = self.number()?;
            self.must(r#","wait_us":"#)?;
            let wait_us = self.number()?;
            self.must("}")?;
            Some(ProcessTimes { cpu_us, wait_us })
        } else {
            None
        };
        let clock = self.optional(r#","clock":"#)?;
        let info = if self.eat(r#","info":{"#) { Some(self.info()?) } else { None };
        let fallback = self.eat(r#","fallback":true"#);
        self.must("}")?;
        Some(PlyRecord { ply, san, seat, turn, of, us, used, clock, info, fallback })
    }

    fn info<T: From<Cow<'a, str>>>(&mut self) -> Option<InfoRecord<T>> {
        let start = self.rest.len();
        // All fields except the first follow a comma.
        let key = |cursor: &mut Self, key: &str| {
            let is_first = cursor.rest.len() == start;
            cursor.eat(if is_first { &key[1..] } else { key })
        };
        let depth = if key(self, r#","depth":"#) { Some(self.number()?) } else { None };
        let cp = if key(self, r#","cp":"#) { Some(self.signed()?) } else { None };
        let mate = if key(self, r#","mate":"#) { Some(self.signed()?) } else { None };
        let nodes = if key(self, r#","nodes":"#) { Some(self.number()?) } else { None };
        let text = if key(self, r#","text":""#) { Some(T::from(self.string()?)) } else { None };
        self.must("}")?;
        Some(InfoRecord { depth, cp, mate, nodes, text })
    }

    /// Skips a word if it comes next. Inlined, the comparison with a word of known length takes one or two instructions.
    #[inline(always)]
    fn eat(&mut self, word: &str) -> bool {
        self.rest.strip_prefix(word).map(|rest| self.rest = rest).is_some()
    }

    #[inline(always)]
    fn must(&mut self, word: &str) -> Option<()> {
        self.eat(word).then_some(())
    }

    /// Reads a number after a word; `Some(None)` if the word does not come next.
    #[inline(always)]
    fn optional(&mut self, word: &str) -> Option<Option<u64>> {
        if self.eat(word) { self.number().map(Some) } else { Some(None) }
    }

    /// Reads a text after a word that ends with a quote; `Some(None)` if the word does not come next.
    fn text(&mut self, word: &str) -> Option<Option<Cow<'a, str>>> {
        if self.eat(word) { self.string().map(Some) } else { Some(None) }
    }

    fn number(&mut self) -> Option<u64> {
        let bytes = self.rest.as_bytes();
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_plain = digits == 1 || (2..=MOST_DIGITS).contains(&digits) && bytes[0] != b'0';
        if !is_plain {
            return None;
        }
        let (digits, rest) = self.rest.split_at(digits);
        self.rest = rest;
        Some(digits.bytes().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
    }

    fn signed(&mut self) -> Option<i64> {
        if !self.eat("-") {
            return self.number()?.try_into().ok();
        }
        // Minus zero is not an integer.
        let number: i64 = self.number()?.try_into().ok()?;
        (number != 0).then_some(-number)
    }

    /// Reads the rest of a text after its first quote, including the second quote.
    fn string(&mut self) -> Option<Cow<'a, str>> {
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::JournalLine;
    use crate::journal::text::Text;

    /// Returns the line of a game with these plies.
    fn line(plies: &Value) -> String {
        let seat = json!({"bot": "a", "version": "\u{e9}", "digest": "", "tc": "10+0.1", "seed": 3});
        let game = json!({
            "number": 7, "pair": 4, "leg": 1, "round": 2, "game": "farook", "options": {"a": "b"}, "label": "x,\"plies\":[",
            "seats": [seat, seat], "opening": 0, "result": "draw", "reason": "line", "started": "", "seconds": 0.25,
            "plies": plies,
        });
        let game = serde_json::from_value(game).expect("a game");
        JournalLine::Game(Box::new(game)).to_text().expect("a line")
    }

    fn plies() -> Value {
        json!([
            {"ply": "a1", "seat": 1, "turn": 1},
            {"ply": "b\t\\2\u{e9}", "san": "\"", "seat": 2, "turn": 4_294_967_295_u32, "of": 1, "us": u64::MAX, "clock": 0},
            {"ply": "", "seat": 255, "turn": 0, "used": {"cpu_us": 9_999_999_999_999_999_999_u64, "wait_us": 3}, "info": {}},
            {"ply": "c3", "seat": 1, "turn": 3, "us": 10, "info": {"cp": i64::MIN, "mate": -3, "nodes": 77}, "fallback": true},
            {"ply": "c3", "seat": 1, "turn": 3, "info": {"depth": 3, "cp": i64::MAX, "text": "a \"b\" \\"}},
            {"ply": "c3", "seat": 1, "turn": 3, "info": {"text": "\u{1f600}"}},
        ])
    }

    /// Reads a line with both parsers, checks that they agree, and returns whether this one read it.
    fn check(line: &[u8]) -> bool {
        let (mut head, mut same) = (String::new(), String::new());
        let expected: Option<GameRecord> = serde_json::from_slice(line).ok();
        let found: Option<GameRecord> = game(line, &mut head);
        assert!(found.is_none() || found == expected, "{}", String::from_utf8_lossy(line));
        let borrowed: Option<GameRecord<Text<'_>, Vec<PlyRecord<Text<'_>>>, Text<'_>>> =
            game(line, &mut same);
        assert_eq!(borrowed.is_some(), found.is_some());
        found.is_some()
    }

    #[test]
    fn what_the_arena_writes_is_read_here() {
        let mut all = plies();
        // The other parser reads numbers of twenty digits.
        assert!(!check(line(&all).as_bytes()));
        all[1]["us"] = json!(1_000_000);
        all[3]["info"]["cp"] = json!(-9_223_372_036_854_775_807_i64);
        assert!(check(line(&all).as_bytes()));
        assert!(check(line(&json!([])).as_bytes()));
        assert!(check(line(&all).trim_end().as_bytes()));
        let unsealed = line(&all).split_once(r#","crc""#).map(|(line, _)| format!("{line}}}"));
        assert!(unsealed.is_some_and(|line| check(line.as_bytes())));
    }

    #[test]
    fn whatever_is_read_here_is_read_in_the_same_way_by_the_parser_of_json() {
        let mut all = plies();
        all[1]["us"] = json!(1_000_000);
        all[3]["info"]["cp"] = json!(-12);
        let whole = line(&all).into_bytes();
        let mut read = 0;
        for place in 0..whole.len() {
            check(&whole[..place]);
            for byte in *b"\"\\0-,}]. e\n\xff" {
                let mut changed = whole.clone();
                changed[place] = byte;
                read += u32::from(check(&changed));
                changed.insert(place, whole[place]);
                read += u32::from(check(&changed));
            }
            let mut shorter = whole.clone();
            shorter.remove(place);
            read += u32::from(check(&shorter));
        }
        assert!(read > 1000, "{read}");
        for more in ["{}", ",", "\n"] {
            assert!(!check(&[&whole[..], more.as_bytes()].concat()));
        }
        let twice = line(&all).replacen(r#""plies":["#, r#""plies":[],"plies":["#, 1);
        assert!(!check(twice.as_bytes()));
    }
}
