//! The answer to `position` and `legal`, read key by key, so that each flaw is told by its name.

use std::collections::{BTreeMap, BTreeSet};

use own_games::{MOST_LEGAL_PLIES, MOST_POSITION_BYTES, PositionAnswer};
use protocol::{is_ply_token, printable_capped};
use rules::{Places, Seat};
use serde::Deserialize as _;
use serde_json::{Map, Value};

use crate::game_check::catalogue::{FINAL, KEYS, LIMITS, OUT, PLIES};
use crate::game_check::findings::Flaw;

/// The most bytes of a reason.
const MAX_REASON: usize = 31;

/// How many characters of a value are shown.
const SHOWN: usize = 80;
const LONG: usize = 400;

/// What the rules say of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) position: String,
    pub(super) seat: String,
    pub(super) turn: String,
    pub(super) is_fresh: bool,
    pub(super) legal: Vec<String>,
    /// Where the plies lead; empty for `legal`.
    pub(super) next: Vec<String>,
    pub(super) ends: BTreeMap<String, GameEnd>,
    pub(super) end: Option<GameEnd>,
    /// What counts for repetition, if the position does.
    pub(super) key: Option<String>,
    pub(super) has_count: bool,
    /// The seats that are out, with their places, at a table of more than two.
    pub(super) out: BTreeMap<String, u64>,
}

/// How a game ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameEnd {
    pub(super) result: String,
    pub(super) reason: String,
}

impl std::fmt::Display for GameEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.result, self.reason)
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Position,
    Legal,
}

impl Answer {
    /// Reads an answer about a table of this many seats. What can be used in spite of a flaw is returned beside it.
    pub(super) fn read(value: &Value, verb: Verb, game: &str, seats: usize) -> (Option<Self>, Vec<Flaw>) {
        let mut reader = Reader { flaws: Vec::new(), object: value.as_object(), seats };
        let answer = reader.answer(verb, game);
        // Whatever else the referee refuses.
        if reader.flaws.is_empty() {
            let refused = match PositionAnswer::deserialize(value) {
                Ok(answer) => {
                    let about_table = answer.check_table(seats).map_err(|what| (OUT, what));
                    about_table.and_then(|()| answer.check(seats).map_err(|what| (KEYS, what)))
                }
                Err(error) => Err((KEYS, error.to_string())),
            };
            if let Err((test, what)) = refused {
                reader.flaw(test, printable_capped(&what, LONG));
            }
        }
        (answer, reader.flaws)
    }
}

/// Returns whether a text can stand in a position string or a key.
pub(super) fn is_line(text: &str) -> bool {
    !text.chars().any(|c| c == ';' || c.is_control())
}

/// Returns whether a word can be a reason.
pub(super) fn is_reason(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=MAX_REASON).contains(&text.len()) && text.bytes().all(is_letter)
}

/// Returns a value as it is shown in a message.
pub(super) fn shown(value: &Value) -> String {
    printable_capped(&value.to_string(), SHOWN)
}

struct Reader<'v> {
    flaws: Vec<Flaw>,
    object: Option<&'v Map<String, Value>>,
    seats: usize,
}

impl<'v> Reader<'v> {
    fn answer(&mut self, verb: Verb, game: &str) -> Option<Answer> {
        let Some(object) = self.object else {
            self.flaw(KEYS, "the answer is no object".to_owned());
            return None;
        };
        if let Some(echo) = object.get("game") {
            let word = echo.as_str().and_then(|text| text.split(' ').next());
            if word != Some(game) {
                self.flaw(KEYS, format!("`game` is {}, but `{game}` was asked about", shown(echo)));
            }
        }
        let position = self.position("position", object.get("position")).map(str::to_owned);
        let seat = self.seat("seat", object.get("seat")).map(str::to_owned);
        let turn = match object.get("turn") {
            None => seat.clone(),
            turn => self.seat("turn", turn).map(str::to_owned),
        };
        let is_fresh = match object.get("fresh") {
            None => Some(true),
            Some(Value::Bool(fresh)) => Some(*fresh),
            Some(other) => self.wrong("fresh", other, "`true` or `false`"),
        };
        let legal = self.legal(object.get("legal"));
        let end = self.end(object);
        let key = match object.get("key") {
            None => Some(position.clone()),
            Some(Value::Null) => Some(None),
            Some(Value::String(key)) if key.len() <= MOST_POSITION_BYTES && is_line(key) => {
                Some(Some(key.clone()))
            }
            Some(other) => self.wrong("key", other, "a line of at most 4096 bytes, or `null`"),
        };
        let has_count = self.count(object.get("count"));
        let out = if self.seats > 2 { self.out(object)? } else { BTreeMap::new() };
        let legal = legal?;
        if end.as_ref()?.is_some() && !legal.is_empty() {
            let what = format!("the game is over, but `legal` has {} plies", legal.len());
            self.flaw(FINAL, what);
        }
        if end.as_ref()?.is_none() && legal.is_empty() {
            let what = "nobody can play, but `result` is `null`".to_owned();
            let advice = "say how the game ends, or make `pass` the only legal ply";
            self.flaws.push(Flaw::new(FINAL, what).advised(advice));
        }
        let (next, ends) = match verb {
            Verb::Legal => (Vec::new(), BTreeMap::new()),
            Verb::Position => (self.next(object, &legal)?, self.ends(object, &legal)?),
        };
        self.about_plies(object, &legal);
        Some(Answer {
            position: position?,
            seat: seat?,
            turn: turn?,
            is_fresh: is_fresh?,
            legal,
            next,
            ends,
            end: end?,
            key: key?,
            has_count: has_count?,
            out,
        })
    }

