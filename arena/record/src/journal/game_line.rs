//! A fast parser for games as the arena writes them: fields in their order, without spaces. A general JSON parser takes several
//! times as long.
//!
//! It leaves any other spelling to the general parser. What it reads, both read alike.

mod cursor;

use std::borrow::Cow;
use std::collections::BTreeMap;

use rules::{PerSeat, Seat};
use serde::Deserialize;

use crate::game::result::fields;
use crate::journal::game_line::cursor::Cursor;
use crate::{GameRecord, InfoRecord, PlyRecord, ProcessTimes, SeatRecord};

/// What a reader keeps of the plies of a game.
pub(super) trait TakePlies<T> {
    /// Takes the next ply.
    fn take(&mut self, ply: PlyRecord<T>);
}

impl<T> TakePlies<T> for Vec<PlyRecord<T>> {
    fn take(&mut self, ply: PlyRecord<T>) {
        self.push(ply);
    }
}

/// Reads a game. `None` if the line is not written as the arena writes games.
pub(super) fn game<'a, T, P, C>(line: &'a [u8]) -> Option<GameRecord<T, P, C>>
where
    T: Default + Ord + From<Cow<'a, str>> + Deserialize<'a>,
    P: TakePlies<T> + Default,
    C: From<Cow<'a, str>>,
{
    let mut cursor = Cursor::new(str::from_utf8(line).ok()?);
    let game = cursor.game()?;
    if cursor.eat(r#","crc":""#) {
        // Check whether it fits before reading a line.
        cursor.string()?;
    }
    cursor.must("}")?;
    cursor.eat("\n");
    cursor.is_at_end().then_some(game)
}

