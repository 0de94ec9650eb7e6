//! The keys of `openings`.

use crate::{Change, Flag, Key, Shape};

/// How games begin.
pub(super) const OPENINGS: Key = Key {
    details: "[More](openings.md).",
    missing: "two turns, or more where there are too few openings",
    shape: Shape::Map(OPENING_KEYS),
    change: Change::Never,
    flag: Some(Flag {
        about: Some(
            "How games begin, in place of the whole map of the file: `turns=2,deepen`, `book=standard`, \
             `file=openings.txt,order=shuffled`; a key alone is true.",
        ),
        ..Flag::of("--openings", "KEY=VALUE,…")
    }),
    ..Key::new(
        "openings",
        "{turns: 2}",
        "How games begin, the same way in both games of a pair: `{turns: N}` or `{plies: N}` of random play, \
         `{file: PATH}`, or `{book: standard}` of balanced ones.",
    )
};

/// The keys of `openings`.
const OPENING_KEYS: &[Key] = &[
    Key::new("plies", "2", "So many random plies."),
    Key::new("turns", "2", "So many whole turns of random plies."),
    Key::new(
        "deepen",
        "true",
        "Whether longer random openings follow when all of this length have been played.",
    ),
    Key::new("file", "openings.txt", "A file of openings, from the directory of the tournament file."),
    Key::new("book", "standard", "A book of the arena: balanced openings."),
    Key::new("order", "shuffled", "The order of a file or book: `in-order`, or `shuffled` by the seed."),
    Key::new("count", "100", "How many openings of a file or book are played at most."),
    Key::new("repeat", "true", "Whether openings come again where there are more rounds than openings."),
    Key::new(
        "per",
        "pair",
        "Which pairs of games share an opening: none (`pair`), or all of a round (`round`).",
    ),
];