    fn flaw(&mut self, test: u8, what: String) {
        self.flaws.push(Flaw::new(test, what));
    }

    fn wrong<T>(&mut self, key: &str, value: &Value, wanted: &str) -> Option<T> {
        self.flaw(KEYS, format!("`{key}` is {}, but must be {wanted}", shown(value)));
        None
    }

    fn missing<T>(&mut self, key: &str) -> Option<T> {
        self.flaw(KEYS, format!("the key `{key}` is missing"));
        None
    }

    fn position(&mut self, key: &str, value: Option<&'v Value>) -> Option<&'v str> {
        let text = match value {
            None => return self.missing(key),
            Some(Value::String(text)) => text,
            Some(other) => return self.wrong(key, other, "a text"),
        };
        if text.len() > MOST_POSITION_BYTES {
            let what = format!("`{key}` has {} bytes, more than {MOST_POSITION_BYTES}", text.len());
            self.flaw(LIMITS, what);
            return None;
        }
        if !is_line(text) {
            return self.wrong(
                key,
                &Value::String(text.clone()),
                "a text without `;` and control characters",
            );
        }
        if text.is_empty() || text.split(' ').any(str::is_empty) {
            return self.wrong(key, &Value::String(text.clone()), "words with single blanks between them");
        }
        Some(text)
    }

    fn seat(&mut self, key: &str, value: Option<&'v Value>) -> Option<&'v str> {
        match value {
            None => self.missing(key),
            Some(Value::String(seat)) if self.is_seat(seat) => Some(seat),
            Some(other) if self.seats == 2 => self.wrong(key, other, "`\"p1\"` or `\"p2\"`"),
            Some(other) => self.wrong(key, other, &format!("one of `\"p1\"` to `\"p{}\"`", self.seats)),
        }
    }

    fn is_seat(&self, text: &str) -> bool {
        text.parse().is_ok_and(|seat: Seat| seat.index() < self.seats)
    }

    /// Reads the seats that are out, and looks at `exits`.
    fn out(&mut self, object: &'v Map<String, Value>) -> Option<BTreeMap<String, u64>> {
        let mut out = BTreeMap::new();
        match object.get("out") {
            None => {}
            Some(Value::Object(map)) => {
                for (seat, place) in map {
                    let known =
                        place.as_u64().filter(|place| *place as usize <= self.seats && self.is_seat(seat));
                    let Some(place) = known else {
                        return self.wrong("out", &Value::Object(map.clone()), "an object: seat to place");
                    };
                    out.insert(seat.clone(), place);
                }
            }
            Some(other) => return self.wrong("out", other, "an object: seat to place"),
        }
        match object.get("exits") {
            None => {}
            Some(Value::Object(map)) if map.values().all(|reason| reason.as_str().is_some_and(is_reason)) => {
            }
            Some(other) => return self.wrong("exits", other, "an object: seat to reason"),
        }
        Some(out)
    }

    fn legal(&mut self, value: Option<&'v Value>) -> Option<Vec<String>> {
        let list = match value {
            None => return self.missing("legal"),
            Some(Value::Array(list)) => list,
            Some(other) => return self.wrong("legal", other, "a list of plies"),
        };
        let mut legal = Vec::with_capacity(list.len());
        for ply in list {
            match ply.as_str() {
                Some(ply) => legal.push(ply.to_owned()),
                None => return self.wrong("legal", ply, "a list of texts"),
            }
        }
        if legal.len() > MOST_LEGAL_PLIES {
            let what = format!("`legal` has {} plies, more than {MOST_LEGAL_PLIES}", legal.len());
            self.flaw(LIMITS, what);
            return None;
        }
        if let Some(ply) = legal.iter().find(|ply| !is_ply_token(ply)) {
            let what = format!("`{}` is no token of a ply", printable_capped(ply, SHOWN));
            self.flaw(PLIES, what);
        }
        if let Some(pair) = legal.windows(2).find(|pair| pair[0] >= pair[1]) {
            let how = if pair[0] == pair[1] { "stands twice" } else { "comes before a lesser one" };
            let what = format!("`{}` {how} in `legal`", printable_capped(&pair[0], SHOWN));
            self.flaw(PLIES, what);
        }
        Some(legal)
    }

    /// Reads `result` and `reason`.
    fn end(&mut self, object: &'v Map<String, Value>) -> Option<Option<GameEnd>> {
        match (object.get("result"), object.get("reason")) {
            (None | Some(Value::Null), None | Some(Value::Null)) => Some(None),
            (None | Some(Value::Null), Some(reason)) => {
                self.wrong("reason", reason, "`null` while the game goes on")
            }
            (Some(result), reason) => self.game_end(result, reason).map(Some),
        }
    }

    fn game_end(&mut self, result: &Value, reason: Option<&Value>) -> Option<GameEnd> {
        let is_known = |text: &&str| match self.seats {
            2 => matches!(*text, "p1win" | "p2win" | "draw"),
            seats => text.parse().is_ok_and(|places: Places| places.seats() == seats),
        };
        let Some(result) = result.as_str().filter(is_known) else {
            let wanted = match self.seats {
                2 => "`p1win`, `p2win`, `draw` or `null`".to_owned(),
                seats => format!(
                    "the places of {seats} seats, as `1,2,2`, or `null`: each is one plus the number of seats that did better"
                ),
            };
            return self.wrong("result", result, &wanted);
        };
        let reason = match reason {
            None => return self.missing("reason"),
            Some(Value::String(reason)) if is_reason(reason) => reason,
            Some(other) => {
                return self.wrong("reason", other, "a word of at most 31 small letters, digits and `-`");
            }
        };
        Some(GameEnd { result: result.to_owned(), reason: reason.clone() })
    }

    fn count(&mut self, value: Option<&'v Value>) -> Option<bool> {
        match value {
            None => Some(false),
            Some(Value::Array(list))
                if list.len() == self.seats && list.iter().all(|n| n.as_u64().is_some()) =>
            {
                Some(true)
            }
            Some(other) if self.seats == 2 => self.wrong("count", other, "two numbers, such as `[4,3]`"),
            Some(other) => self.wrong("count", other, &format!("a list of {} numbers", self.seats)),
        }
    }

    fn next(&mut self, object: &'v Map<String, Value>, legal: &[String]) -> Option<Vec<String>> {
        let list = match object.get("next") {
            None => return self.missing("next"),
            Some(Value::Array(list)) => list,
            Some(other) => return self.wrong("next", other, "a list of position strings"),
        };
        if list.len() != legal.len() {
            self.flaw(KEYS, format!("`next` has {} positions for {} plies", list.len(), legal.len()));
            return None;
        }
        let mut next = Vec::with_capacity(list.len());
        for value in list {
            next.push(self.position("next", Some(value))?.to_owned());
        }
        Some(next)
    }

    fn ends(
        &mut self,
        object: &'v Map<String, Value>,
        legal: &[String],
    ) -> Option<BTreeMap<String, GameEnd>> {
        let map = match object.get("ends") {
            None => return self.missing("ends"),
            Some(Value::Object(map)) => map,
            Some(other) => return self.wrong("ends", other, "an object: ply to `result` and `reason`"),
        };
        let known: BTreeSet<_> = legal.iter().collect();
        let mut ends = BTreeMap::new();
        for (ply, end) in map {
            if !known.contains(ply) {
                self.flaw(
                    KEYS,
                    format!("`ends` names `{}`, which is not legal", printable_capped(ply, SHOWN)),
                );
                return None;
            }
            let Some(result) = end.get("result") else { return self.missing("result` in `ends") };
            ends.insert(ply.clone(), self.game_end(result, end.get("reason"))?);
        }
        Some(ends)
    }

    /// Reads what the answer says of the plies and of the end for people.
    fn about_plies(&mut self, object: &'v Map<String, Value>, legal: &[String]) {
        match object.get("san") {
            None => {}
            Some(Value::Array(list))
                if list.len() == legal.len() && list.iter().all(|word| word.as_str().is_some()) => {}
            Some(other) => {
                self.wrong::<()>("san", other, "a list of texts, one for each legal ply");
            }
        }
        match object.get("label") {
            None => {}
            Some(Value::Object(map))
                if map.iter().all(|(ply, words)| legal.contains(ply) && words.is_string()) => {}
            Some(other) => {
                self.wrong::<()>("label", other, "an object: legal ply to words");
            }
        }
        match object.get("words") {
            None | Some(Value::Null | Value::String(_)) => {}
            Some(other) => {
                self.wrong::<()>("words", other, "a text");
            }
        }
        match object.get("proofs") {
            None => {}
            Some(Value::Array(list)) => {
                let is_proof = |proof: &Value| {
                    let cells = proof.get("cells").and_then(Value::as_array);
                    let has_cells = cells.is_some_and(|cells| cells.iter().all(Value::is_string));
                    let seat = proof.get("seat").and_then(Value::as_str);
                    let is_seat = proof.get("seat").is_none_or(Value::is_null)
                        || seat.is_some_and(|seat| self.is_seat(seat));
                    has_cells && is_seat && proof.get("words").is_none_or(Value::is_string)
                };
                if let Some(proof) = list.iter().find(|proof| !is_proof(proof)) {
                    self.wrong::<()>("proofs", proof, "a list of objects with `cells`, `seat` and `words`");
                }
            }
            Some(other) => {
                self.wrong::<()>("proofs", other, "a list of objects");
            }
        }
    }
}
