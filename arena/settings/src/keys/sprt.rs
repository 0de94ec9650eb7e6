//! The keys of `sprt`.

use crate::{Change, Flag, Key, Shape};

/// The sequential test.
pub(super) const SPRT: Key = Key {
    missing: "required by `format: sprt`",
    shape: Shape::Map(SPRT_KEYS),
    change: Change::Never,
    flag: Some(Flag {
        about: Some(
            "The test of format `sprt`, in place of the whole map of the file: `elo0=0,elo1=10,alpha=0.05`.",
        ),
        ..Flag::of("--sprt", "KEY=VALUE,…")
    }),
    ..Key::new("sprt", "{elo0: 0, elo1: 10}", "The test of format `sprt`: a preset, or its hypotheses.")
};

/// The keys of a sequential test.
const SPRT_KEYS: &[Key] = &[
    Key::new(
        "preset",
        "gain",
        "Hypotheses by the name of their purpose: `gain`, `no-regression` or `smoke`.",
    ),
    Key::new("elo0", "0", "H0: the new bot is so many Elo stronger."),
    Key::new("elo1", "10", "H1: the new bot is so many Elo stronger; more than `elo0`."),
    Key { missing: "0.05", ..Key::new("alpha", "0.05", "The risk to pass a bot for which H0 is true.") },
    Key { missing: "0.05", ..Key::new("beta", "0.05", "The risk to fail a bot for which H1 is true.") },
    Key {
        missing: "`normalized`",
        ..Key::new("model", "normalized", "The unit of the hypotheses: `normalized` or `logistic` Elo.")
    },
    Key {
        missing: "`false`",
        ..Key::new(
            "overshoot",
            "true",
            "Whether the bounds are corrected for the jump with which a test passes them.",
        )
    },
    Key { missing: "no limit", ..Key::new("max-time", "20m", "How long the test may play.") },
];
