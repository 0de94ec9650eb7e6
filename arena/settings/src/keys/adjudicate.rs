//! The keys of `adjudicate`.

use crate::{Change, Key, Shape};

/// When games end that their rules have not ended. Its rules have flags of their own.
pub(super) const ADJUDICATE: Key = Key {
    details: "[What that means](adjudication.md).",
    missing: "nothing",
    shape: Shape::Map(ADJUDICATE_KEYS),
    change: Change::Never,
    ..Key::new(
        "adjudicate",
        "{resign: {score: 800, turns: 4, both: true}, draw: {score: 10, turns: 8, after: 40}, plies: 200}",
        "When the arena ends games that are decided.",
    )
};

/// The keys of the adjudication.
const ADJUDICATE_KEYS: &[Key] = &[
    Key {
        shape: Shape::Map(RESIGN),
        ..Key::new("resign", "{score: 800, turns: 4, both: true}", "A bot that says it is lost has lost.")
    },
    Key {
        shape: Shape::Map(DRAW),
        ..Key::new("draw", "{score: 10, turns: 8, after: 40}", "A game that both bots call level is drawn.")
    },
    Key::new("plies", "200", "A game ends after so many plies: the greater count of pieces wins."),
];

/// The keys of the rule that ends games which a bot gives up.
const RESIGN: &[Key] = &[
    Key::new("score", "800", "How far behind the bot says it is, in hundredths of the game's unit."),
    Key { missing: "4", ..Key::new("turns", "4", "In how many own turns in a row.") },
    Key { missing: "`true`", ..Key::new("both", "false", "Whether its opponent has to agree.") },
];

/// The keys of the rule that ends games which both bots call level.
const DRAW: &[Key] = &[
    Key::new(
        "score",
        "10",
        "How close to zero the scores of both bots are, in hundredths of the game's unit.",
    ),
    Key { missing: "4", ..Key::new("turns", "8", "In how many turns of each in a row.") },
    Key { missing: "0", ..Key::new("after", "40", "Not before so many turns of the game.") },
];
