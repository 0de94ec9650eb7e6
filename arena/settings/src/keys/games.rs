//! The keys of `games`.

use super::openings::OPENINGS;
use crate::{Change, Flag, Key, Shape};

/// What is played.
pub(super) const GAMES: Key = Key {
    missing: "all games",
    shape: Shape::Maps(GAME_KEYS),
    change: Change::Announced,
    flag: Some(Flag {
        about: Some(
            "The games, with commas between them; options follow the name: `farook,fanorona:size=5x5+quiet-cap=10`. \
             A game that the file has keeps its settings there.",
        ),
        ..Flag::of("--games", "GAMES")
    }),
    ..Key::new(
        "games",
        "[fanorona, {game: farook, options: {max-moves: 40}}]",
        "What is played: names, or maps with `game`, `options`, `tc`, `openings`. `arena games` lists all games and their options.",
    )
};

/// The time control, of a game or a bot.
pub(super) const TC: Key = Key {
    change: Change::Never,
    missing: "as at the top",
    ..Key::new("tc", "10+0.1", "A time control of its own.")
};

/// The keys of a game.
const GAME_KEYS: &[Key] = &[
    Key::new("game", "fanorona", "The name of the game."),
    Key::new("options", "{size: 5x5}", "Its options; those that are not named have their usual values."),
    Key {
        about: "How it begins, where that is not as at the top.",
        flag: None,
        missing: "as at the top",
        ..OPENINGS
    },
    TC,
];
