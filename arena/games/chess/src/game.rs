//! What the arena is told about the game: its rules as a text, and how its board looks.

use serde_json::{Map, Value, json};

/// The game's name.
pub(crate) const ID: &str = "chess";

/// At which occurrence a position is a draw.
const REPETITION: u32 = 3;

/// The rules, for people.
const RULES: &str = include_str!("rules.md");

/// The letters of the men, White's, with their names.
const MEN: [(char, &str); 6] =
    [('K', "king"), ('Q', "queen"), ('R', "rook"), ('B', "bishop"), ('N', "knight"), ('P', "pawn")];

/// Returns what the program is.
pub(crate) fn about() -> Value {
    json!({"format": 2, "name": ID, "version": "1.0", "deterministic": true})
}

/// Returns the list of games: chess alone.
pub(crate) fn games() -> Value {
    json!([{
        "game": ID,
        "title": "Chess",
        "about": "mate the king",
        "options": [],
        "seats": [2, 2],
        "repetition": REPETITION,
        "pass": false,
        "caps": ["fifty-moves"],
        "pgn": ID,
        "notation": "`e2e4` moves a man, `e1g1` castles, `e7e8q` promotes, as in UCI",
        "rules": RULES,
        "look": {
            "board": {"kind": "cells", "width": 8, "height": 8, "checkered": true},
            "from": "rows",
            "pieces": pieces(),
            "enter": "from-to",
            "kinds": MEN[1..5].iter().map(promotion).collect::<Vec<_>>(),
            "coordinates": true,
        },
    }])
}

/// Returns what the last letter of a promotion means.
fn promotion((letter, name): &(char, &str)) -> Value {
    json!({"rest": letter.to_ascii_lowercase(), "words": format!("promote to a {name}")})
}

fn pieces() -> Map<String, Value> {
    let mut pieces = Map::new();
    for (letter, name) in MEN {
        for (letter, colour, seat) in [(letter, "white", "p1"), (letter.to_ascii_lowercase(), "black", "p2")]
        {
            let piece =
                json!({"shape": name, "colour": colour, "name": format!("{colour} {name}"), "seat": seat});
            pieces.insert(letter.to_string(), piece);
        }
    }
    pieces
}