impl<'a> Cursor<'a> {
    /// Reads a game without the end of its object.
    fn game<T, P, C>(&mut self) -> Option<GameRecord<T, P, C>>
    where
        T: Default + Ord + From<Cow<'a, str>> + Deserialize<'a>,
        P: TakePlies<T> + Default,
        C: From<Cow<'a, str>>,
    {
        self.must(r#"{"type":"game","number":"#)?;
        let number = self.number()?;
        let pair = self.after(r#","pair":"#)?;
        let leg = self.after(r#","leg":"#)?.try_into().ok()?;
        let round = self.after(r#","round":"#)?.try_into().ok()?;
        let game = self.text_after(r#","game":""#)?;
        self.must(r#","options":"#)?;
        let options = if self.eat("{}") { BTreeMap::new() } else { self.value()? };
        let label = self.text_after(r#","label":""#)?;
        let start = self.text(r#","start":""#)?;
        let seats = self.seats()?;
        let opening = self.after(r#","opening":"#)?.try_into().ok()?;
        self.must(r#","result":""#)?;
        let word = fields::word(&self.string()?)?;
        let places: Option<Vec<u8>> = self.optional_value(r#","places":"#)?;
        let result = fields::result(word, places.as_deref()).ok()?;
        self.must(r#","reason":""#)?;
        let reason = self.string()?.parse().ok()?;
        let detail = self.text(r#","detail":""#)?;
        let failed = match self.optional(r#","failed":"#)? {
            Some(number) => Some(Seat::new(usize::try_from(number).ok()?.checked_sub(1)?)?),
            None => None,
        };
        let started = self.text_after(r#","started":""#)?;
        self.must(r#","seconds":"#)?;
        let seconds = self.decimal()?;
        let gathered = self.optional_value(r#","gathered":"#)?;
        let worker = self.optional_value(r#","worker":"#)?;
        let mut plies = P::default();
        self.must(r#","plies":["#)?;
        if !self.eat("]") {
            loop {
                plies.take(self.ply()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.must("]")?;
        }
        Some(GameRecord {
            number,
            pair,
            leg,
            round,
            game,
            options,
            label,
            start,
            seats,
            opening,
            result,
            reason,
            detail,
            failed,
            started,
            seconds,
            gathered,
            worker,
            plies,
        })
    }

    fn seats<T, C>(&mut self) -> Option<PerSeat<SeatRecord<T, C>>>
    where
        T: From<Cow<'a, str>> + Deserialize<'a>,
        C: From<Cow<'a, str>>,
    {
        self.must(r#","seats":["#)?;
        let mut seats = Vec::with_capacity(2);
        loop {
            seats.push(self.seat()?);
            if !self.eat(",") {
                break;
            }
        }
        self.must("]")?;
        PerSeat::try_from(seats).ok()
    }

    fn seat<T, C>(&mut self) -> Option<SeatRecord<T, C>>
    where
        T: From<Cow<'a, str>> + Deserialize<'a>,
        C: From<Cow<'a, str>>,
    {
        let bot = self.text_after(r#"{"bot":""#)?;
        let version = self.text_after(r#","version":""#)?;
        let digest = self.text_after(r#","digest":""#)?;
        let tc = self.text_after(r#","tc":""#)?;
        let seed = self.after(r#","seed":"#)?;
        let overruns = self.optional(r#","overruns":"#)?.unwrap_or(0).try_into().ok()?;
        let retries = self.optional(r#","retries":"#)?.unwrap_or(0).try_into().ok()?;
        let warnings = self.optional_value(r#","warnings":"#)?.unwrap_or_default();
        let exit = self.text(r#","exit":""#)?;
        let cpu_ms = self.optional(r#","cpu_ms":"#)?;
        let peak_kib = self.optional(r#","peak_kib":"#)?;
        let out = self.optional_value(r#","out":"#)?;
        self.must("}")?;
        Some(SeatRecord {
            bot,
            version,
            digest,
            tc,
            seed,
            overruns,
            retries,
            warnings,
            exit,
            cpu_ms,
            peak_kib,
            out,
        })
    }

    fn ply<T: From<Cow<'a, str>>>(&mut self) -> Option<PlyRecord<T>> {
        let ply = self.text_after(r#"{"ply":""#)?;
        let san = self.text(r#","san":""#)?;
        let seat = self.after(r#","seat":"#)?.try_into().ok()?;
        let turn = self.after(r#","turn":"#)?.try_into().ok()?;
        let of = match self.optional(r#","of":"#)? {
            Some(seat) => Some(seat.try_into().ok()?),
            None => None,
        };
        let us = self.optional(r#","us":"#)?;
        let used = if self.eat(r#","used":{"cpu_us":"#) {
            let cpu_us = self.number()?;
            let wait_us = self.after(r#","wait_us":"#)?;
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
        let start = self.left();
        // All fields except the first follow a comma.
        let key = |cursor: &mut Self, key: &str| {
            let is_first = cursor.left() == start;
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
        let busy = json!({
            "bot": "b", "version": "", "digest": "d", "tc": "nodes 5", "seed": 4, "overruns": 1, "retries": 2,
            "warnings": [{"kind": "mate-sign", "count": 2, "ply": 3, "what": "a \"b\""}], "exit": "exit 1", "cpu_ms": 5,
            "peak_kib": 6, "out": {"reason": "crash", "detail": "it \"ended\"", "ply": 3},
        });
        let game = json!({
            "number": 7, "pair": 4, "leg": 1, "round": 2, "game": "farook", "options": {"a": "b"}, "label": "x,\"plies\":[",
            "start": "3/3 p1", "seats": [seat, seat, busy], "opening": 0, "result": "places", "places": [1, 3, 1],
            "reason": "line", "detail": "so\n", "failed": 1, "started": "", "seconds": 0.25,
            "gathered": {"processor": 3, "until": 0.125}, "worker": {"name": "w", "sandbox": "contest", "factor": 1.5},
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
        let expected: Option<GameRecord> = serde_json::from_slice(line).ok();
        let found: Option<GameRecord> = game(line);
        assert!(found.is_none() || found == expected, "{}", String::from_utf8_lossy(line));
        let borrowed: Option<GameRecord<Text<'_>, Vec<PlyRecord<Text<'_>>>, Text<'_>>> = game(line);
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
