//! A small game that answers as it should, and can be broken in one place at a time.
//!
//! Two kings race past each other on two files: `p1` from the bottom to the top, `p2` the other way. Each ply is a step to a neighbouring
//! empty cell. After 40 plies nobody wins.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use own_games::{CarrierFault, CarrierFaultKind, RulesCarrier};
use serde_json::{Value, json};

use super::{Refusal, bad_request, start_and_plies};

/// The plies after which nobody wins.
const CAP: u32 = 40;

/// The rules, with a fault.
#[derive(Debug)]
pub(super) struct Race {
    pub(super) fault: &'static str,
    /// Which instance this is, from 1.
    pub(super) instance: u64,
    pub(super) asked: AtomicU64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    height: u32,
    /// File and rank of the two kings, from 0.
    kings: [(u32, u32); 2],
    seat: usize,
    plies: u32,
}

impl RulesCarrier for Race {
    fn cpu(&self) -> Option<Duration> {
        let asked = self.asked.load(Ordering::Relaxed) as u32;
        match self.fault {
            "heavy" => Some(asked * Duration::from_millis(21)),
            "starved" => Some(asked * Duration::from_micros(2)),
            _ => None,
        }
    }

    fn ask(&self, question: &str) -> Result<String, CarrierFault> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        match self.fault {
            "slow" | "starved" => std::thread::sleep(Duration::from_millis(21)),
            "mute" => return Err(fault(CarrierFaultKind::TooSlow)),
            "no-start" => return Err(fault(CarrierFaultKind::Start)),
            "interrupted" if number == 50 => return Err(fault(CarrierFaultKind::Interrupted)),
            "system" if number == 50 => return Err(fault(CarrierFaultKind::Arena)),
            "dies" if question.contains("no-such-ply") => return Err(fault(CarrierFaultKind::Died)),
            "not-json" if number == 99 => return Ok("{\"position\":".to_owned()),
            "huge" if number == 99 => return Ok(format!("\"{}\"", "x".repeat(1 << 20))),
            _ => {}
        }
        let parts: Vec<_> = question.split(';').collect();
        if let [one] = parts[..] {
            return Ok(self.answer(one, number).to_string());
        }
        let mut answers: Vec<_> = parts.iter().map(|part| self.answer(part, number)).collect();
        match self.fault {
            "first-only" => return Ok(answers.swap_remove(0).to_string()),
            "backwards" => answers.reverse(),
            "batch-short" => answers.truncate(2),
            _ => {}
        }
        Ok(Value::Array(answers).to_string())
    }
}

fn fault(kind: CarrierFaultKind) -> CarrierFault {
    CarrierFault::new(kind, "as the test wants it")
}

impl Race {
    fn answer(&self, question: &str, number: u64) -> Value {
        let words: Vec<_> = question.split_whitespace().collect();
        let answer = match words.split_first() {
            Some((&"about", _)) => Ok(self.about()),
            Some((&"games", _)) => Ok(self.games()),
            Some((&verb @ ("position" | "legal"), words)) => self.position(verb, words, number),
            _ => Err(("bad-request", "no question".to_owned())),
        };
        answer.unwrap_or_else(|(code, message)| match self.fault {
            "code" if code == "unknown-game" => json!({"error": "bad-request", "message": message}),
            "no-message" => json!({"error": code}),
            _ => json!({"error": code, "message": message}),
        })
    }

    fn about(&self) -> Value {
        let format = if self.fault == "format" { 1 } else { 2 };
        let deterministic = self.fault != "random";
        json!({"format": format, "name": "race", "version": "1.0", "deterministic": deterministic})
    }

