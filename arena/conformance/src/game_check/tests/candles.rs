//! A small game for two to four that answers as it should, and can be broken in one place at a time.
//!
//! Every seat has three candles. A ply puts out a candle of any seat that is in: `b1` one of the second seat. Whose last candle is out, is out.

use std::collections::BTreeMap;

use own_games::{CarrierFault, RulesCarrier};
use serde_json::{Value, json};

use super::{Refusal, bad_request, start_and_plies};

/// How many candles a seat has at the start.
const CANDLES: u8 = 3;

/// The rules, with a fault.
#[derive(Debug)]
pub(super) struct Candles {
    pub(super) fault: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    /// By seat; 0 for a seat that is out.
    candles: Vec<u8>,
    /// By seat; 0 for a seat that is in.
    places: Vec<u8>,
    seat: usize,
    /// What the string does not tell: the seats that went out with the plies of the question, and who committed a fault.
    exits: BTreeMap<usize, &'static str>,
    /// The places, if a fault has ended the game.
    end: Option<Vec<u8>>,
}

impl RulesCarrier for Candles {
    fn ask(&self, question: &str) -> Result<String, CarrierFault> {
        let answers: Vec<_> = question.split(';').map(|question| self.answer(question)).collect();
        Ok(match <[Value; 1]>::try_from(answers) {
            Ok([one]) => one.to_string(),
            Err(several) => Value::Array(several).to_string(),
        })
    }
}

impl Candles {
    fn answer(&self, question: &str) -> Value {
        let words: Vec<_> = question.split_whitespace().collect();
        let answer = match words.split_first() {
            Some((&"about", _)) => {
                Ok(json!({"format": 2, "name": "candles", "version": "1.0", "deterministic": true}))
            }
            Some((&"games", _)) => Ok(self.games()),
            Some((&verb @ ("position" | "legal"), words)) => self.position(verb, words),
            _ => Err(("bad-request", "no question".to_owned())),
        };
        answer.unwrap_or_else(|(code, message)| json!({"error": code, "message": message}))
    }

    fn games(&self) -> Value {
        let default = if self.fault == "default-most" { "4" } else { "2" };
        let mut players =
            json!({"name": "players", "min": 2, "max": 4, "default": default, "about": "seats"});
        let seats = match self.fault {
            "too-many-seats" => json!([2, 9]),
            "seats-backwards" => json!([4, 2]),
            "seats-beyond" => json!([2, 5]),
            _ => json!([2, 4]),
        };
        if self.fault == "no-players" {
            players["name"] = json!("chairs");
        }
        json!([{"game": "candles", "title": "Candles", "about": "whose light lasts", "options": [players], "seats": seats}])
    }

    fn position(&self, verb: &str, words: &[&str]) -> Result<Value, Refusal> {
        let (game, rest) = words.split_first().ok_or_else(|| bad_request("no game"))?;
        if *game != "candles" {
            return Err(("unknown-game", "there is `candles` only".to_owned()));
        }
        let option = |word: &str| ("bad-option", format!("{word} is no option"));
        let (seats, rest) = match rest.split_first() {
            Some((word, rest)) if word.contains('=') => {
                let seats = ["players=2", "players=3", "players=4"].iter().position(|known| known == word);
                (seats.ok_or_else(|| option(word))? + 2, rest)
            }
            _ => (2, rest),
        };
        let start = State {
            candles: vec![CANDLES; seats],
            places: vec![0; seats],
            seat: 0,
            exits: BTreeMap::new(),
            end: None,
        };
        if let Some(word) = rest.first().filter(|word| word.contains('=')) {
            return Err(option(word));
        }
        let (fen, plies) = start_and_plies(rest)?;
        let mut state = match fen {
            Some(fen) => State::read(fen, seats).ok_or(("bad-position", "no position".to_owned()))?,
            None => start,
        };
        for ply in plies {
            if !self.play(&mut state, ply) {
                return Err(("illegal-ply", "not legal".to_owned()));
            }
        }
        Ok(self.describe(&state, verb, plies.len()))
    }

