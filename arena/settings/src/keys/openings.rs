//! The keys of `openings`.

use crate::{Change, Flag, Key, KeyValues, Shape, Synonyms};

/// How games begin.
pub(super) const OPENINGS: Key = Key {
    details: "[More](openings.md).",
    missing: "two turns, or more where there are too few openings",
    shape: Shape::Map(OPENING_KEYS),
    change: Change::Never,
    flag: Some(Flag {
        about: Some(
            "How games begin: `turns=2,deepen`, `book=standard`, \
             `file=openings.txt,order=shuffled`; a key alone is true.",
        ),
        ..Flag::of("--openings", "KEY=VALUE,…")
    }),
    synonyms: &[
        Synonyms { line: "openings: {turns: 2}", names: &["opening"] },
        Synonyms { line: "openings: {file: openings.txt}", names: &["opening-file", "positions"] },
        Synonyms { line: "openings: {book: standard}", names: &["opening-book"] },
    ],
    ..Key::new(
        "openings",
        "{turns: 2}",
        "How games begin, the same way in both games of a pair: `{turns: N}` or `{plies: N}` of random play, \
         `{file: PATH}`, or `{book: standard}` for balanced ones.",
    )
};

/// The keys of `openings`.
const OPENING_KEYS: &[Key] = &[
    Key { values: KeyValues::Whole(0, &[]), ..Key::new("plies", "2", "The number of random plies.") },
    Key {
        values: KeyValues::Whole(0, &[]),
        synonyms: &[Synonyms { line: "turns: 2", names: &["random", "depth"] }],
        ..Key::new("turns", "2", "The number of whole turns of random plies.")
    },
    Key {
        values: KeyValues::Truth,
        ..Key::new(
            "deepen",
            "true",
            "Whether longer random openings follow once all of this length have been played.",
        )
    },
    Key {
        synonyms: &[Synonyms { line: "file: openings.txt", names: &["path", "name"] }],
        ..Key::new("file", "openings.txt", "A file of openings, from the directory of the tournament file.")
    },
    Key {
        values: KeyValues::Words(&["standard"]),
        ..Key::new("book", "standard", "A book of the arena: balanced openings.")
    },
    Key {
        values: KeyValues::Words(&["in-order", "shuffled"]),
        ..Key::new("order", "shuffled", "The order of a file or book: `in-order`, or `shuffled` by the seed.")
    },
    Key {
        values: KeyValues::Whole(1, &[]),
        synonyms: &[Synonyms { line: "count: 100", names: &["limit", "max", "number"] }],
        ..Key::new("count", "100", "The most openings of a file or book that are played.")
    },
    Key {
        values: KeyValues::Truth,
        ..Key::new(
            "repeat",
            "true",
            "Whether openings are played again when there are more rounds than openings.",
        )
    },
    Key {
        values: KeyValues::Words(&["pair", "round"]),
        ..Key::new(
            "per",
            "pair",
            "Which pairs of games share an opening: none (`pair`), or all of a round (`round`).",
        )
    },
];