    fn games(&self) -> Value {
        if self.fault == "no-games" {
            return json!([]);
        }
        let default = match self.fault {
            "other-default" => "5",
            "default-none" => "four",
            _ => "4",
        };
        let height = json!({"name": "height", "default": default, "min": 3, "max": 6, "about": "ranks"});
        let start =
            json!({"name": "start", "default": "same", "values": ["same", "cross"], "about": "files"});
        let board = match self.fault {
            "look-option" => json!({"kind": "cells", "width": 2, "height": "size"}),
            "look-height" => json!({"kind": "cells", "width": 2, "height": 4}),
            "look-width" => json!({"kind": "cells", "width": 3, "height": "height"}),
            _ => json!({"kind": "cells", "width": 2, "height": "height"}),
        };
        let black = if self.fault == "look-letter" { "x" } else { "b" };
        let shape = if self.fault == "look-shape" { "cube" } else { "king" };
        let pieces = json!({
            "w": {"shape": shape, "colour": "white", "name": "white king", "seat": "p1"},
            black: {"shape": "king", "colour": "#201008", "name": "black king", "seat": "p2"},
        });
        let mut game = json!({
            "game": "race", "title": "Race", "about": "two kings on two files", "options": [height, start],
            "seats": [2, 2], "repetition": 3, "pass": false, "notation": "from cell, to cell", "rules": "# Race",
            "caps": ["max-moves"],
            "look": {"board": board, "from": "rows", "hand": 1, "pieces": pieces, "enter": "from-to", "coordinates": true},
        });
        match self.fault {
            "no-title" => game["title"] = json!(["Race"]),
            "repetition-1" => game["repetition"] = json!(1),
            "seats" => game["seats"] = json!([3, 4]),
            "endless" => {
                game["repetition"] = json!(0);
                game["caps"] = json!([]);
            }
            "declared-end" => {
                game["repetition"] = json!(0);
                game["max-plies"] = json!(200);
            }
            _ => {}
        }
        if self.fault == "twice-listed" { json!([game, game]) } else { json!([game]) }
    }

    fn position(&self, verb: &str, words: &[&str], number: u64) -> Result<Value, Refusal> {
        let (game, rest) = words.split_first().ok_or_else(|| bad_request("no game"))?;
        if *game != "race" {
            return Err(("unknown-game", "there is `race` only".to_owned()));
        }
        let count = rest.iter().take_while(|word| word.contains('=')).count();
        let (height, is_cross) = self.options(&rest[..count])?;
        let start = State { height, kings: [(0, 0), (u32::from(is_cross), height - 1)], seat: 0, plies: 0 };
        let (fen, plies) = start_and_plies(&rest[count..])?;
        let mut state = match fen {
            Some(fen) => self.read(fen, height).ok_or(("bad-position", "no position".to_owned()))?,
            None => start,
        };
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let mut is_repeated = false;
        let mut note = |state: &State| {
            let times = seen.entry(state.key()).or_insert(0);
            *times += 1;
            match self.fault {
                "second" => *times >= 2,
                "key-null" => false,
                _ => *times >= 3,
            }
        };
        note(&state);
        for ply in plies {
            let legal = self.legal(&state);
            if !is_repeated && legal.iter().any(|known| known == ply) {
                state = state.after(ply);
            } else if !self.takes(ply, &legal) {
                return Err(("illegal-ply", "not legal".to_owned()));
            }
            is_repeated = note(&state);
        }
        Ok(self.describe(&state, verb, is_repeated, plies.len(), number))
    }

    /// Returns whether a ply that is not legal is passed over, because that is the fault.
    fn takes(&self, ply: &str, legal: &[String]) -> bool {
        let is_plausible = ply.is_ascii() && !ply.starts_with("no-");
        match self.fault {
            "permissive" => is_plausible && !legal.is_empty(),
            "plays-on" => is_plausible && legal.is_empty(),
            _ => false,
        }
    }

