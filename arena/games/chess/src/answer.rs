//! Answers as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::{self, ID};
use crate::notation::{san, sign};
use crate::position::{Position, Verdict};
use crate::request::{RequestError, read_position, shown};

/// A position and what follows from it.
#[derive(Serialize)]
struct Description {
    game: &'static str,
    position: String,
    seat: &'static str,
    turn: &'static str,
    fresh: bool,
    legal: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<BTreeMap<String, End>>,
    key: String,
    count: [u32; 2],
    san: Vec<String>,
    result: Option<&'static str>,
    reason: Option<&'static str>,
}

/// How a game ends.
#[derive(Serialize)]
struct End {
    result: &'static str,
    reason: &'static str,
}

/// Answers a request, as JSON without the end of the line.
pub(crate) fn answer(request: &str) -> String {
    let words: Vec<_> = request.split_whitespace().collect();
    let (verb, words) = words.split_first().map_or(("", &words[..]), |(verb, words)| (*verb, words));
    let position = match verb {
        "position" | "legal" => read_position(words),
        "games" => return game::games().to_string(),
        "about" => return game::about().to_string(),
        other => Err(RequestError::new("bad-request", format!("{} is no request", shown(other)))),
    };
    match position {
        Ok(position) => serde_json::to_string(&describe(&position, verb == "position"))
            .expect("strings and numbers can be written as JSON"),
        Err(error) => error.to_json(),
    }
}

fn describe(position: &Position, follows: bool) -> Description {
    let plies = position.plies();
    let moves: Vec<_> = plies.iter().map(|(_, mv)| *mv).collect();
    let after: Vec<_> = moves.iter().map(|mv| position.play(*mv)).collect();
    let signed = |(mv, after)| san(position.board(), &moves, mv) + sign(after);
    let verdict = position.verdict();
    let mut ends = BTreeMap::new();
    if follows {
        let all = plies.iter().zip(&after);
        ends.extend(all.filter_map(|((ply, _), after)| Some((ply.clone(), End::from(after.verdict()?)))));
    }
    Description {
        game: ID,
        position: position.fen(),
        seat: position.seat(),
        turn: position.seat(),
        fresh: true,
        next: follows.then(|| after.iter().map(Position::fen).collect()),
        ends: follows.then_some(ends),
        key: position.key(),
        count: position.count(),
        san: moves.iter().copied().zip(&after).map(signed).collect(),
        legal: plies.into_iter().map(|(ply, _)| ply).collect(),
        result: verdict.map(Verdict::result),
        reason: verdict.map(Verdict::reason),
    }
}

impl From<Verdict> for End {
    fn from(verdict: Verdict) -> Self {
        Self { result: verdict.result(), reason: verdict.reason() }
    }
}
