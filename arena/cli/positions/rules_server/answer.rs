//! Answers as JSON. Programs rely on these keys: `protocol-spec/rules-server.md`.

use std::collections::BTreeMap;

use protocol::printable_capped;
use rules::{Referee, Setup, Verdict};
use serde::Serialize;

use crate::positions::games;
use crate::positions::rules_server::document::{RequestError, to_json};
use crate::positions::rules_server::request::PositionReader;

/// The version of the format.
const FORMAT: u32 = 1;

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
pub(super) fn answer(reader: &mut PositionReader, request: &str) -> String {
    let words: Vec<_> = request.split_whitespace().collect();
    let (verb, words) = words.split_first().map_or(("", &words[..]), |(verb, words)| (*verb, words));
    let position = match verb {
        "position" | "legal" => reader.position(words),
        "games" => return games::to_json(rules::GAMES).trim_end().to_owned(),
        "about" => {
            let (arena, rules) = (env!("CARGO_PKG_VERSION"), rules::signature());
            return to_json(&About { arena, format: FORMAT, rules });
        }
        other => {
            let message = format!("`{}` is no request", printable_capped(other, 80));
            return RequestError::new("bad-request", message).to_json();
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
