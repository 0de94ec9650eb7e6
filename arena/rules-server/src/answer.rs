//! Answers as JSON. Programs rely on these keys: `protocol-spec/rules-server.md`.

use std::collections::BTreeMap;

use protocol::printable_capped;
use rules::{Proof, Referee, Seat, Verdict};
use serde::Serialize;

use crate::document::{RequestError, to_json};
use crate::games::games_json;
use crate::request::{KnownGame, PositionReader};

/// The version of the format.
const FORMAT: u32 = 2;

/// A position and what follows from it.
#[derive(Serialize)]
struct Position<'a> {
    game: &'a str,
    position: &'a str,
    seat: String,
    turn: String,
    fresh: bool,
    legal: Vec<String>,
    #[serde(flatten)]
    following: Option<Following>,
    result: Option<String>,
    reason: Option<&'static str>,
    /// What counts for repetition, in a game that cares for it: `None` in the middle of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<Vec<u32>>,
    /// At a table of more than two: the places at the end, and before it the seats that are out with their places.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Vec<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<BTreeMap<String, u8>>,
    /// Why seats are out, as far as the plies of the request show it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    exits: BTreeMap<String, &'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proofs: Vec<ProofLine>,
}

/// Cells that show why the game is over.
#[derive(Serialize)]
struct ProofLine {
    shape: &'static str,
    seat: String,
    cells: Vec<String>,
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
    name: &'static str,
    version: &'static str,
    deterministic: bool,
}

/// Answers a request, as JSON without the end of the line.
pub(super) fn answer(reader: &mut PositionReader, request: &str) -> String {
    let words: Vec<_> = request.split_whitespace().collect();
    let (verb, words) = words.split_first().map_or(("", &words[..]), |(verb, words)| (*verb, words));
    let position = match verb {
        "position" | "legal" => reader.position(words),
        "games" => return games_json().trim_end().to_owned(),
        "about" => {
            let (arena, rules) = (env!("CARGO_PKG_VERSION"), rules::signature());
            let (name, version) = ("arena", arena);
            return to_json(&About { arena, format: FORMAT, rules, name, version, deterministic: true });
        }
        other => {
            let message = format!("`{}` is no request", printable_capped(other, 80));
            return RequestError::new("bad-request", message).to_json();
        }
    };
    match position {
        Ok((game, referee)) => describe(&game, &*referee, verb == "position"),
        Err(fault) => fault.to_json(),
    }
}

fn describe(game: &KnownGame, referee: &dyn Referee, follows: bool) -> String {
    let legal = referee.legal();
    let turn = referee.turn();
    let position = referee.position();
    let key = game.has_repetition.then(|| turn.is_fresh.then(|| repetition_key(&position)));
    let end = referee.end();
    let words = end.as_ref().map(rules::End::words);
    let seats = referee.seats();
    let places = end.as_ref().filter(|_| seats > 2).map(|end| end.verdict.outcome.places(seats));
    let out = referee.out();
    let exits = out.iter().filter_map(|out| Some((out.seat.to_string(), out.reason?.code()))).collect();
    let out = out.into_iter().map(|out| (out.seat.to_string(), out.place));
    let (end, proofs) = end.map_or((None, Vec::new()), |end| (Some(End::from(end.verdict)), end.proofs));
    to_json(&Position {
        game: &game.label,
        position: &position,
        seat: name(referee.seat()),
        turn: name(turn.seat),
        fresh: turn.is_fresh,
        following: follows.then(|| Following::of(referee, &legal)),
        legal,
        reason: end.as_ref().map(|end| end.reason),
        result: end.map(|end| end.result),
        key,
        count: referee.count(),
        places: places.map(|places| places.iter().map(|(_, place)| place).collect()),
        out: (seats > 2).then(|| out.collect()),
        exits,
        words,
        proofs: proofs.iter().map(ProofLine::of).collect(),
    })
}

fn name(seat: Seat) -> String {
    seat.to_string()
}

/// Returns what counts for repetition: all but the counters `n` and `quiet`, which every game writes last.
fn repetition_key(position: &str) -> &str {
    match position.rsplit_once(' ') {
        Some((rest, last)) if last.starts_with("n=") || last.starts_with("quiet=") => rest,
        _ => position,
    }
}

impl ProofLine {
    fn of(proof: &Proof) -> Self {
        Self {
            shape: proof.shape.name(),
            seat: name(proof.seat),
            cells: proof.cells.iter().map(ToString::to_string).collect(),
        }
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