    fn options(&self, words: &[&str]) -> Result<(u32, bool), Refusal> {
        let bad = |what: &str| ("bad-option", what.to_owned());
        let (mut height, mut start) = (None, None);
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or_default();
            let slot = match key {
                "height" => &mut height,
                "start" => &mut start,
                _ => return Err(bad("no such option")),
            };
            if slot.replace(value).is_some() && self.fault != "option-twice" {
                return Err(bad("given twice"));
            }
        }
        let height = height.unwrap_or("4");
        let most = match self.fault {
            "narrow" => 5,
            "wide" => 7,
            _ => 6,
        };
        let number = height.parse().ok().filter(|n: &u32| (3..=most).contains(n) && n.to_string() == height);
        let is_cross = match start.unwrap_or("same") {
            "same" => false,
            "cross" => true,
            _ => return Err(bad("no such start")),
        };
        Ok((number.ok_or_else(|| bad("no such height"))?, is_cross))
    }

    fn read(&self, words: &[&str], height: u32) -> Option<State> {
        let [rows, seat, plies] = words else { return None };
        let mut kings = [None, None];
        let rows: Vec<_> = rows.split('/').collect();
        for (row, rank) in rows.iter().zip((0..height).rev()) {
            let mut file = 0;
            for letter in row.chars() {
                match letter {
                    'w' => kings[0] = Some((file, rank)),
                    'b' => kings[1] = Some((file, rank)),
                    '1' => {}
                    '2' => file += 1,
                    _ => return None,
                }
                file += 1;
            }
        }
        let seat = usize::from(seat.strip_prefix('p')?.parse::<u8>().ok()?.checked_sub(1)?);
        let plies = plies.strip_prefix("n=")?.parse().ok()?;
        let state = State { height, kings: [kings[0]?, kings[1]?], seat, plies };
        let is_sound =
            seat < 2 && state.kings[0] != state.kings[1] && state.kings.iter().all(|king| king.0 < 2);
        let is_canonical = is_sound && state.show() == words.join(" ");
        match self.fault {
            _ if !is_sound => None,
            "loose" => Some(state),
            "forgetful" if is_canonical => Some(State { plies: 0, ..state }),
            _ => is_canonical.then_some(state),
        }
    }

    fn legal(&self, state: &State) -> Vec<String> {
        if self.end(state).is_some() { Vec::new() } else { state.steps() }
    }

    fn end(&self, state: &State) -> Option<(&'static str, &'static str)> {
        let is_endless = matches!(self.fault, "endless" | "declared-end");
        match (state.kings, state.plies) {
            _ if is_endless => None,
            ([(_, rank), _], _) if rank + 1 == state.height => Some(("p1win", "arrived")),
            ([_, (_, 0)], _) => Some(("p2win", "arrived")),
            (_, CAP..) => Some(("draw", "max-moves")),
            _ => None,
        }
    }

    fn describe(&self, state: &State, verb: &str, is_repeated: bool, plies: usize, number: u64) -> Value {
        let repeated = ("draw", "repetition");
        let end = self.end(state).filter(|end| end.0 != "draw").or(is_repeated.then_some(repeated));
        let end = end.or(self.end(state));
        let legal = if end.is_some() { Vec::new() } else { state.steps() };
        let next: Vec<_> = legal.iter().map(|ply| state.after(ply)).collect();
        let ends: BTreeMap<_, _> = legal
            .iter()
            .zip(&next)
            .filter_map(|(ply, next)| {
                let (result, reason) = self.end(next)?;
                Some((ply.clone(), json!({"result": result, "reason": reason})))
            })
            .collect();
        let show = |state: &State| {
            // Endless games have no counter, or none would be like another.
            let state =
                State { plies: if self.fault == "endless" { 0 } else { state.plies }, ..state.clone() };
            state.show()
        };
        let seat = state.seat_name();
        let mut answer = json!({
            "game": "race", "position": show(state), "seat": seat, "turn": seat, "fresh": true, "legal": legal,
            "result": end.map(|end| end.0), "reason": end.map(|end| end.1), "key": state.key(), "count": [1, 1],
        });
        if verb == "position" {
            answer["next"] = next.iter().map(show).collect();
            answer["ends"] = json!(ends);
        }
        self.spoil(&mut answer, state, verb, plies, number);
        answer
    }

    /// Breaks an answer, if the fault is in answers.
    fn spoil(&self, answer: &mut Value, state: &State, verb: &str, plies: usize, number: u64) {
        let is_over = !answer["result"].is_null();
        let legal = answer["legal"].as_array().cloned().unwrap_or_default();
        let has_two = legal.len() > 1;
        match self.fault {
            "no-seat" => answer["seat"] = Value::Null,
            "seat-3" => answer["seat"] = json!("p3"),
            "fresh-text" => answer["fresh"] = json!("yes"),
            "other-game" => answer["game"] = json!("chess"),
            "reason-arena" if is_over => answer["reason"] = json!("timeout"),
            "reason-words" if is_over => answer["reason"] = json!("has arrived"),
            "result-white" if is_over => answer["result"] = json!("white"),
            "count-text" => answer["count"] = json!(["1", "1"]),
            "position-break" => answer["position"] = json!("w1/2/2/b1 p1 n=0\u{7}"),
            "position-blanks" => answer["position"] = json!("w1/2/2/b1  p1 n=0"),
            "next-short" if verb == "position" && !is_over => answer["next"] = json!([]),
            "ends-strange" if verb == "position" => {
                answer["ends"] = json!({"h8h9": {"result": "draw", "reason": "strange"}});
            }
            "proofs" if is_over => answer["proofs"] = json!([{"cells": "a1"}]),
            "proof-cell" if is_over => answer["proofs"] = json!([{"cells": ["c1"]}]),
            "san" => answer["san"] = json!(["K"]),
            "label" => answer["label"] = json!({"h8h9": "far away"}),
            "hand" => answer["hand"] = json!([["p1", "q", 1]]),
            "unsorted" if has_two => answer["legal"].as_array_mut().expect("a list").reverse(),
            "double" if has_two => answer["legal"][1] = legal[0].clone(),
            "token" if has_two => answer["legal"][0] = json!("0-0"),
            "legal-short" if verb == "legal" && has_two => answer["legal"] = json!(legal[1..]),
            "legal-key" if verb == "legal" => answer["count"] = json!([2, 2]),
            "next-wrong" if verb == "position" && has_two => answer["next"][0] = answer["next"][1].clone(),
            "ends-none" if verb == "position" => answer["ends"] = json!({}),
            "ends-other" if verb == "position" => {
                for end in answer["ends"].as_object_mut().expect("an object").values_mut() {
                    end["result"] = json!("draw");
                }
            }
            "legal-at-end" if is_over => answer["legal"] = json!(["a1a2"]),
            "nobody" if state.plies > 4 => answer["legal"] = json!([]),
            "stale" if plies == 0 => answer["fresh"] = json!(false),
            "turn-stale" => answer["fresh"] = json!(state.plies == 0),
            "remembers" => answer["count"] = json!([number, 1]),
            "instance" if self.instance > 1 && !is_over => answer["count"] = json!([3, 3]),
            "random" => answer["count"] = json!([number, 1]),
            "key-history" => answer["key"] = json!(format!("{} {plies}", state.key())),
            "key-rows" => answer["key"] = json!(state.show().split(' ').next()),
            "key-null" => answer["key"] = Value::Null,
            "count-late" if state.plies > 3 => {
                drop(answer.as_object_mut().expect("an object").remove("count"));
            }
            "passes" if state.plies == 3 => {
                answer["legal"] = json!(["pass"]);
                if verb == "position" {
                    answer["next"] = json!([State { plies: 4, seat: 0, ..state.clone() }.show()]);
                    answer["ends"] = json!({});
                }
            }
            "one-seat" => answer["seat"] = json!("p1"),
            "long" if state.plies > 2 => answer["position"] = json!("x".repeat(5000)),
            "many" => answer["legal"] = (0..5000).map(|n| format!("a{n}")).collect(),
            "self-repeating" if state.plies == 1 => {
                answer["result"] = json!("draw");
                answer["reason"] = json!("repetition");
                answer["legal"] = json!([]);
                if verb == "position" {
                    (answer["next"], answer["ends"]) = (json!([]), json!({}));
                }
            }
            _ => {}
        }
    }
}

