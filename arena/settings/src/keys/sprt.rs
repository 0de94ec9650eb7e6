//! The keys of `sprt`.

use crate::{Change, Flag, Key, KeyValues, Preset, Shape, Synonyms};

/// The sequential test.
pub(super) const SPRT: Key = Key {
    missing: "required by `format: sprt`",
    shape: Shape::Map(SPRT_KEYS),
    change: Change::Never,
    flag: Some(Flag {
        about: Some(
            "The test of format `sprt`, instead of the whole map of the file: `elo0=0,elo1=10,alpha=0.05`.",
        ),
        ..Flag::of("--sprt", "KEY=VALUE,…")
    }),
    ..Key::new("sprt", "{elo0: 0, elo1: 10}", "The test of format `sprt`: a preset, or its hypotheses.")
};

/// The keys of a sequential test.
const SPRT_KEYS: &[Key] = &[
    Key {
        values: KeyValues::Words(Preset::WORDS),
        ..Key::new(
            "preset",
            "gain",
            "Hypotheses by the name of their purpose: `gain`, `no-regression` or `smoke`.",
        )
    },
    Key {
        values: KeyValues::Number,
        synonyms: &[Synonyms { line: "elo0: 0", names: &["h0", "lower"] }],
        ..Key::new("elo0", "0", "H0: how much stronger the new bot is, in Elo.")
    },
    Key {
        values: KeyValues::Number,
        synonyms: &[Synonyms { line: "elo1: 10", names: &["h1", "upper"] }],
        ..Key::new("elo1", "10", "H1: how much stronger the new bot is, in Elo; more than `elo0`.")
    },
    Key {
        missing: "0.05",
        values: KeyValues::Number,
        ..Key::new("alpha", "0.05", "The risk of passing a bot for which H0 is true.")
    },
    Key {
        missing: "0.05",
        values: KeyValues::Number,
        ..Key::new("beta", "0.05", "The risk of failing a bot for which H1 is true.")
    },
    Key {
        missing: "`normalized`",
        values: KeyValues::Words(&["normalized", "logistic"]),
        ..Key::new("model", "normalized", "The unit of the hypotheses: `normalized` or `logistic` Elo.")
    },
    Key {
        missing: "`false`",
        values: KeyValues::Truth,
        ..Key::new(
            "overshoot",
            "true",
            "Whether the bounds are corrected for the overshoot of a test that passes them.",
        )
    },
    Key {
        missing: "no limit",
        values: KeyValues::Duration(&[]),
        ..Key::new("max-time", "20m", "The longest time that the test may play.")
    },
];
