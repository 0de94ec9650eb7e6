//! Answers as JSON. Programs rely on these keys: `protocol-spec/rules-server.md`.

use std::collections::BTreeMap;

use protocol::printable_capped;
use rules::{Referee, Setup, Verdict};
use serde::Serialize;

use crate::games;
use crate::rules_server::request::Desk;

/// The version of the format.
const FORMAT: u32 = 1;

/// What is wrong with a request.
#[derive(Debug, Serialize)]
pub(super) struct Fault {
    error: &'static str,
    message: String,
}

impl Fault {
    /// Returns a fault with its code.
    pub(super) const fn new(error: &'static str, message: String) -> Self {
        Self { error, message }
    }

    /// Returns the fault as an answer.
    pub(super) fn to_json(&self) -> String {
        to_json(self)
    }
}

/// A position and what follows from it.
#[derive(Serialize)]
struct Position {
    game: String,
    position: String,
    seat: String,
    turn: String,
    fresh: bool,
    legal: Vec<String>,
    #[serde(flatten)]
    following: Option<Following>,
    result: Option<String>,
    reason: Option<&'static str>,
}

/// What comes after each legal ply.
#[derive(Serialize)]
struct Following {
    next: Vec<String>,
    ends: BTreeMap<String, End>,
}

/// How a game ends.
#[derive(Serialize)]
struct End {
    result: String,
    reason: &'static str,
}

/// What the server is.
#[derive(Serialize)]
struct About {
    arena: &'static str,
    format: u32,
    rules: String,
}

/// Answers a request, as JSON without the end of the line.
pub(super) fn answer(desk: &mut Desk, request: &str) -> String {
    let words: Vec<_> = request.split_whitespace().collect();
    let (verb, words) = words.split_first().map_or(("", &words[..]), |(verb, words)| (*verb, words));
    let position = match verb {
        "position" | "legal" => desk.position(words),
        "games" => return games::to_json(rules::GAMES).trim_end().to_owned(),
        "about" => {
            let (arena, rules) = (env!("CARGO_PKG_VERSION"), rules::signature());
            return to_json(&About { arena, format: FORMAT, rules });
        }
        other => {
            let message = format!("`{}` is no request", printable_capped(other, 80));
            return Fault::new("bad-request", message).to_json();
        }
    };
    match position {
        Ok((setup, referee)) => to_json(&describe(&setup, &*referee, verb == "position")),
        Err(fault) => fault.to_json(),
    }
}

fn describe(setup: &Setup, referee: &dyn Referee, follows: bool) -> Position {
    let legal = referee.legal();
    let turn = referee.turn();
    let end = referee.outcome().map(End::from);
    Position {
        game: setup.label(),
        position: referee.position(),
        seat: referee.seat().to_string(),
        turn: turn.seat.to_string(),
        fresh: turn.is_fresh,
        following: follows.then(|| Following::of(referee, &legal)),
        legal,
        reason: end.as_ref().map(|end| end.reason),
        result: end.map(|end| end.result),
    }
}

impl Following {
    fn of(referee: &dyn Referee, legal: &[String]) -> Self {
        let mut following = Self { next: Vec::with_capacity(legal.len()), ends: BTreeMap::new() };
        for ply in legal {
            let mut after = referee.fork();
            after.submit(ply).expect("a ply from the list of legal plies is legal");
            following.next.push(after.position());
            if let Some(verdict) = after.outcome() {
                following.ends.insert(ply.clone(), verdict.into());
            }
        }
        following
    }
}

impl From<Verdict> for End {
    fn from(verdict: Verdict) -> Self {
        Self { result: verdict.outcome.to_string(), reason: verdict.reason.code() }
    }
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings and numbers can be written as JSON")
}
