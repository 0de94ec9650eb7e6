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
    /// Prepares for the plies of a line of which so many bytes are left.
    fn expect(&mut self, _bytes: usize) {}

    /// Takes the next ply.
    fn take(&mut self, ply: PlyRecord<T>);
}

/// Few plies with a clock and what the bot said take fewer bytes of a line.
const BYTES_OF_PLY: usize = 96;

impl<T> TakePlies<T> for Vec<PlyRecord<T>> {
    fn expect(&mut self, bytes: usize) {
        self.reserve(bytes / BYTES_OF_PLY);
    }

    // Inlined, a ply is written where it belongs, or not at all where little of it is kept.
    #[inline(always)]
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
    if cursor.eat(br#","crc":""#) {
        // Check whether it fits before reading a line.
        cursor.string()?;
    }
    cursor.must(b"}")?;
    cursor.eat(b"\n");
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
        self.must(br#"{"type":"game","number":"#)?;
        let number = self.number()?;
        let pair = self.after(br#","pair":"#)?;
        let leg = self.after(br#","leg":"#)?.try_into().ok()?;
        let round = self.after(br#","round":"#)?.try_into().ok()?;
        let game = self.text_after(br#","game":""#)?;
        self.must(br#","options":"#)?;
        let options = self.options()?;
        let label = self.text_after(br#","label":""#)?;
        let start = self.text(br#","start":""#)?;
        let seats = self.seats()?;
        let opening = self.after(br#","opening":"#)?.try_into().ok()?;
        self.must(br#","result":""#)?;
        let word = fields::word(&self.string()?)?;
        let places: Option<Vec<u8>> = self.optional_value(br#","places":"#)?;
        let result = fields::result(word, places.as_deref()).ok()?;
        self.must(br#","reason":""#)?;
        let reason = self.string()?.parse().ok()?;
        let detail = self.text(br#","detail":""#)?;
        let failed = match self.optional(br#","failed":"#)? {
            Some(number) => Some(Seat::new(usize::try_from(number).ok()?.checked_sub(1)?)?),
            None => None,
        };
        let started = self.text_after(br#","started":""#)?;
        self.must(br#","seconds":"#)?;
        let seconds = self.decimal()?;
        let gathered = self.optional_value(br#","gathered":"#)?;
        let worker = self.optional_value(br#","worker":"#)?;
        let mut plies = P::default();
        self.must(br#","plies":["#)?;
        plies.expect(self.left());
        if !self.eat(b"]") {
            loop {
                plies.take(self.ply()?);
                if !self.eat(b",") {
                    break;
                }
            }
            self.must(b"]")?;
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

    /// Reads an object of texts.
    fn options<T: Ord + From<Cow<'a, str>>>(&mut self) -> Option<BTreeMap<T, T>> {
        let (mut options, mut before) = (BTreeMap::new(), b'{');
        while self.eat_field(&mut before, b"\"") {
            let key = self.string().map(T::from)?;
            options.insert(key, self.text_after(b":\"")?);
        }
        if options.is_empty() {
            self.must(b"{")?;
        }
        self.must(b"}")?;
        Some(options)
    }

    fn seats<T, C>(&mut self) -> Option<PerSeat<SeatRecord<T, C>>>
    where
        T: From<Cow<'a, str>> + Deserialize<'a>,
        C: From<Cow<'a, str>>,
    {
        self.must(br#","seats":["#)?;
        let mut seats = Vec::with_capacity(2);
        loop {
            seats.push(self.seat()?);
            if !self.eat(b",") {
                break;
            }
        }
        self.must(b"]")?;
        PerSeat::try_from(seats).ok()
    }

    fn seat<T, C>(&mut self) -> Option<SeatRecord<T, C>>
    where
        T: From<Cow<'a, str>> + Deserialize<'a>,
        C: From<Cow<'a, str>>,
    {
        let bot = self.text_after(br#"{"bot":""#)?;
        let version = self.text_after(br#","version":""#)?;
        let digest = self.text_after(br#","digest":""#)?;
        let tc = self.text_after(br#","tc":""#)?;
        let seed = self.after(br#","seed":"#)?;
        let overruns = self.optional(br#","overruns":"#)?.unwrap_or(0).try_into().ok()?;
        let retries = self.optional(br#","retries":"#)?.unwrap_or(0).try_into().ok()?;
        let warnings = self.optional_value(br#","warnings":"#)?.unwrap_or_default();
        let exit = self.text(br#","exit":""#)?;
        let cpu_ms = self.optional(br#","cpu_ms":"#)?;
        let peak_kib = self.optional(br#","peak_kib":"#)?;
        let out = self.optional_value(br#","out":"#)?;
        self.must(b"}")?;
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

    #[inline(always)]
    fn ply<T: From<Cow<'a, str>>>(&mut self) -> Option<PlyRecord<T>> {
        let ply = self.text_after(br#"{"ply":""#)?;
        let san = self.text(br#","san":""#)?;
        let seat = self.after(br#","seat":"#)?.try_into().ok()?;
        let turn = self.after(br#","turn":"#)?.try_into().ok()?;
        let of = match self.optional(br#","of":"#)? {
            Some(seat) => Some(seat.try_into().ok()?),
            None => None,
        };
        let us = self.optional(br#","us":"#)?;
        let used = if self.eat(br#","used":{"cpu_us":"#) {
            let cpu_us = self.number()?;
            let wait_us = self.after(br#","wait_us":"#)?;
            self.must(b"}")?;
            Some(ProcessTimes { cpu_us, wait_us })
        } else {
            None
        };
        let clock = self.optional(br#","clock":"#)?;
        let info = if self.eat(br#","info":"#) { Some(self.info()?) } else { None };
        let fallback = self.eat(br#","fallback":true"#);
        self.must(b"}")?;
        Some(PlyRecord { ply, san, seat, turn, of, us, used, clock, info, fallback })
    }

    #[inline(always)]
    fn info<T: From<Cow<'a, str>>>(&mut self) -> Option<InfoRecord<T>> {
        // The first field follows the brace, the others a comma.
        let mut before = b'{';
        let depth = if self.eat_field(&mut before, br#""depth":"#) { Some(self.number()?) } else { None };
        let cp = if self.eat_field(&mut before, br#""cp":"#) { Some(self.signed()?) } else { None };
        let mate = if self.eat_field(&mut before, br#""mate":"#) { Some(self.signed()?) } else { None };
        let nodes = if self.eat_field(&mut before, br#""nodes":"#) { Some(self.number()?) } else { None };
        let text =
            if self.eat_field(&mut before, br#""text":""#) { Some(T::from(self.string()?)) } else { None };
        if before == b'{' {
            self.must(b"{")?;
        }
        self.must(b"}")?;
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