impl State {
    fn seat_name(&self) -> &'static str {
        ["p1", "p2"][self.seat]
    }

    fn key(&self) -> String {
        let rows: Vec<_> = (0..self.height)
            .rev()
            .map(|rank| {
                let cell = |file| ["w", "b"].iter().zip(self.kings).find(|(_, king)| *king == (file, rank));
                match (cell(0), cell(1)) {
                    (None, None) => "2".to_owned(),
                    (one, other) => [one, other].map(|king| king.map_or("1", |king| *king.0)).concat(),
                }
            })
            .collect();
        format!("{} {}", rows.join("/"), self.seat_name())
    }

    fn show(&self) -> String {
        format!("{} n={}", self.key(), self.plies)
    }

    fn steps(&self) -> Vec<String> {
        let (file, rank) = self.kings[self.seat];
        let near = |to: &(u32, u32)| {
            *to != (file, rank) && *to != self.kings[1 - self.seat] && to.1.abs_diff(rank) <= 1
        };
        let cells = (0..2).flat_map(|file| (0..self.height).map(move |rank| (file, rank)));
        let name = |(file, rank): (u32, u32)| format!("{}{}", ["a", "b"][file as usize], rank + 1);
        cells.filter(near).map(|to| name((file, rank)) + &name(to)).collect()
    }

    fn after(&self, ply: &str) -> Self {
        let (file, rank) = (u32::from(ply.as_bytes()[2] - b'a'), u32::from(ply.as_bytes()[3] - b'1'));
        let mut kings = self.kings;
        kings[self.seat] = (file, rank);
        Self { kings, seat: 1 - self.seat, plies: self.plies + 1, ..self.clone() }
    }
}
