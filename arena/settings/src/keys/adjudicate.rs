//! The keys of `adjudicate`.

use crate::{Change, Key, KeyValues, Shape, Synonyms};

/// When games end that their rules have not ended. Its rules have flags of their own.
pub(super) const ADJUDICATE: Key = Key {
    details: "[What that means](adjudication.md).",
    missing: "nothing",
    shape: Shape::Map(ADJUDICATE_KEYS),
    change: Change::Never,
    synonyms: &[Synonyms {
        line: "adjudicate: {plies: 200}",
        names: &["max-plies", "max-moves", "ply-limit", "move-limit", "adjudication"],
    }],
    ..Key::new(
        "adjudicate",
        "{resign: {score: 800, turns: 4, both: true}, draw: {score: 10, turns: 8, after: 40}, plies: 200}",
        "When the arena ends decided games.",
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
    Key {
        values: KeyValues::Whole(1, &[]),
        ..Key::new("plies", "200", "A game ends after this many plies: the greater count of pieces wins.")
    },
];

/// The keys of the rule that ends games which a bot gives up.
const RESIGN: &[Key] = &[
    Key {
        values: KeyValues::Whole(1, &[]),
        ..Key::new("score", "800", "How far behind the bot says it is, in hundredths of the game's unit.")
    },
    Key {
        missing: "4",
        values: KeyValues::Whole(1, &[]),
        ..Key::new("turns", "4", "The number of its own turns in a row.")
    },
    Key {
        missing: "`true`",
        values: KeyValues::Truth,
        ..Key::new("both", "false", "Whether its opponent has to agree.")
    },
];

/// The keys of the rule that ends games which both bots call level.
const DRAW: &[Key] = &[
    Key {
        values: KeyValues::Whole(0, &[]),
        ..Key::new(
            "score",
            "10",
            "How close to zero the scores of both bots are, in hundredths of the game's unit.",
        )
    },
    Key {
        missing: "4",
        values: KeyValues::Whole(1, &[]),
        ..Key::new("turns", "8", "The number of turns in a row, of each bot.")
    },
    Key {
        missing: "0",
        values: KeyValues::Whole(0, &[]),
        ..Key::new("after", "40", "The number of turns of the game before which none is drawn.")
    },
];