    /// Plays a ply or a fault, unless it is illegal.
    fn play(&self, state: &mut State, ply: &str) -> bool {
        if state.places().is_some() {
            return false;
        }
        let faulty = ply.strip_prefix("fault.p").filter(|_| state.candles.len() > 2);
        if let Some(number) = faulty {
            let seat = number.parse().unwrap_or(0_usize).wrapping_sub(1);
            let is_in = state.candles.get(seat).is_some_and(|candles| *candles > 0);
            return match self.fault {
                "fault-of-out" if !is_in => true,
                "fault-refused" => false,
                "fault-of-decider-only" if seat != state.seat => false,
                _ if !is_in => false,
                "fault-ignored" => true,
                _ => {
                    self.commit(state, seat);
                    true
                }
            };
        }
        let is_legal = state.legal().iter().any(|legal| legal == ply);
        if is_legal {
            let seat = usize::from(ply.as_bytes()[0] - b'a');
            state.candles[seat] -= 1;
            if state.candles[seat] == 0 {
                state.put_out(seat, "dark");
            }
            state.go_on(self.fault == "out-decides");
        }
        is_legal
    }

    fn commit(&self, state: &mut State, seat: usize) {
        let left = state.left();
        state.candles[seat] = 0;
        if left == 2 || self.fault == "fault-wins" {
            let mut places: Vec<_> = state.places.iter().map(|place| (*place).max(1)).collect();
            places[seat] = 2;
            if self.fault == "fault-wins" {
                places = vec![2; state.candles.len()];
                places[seat] = 1;
            }
            state.end = Some(places);
            return;
        }
        state.places[seat] = left;
        state.exits.insert(seat, "fault");
        if self.fault == "fault-late" && seat == state.seat {
            // The string shows another seat to decide.
            state.end = None;
            state.exits.insert(usize::MAX, "late");
        }
        if seat == state.seat {
            state.go_on(false);
        }
    }

    fn describe(&self, state: &State, verb: &str, plies: usize) -> Value {
        let places = state.places();
        let seats = state.candles.len();
        let legal = if places.is_some() { Vec::new() } else { state.legal() };
        let mut next = Vec::new();
        let mut ends = BTreeMap::new();
        for ply in &legal {
            let mut after = state.clone();
            self.play(&mut after, ply);
            next.push(after.show());
            if let Some(places) = after.places() {
                ends.insert(ply, json!({"result": self.result(&places), "reason": "dark"}));
            }
        }
        let reason = if state.end.is_some() { "fault" } else { "dark" };
        let mut answer = json!({
            "game": "candles", "position": state.show(), "seat": name(state.seat), "legal": legal, "count": state.candles,
            "result": places.as_ref().map(|places| self.result(places)), "reason": places.as_ref().map(|_| reason),
        });
        if verb == "position" {
            answer["next"] = json!(next);
            answer["ends"] = json!(ends);
        }
        if seats > 2 {
            let out = state.places.iter().enumerate().filter(|(_, place)| **place > 0);
            answer["out"] = out.map(|(seat, place)| (name(seat), json!(place))).collect();
            let exits = state.exits.iter().filter(|(seat, _)| **seat < seats && state.places[**seat] > 0);
            answer["exits"] = exits.map(|(seat, reason)| (name(*seat), json!(reason))).collect();
            if let Some(places) = &places {
                answer["places"] = json!(places);
            }
            self.spoil(&mut answer, state, plies);
        }
        answer
    }

    fn result(&self, places: &[u8]) -> String {
        match places {
            [1, _] => "p1win".to_owned(),
            [_, _] => "p2win".to_owned(),
            _ if self.fault == "result-win" => "p1win".to_owned(),
            _ if self.fault == "result-short" => "1,2".to_owned(),
            _ if self.fault == "result-gap" => {
                let one = |place: &u8| if *place == 1 { "1" } else { "9" };
                places.iter().map(one).collect::<Vec<_>>().join(",")
            }
            _ => places.iter().map(u8::to_string).collect::<Vec<_>>().join(","),
        }
    }

