//! The keys of `games`.

use super::openings::OPENINGS;
use crate::{Change, Flag, Key, KeyValues, Shape, Synonyms, TimeControl};

/// What is played.
pub(super) const GAMES: Key = Key {
    missing: "all games",
    shape: Shape::Maps(GAME_KEYS),
    change: Change::Announced,
    flag: Some(Flag {
        about: Some(
            "The games, with commas between them; options follow the name: `farook,fanorona:size=5x5,quiet-cap=10`. \
             A game of the file keeps its settings.",
        ),
        ..Flag::of("--games", "GAMES")
    }),
    values: KeyValues::Game,
    synonyms: &[Synonyms { line: "games: [fanorona]", names: &["game", "variant", "variants"] }],
    ..Key::new(
        "games",
        "[fanorona, {game: farook, options: {max-moves: 40}}]",
        "What is played: names (`fanorona:size=5x5`), or maps with `game`, `options`, `tc`, `openings`. `arena games` lists all games and their options.",
    )
};

/// What newcomers call a time control.
pub(crate) const TC_SYNONYMS: &[Synonyms] = &[
    Synonyms { line: "tc: 10+0.1", names: &["time-control", "time", "clock", "base", "increment", "st"] },
    Synonyms { line: "tc: movetime 100ms", names: &["movetime", "time-per-move"] },
    Synonyms { line: "tc: nodes 10000", names: &["nodes"] },
    Synonyms { line: "tc: depth 6", names: &["depth"] },
];

/// The time control, of a game or a bot.
pub(super) const TC: Key = Key {
    change: Change::Never,
    missing: "as at the top",
    values: KeyValues::NumberOr(TimeControl::PATTERN),
    synonyms: TC_SYNONYMS,
    ..Key::new("tc", "10+0.1", "A time control of its own.")
};

/// The rules of games of one's own.
pub(super) const RULES: Key = Key {
    missing: "the built-in games alone",
    change: Change::Never,
    flag: Some(Flag {
        about: Some(
            "The rules of games of one's own, instead of the whole map of the file: `dao=./dao.wasm`, with commas between them.",
        ),
        ..Flag::of("--rules", "GAME=RULES,…")
    }),
    ..Key::new(
        "rules",
        "{dao: ./dao.wasm}",
        "Games of one's own: a name for each, and its rules, a WebAssembly module or the command of a program. `games` may then name them; without `games` they are what is played.",
    )
};

/// The keys of a game.
const GAME_KEYS: &[Key] = &[
    Key {
        values: KeyValues::Game,
        synonyms: &[Synonyms { line: "game: fanorona", names: &["name", "id", "variant"] }],
        ..Key::new("game", "fanorona", "The name of the game.")
    },
    Key {
        synonyms: &[Synonyms { line: "options: {size: 5x5}", names: &["option", "opt", "opts"] }],
        ..Key::new("options", "{size: 5x5}", "Its options; the others have their defaults.")
    },
    Key {
        shape: Shape::Words,
        ..Key::new(
            "rules",
            "./dao.wasm",
            "The rules of a game of one's own: a WebAssembly module, or the command of a program.",
        )
    },
    Key::new(
        "files",
        "[arena_rules.py]",
        "Files that a program of rules reads, such as its kit. Its digest covers them, and it may read them in a sandbox.",
    ),
    Key { about: "How it begins.", flag: None, missing: "as at the top", ..OPENINGS },
    TC,
];