    /// Breaks an answer about a table, if the fault is in answers.
    fn spoil(&self, answer: &mut Value, state: &State, plies: usize) {
        let is_over = !answer["result"].is_null();
        let someone = answer["out"].as_object().and_then(|out| out.keys().next().cloned());
        match (self.fault, someone) {
            ("count-two", _) => answer["count"] = json!([1, 1]),
            ("places-other", _) if is_over => answer["places"] = json!([1, 1, 1]),
            ("out-list", _) => answer["out"] = json!(["p1"]),
            ("out-stranger", _) => answer["out"] = json!({"p5": 3}),
            ("exits-list", _) => answer["exits"] = json!(["dark"]),
            ("exits-arena", Some(seat)) => answer["exits"] = json!({seat: "timeout"}),
            ("exits-alone", _) => answer["exits"] = json!({"p1": "dark"}),
            ("proof-seat", _) if is_over => answer["proofs"] = json!([{"cells": ["a1"], "seat": "p5"}]),
            ("no-exits", _) => answer["exits"] = json!({}),
            ("comes-back", Some(_)) if !is_over && state.left() == 2 => {
                // Only the last one that went out is told.
                let last = state.places.iter().position(|place| *place == 3).map(name);
                answer["out"]
                    .as_object_mut()
                    .expect("an object")
                    .retain(|seat, _| Some(seat) == last.as_ref());
            }
            ("best-place", Some(seat)) => answer["out"][seat] = json!(1),
            ("out-history", Some(_)) if !is_over && plies == 0 => {
                answer["out"] = json!({});
                answer["exits"] = json!({});
            }
            ("end-forgets", Some(_)) if is_over => {
                let shared = vec!["1"; state.candles.len()].join(",");
                answer["result"] = json!(shared);
                answer.as_object_mut().expect("an object").remove("places");
            }
            ("never-third", _) if answer["seat"] == "p3" && !is_over => answer["seat"] = json!("p1"),
            ("fault-late", _) if state.exits.contains_key(&usize::MAX) => {
                answer["seat"] =
                    json!(name((0..state.candles.len()).rfind(|seat| state.candles[*seat] > 0).unwrap_or(0)));
            }
            _ => {}
        }
    }
}

fn name(seat: usize) -> String {
    format!("p{}", seat + 1)
}

impl State {
    fn left(&self) -> u8 {
        self.candles.iter().filter(|candles| **candles > 0).count() as u8
    }

    fn put_out(&mut self, seat: usize, reason: &'static str) {
        let left = self.left();
        // The last but one goes out with the game.
        if left > 1 {
            self.places[seat] = left + 1;
            self.exits.insert(seat, reason);
        }
    }

    fn go_on(&mut self, is_lazy: bool) {
        let seats = self.candles.len();
        self.seat = (self.seat + 1) % seats;
        while !is_lazy && self.left() > 0 && self.candles[self.seat] == 0 {
            self.seat = (self.seat + 1) % seats;
        }
    }

    fn places(&self) -> Option<Vec<u8>> {
        let place = |(candles, place): (&u8, &u8)| if *candles > 0 { 1 } else { (*place).max(2) };
        let shown = (self.left() == 1).then(|| self.candles.iter().zip(&self.places).map(place).collect());
        self.end.clone().or(shown)
    }

    fn legal(&self) -> Vec<String> {
        let lit = self.candles.iter().enumerate().filter(|(_, candles)| **candles > 0);
        lit.map(|(seat, _)| format!("{}1", char::from(b'a' + seat as u8))).collect()
    }

    fn show(&self) -> String {
        let join = |numbers: &[u8]| numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        format!("{} {} {}", join(&self.candles), join(&self.places), name(self.seat))
    }

    fn read(words: &[&str], seats: usize) -> Option<Self> {
        let [candles, places, seat] = words else { return None };
        let numbers = |text: &str| text.split(',').map(str::parse).collect::<Result<Vec<u8>, _>>().ok();
        let (candles, places) = (numbers(candles)?, numbers(places)?);
        let seat = seat.strip_prefix('p')?.parse::<usize>().ok()?.checked_sub(1)?;
        let state = Self { candles, places, seat, exits: BTreeMap::new(), end: None };
        let fits =
            [&state.candles, &state.places].into_iter().all(|list| list.len() == seats) && seat < seats;
        let is_sound = fits
            && state.left() > 0
            && state.candles.iter().all(|candles| *candles <= CANDLES)
            && (state.candles[seat] > 0 || state.left() == 1)
            && state.candles.iter().zip(&state.places).all(|(candles, place)| *candles == 0 || *place == 0);
        let left = state.left();
        let mut out: Vec<_> = state.places.iter().copied().filter(|place| *place > 0).collect();
        out.sort_unstable();
        let dark = seats as u8 - left;
        // Each place behind those that are left once; the last but one has none.
        let first = if left == 1 { 3 } else { left + 1 };
        let is_ordered = out.iter().copied().eq(first..=seats as u8);
        let is_complete = if left == 1 { out.len() as u8 + 1 == dark } else { out.len() as u8 == dark };
        (is_sound && is_ordered && is_complete && state.show() == words.join(" ")).then_some(state)
    }
}
