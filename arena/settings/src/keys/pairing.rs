//! The keys that say who meets whom in the formats `gauntlet` and `list`.

use crate::{Change, Flag, Key};

/// The bots of a gauntlet that meet all others.
pub(super) const SEEDS: Key = Key {
    missing: "the first bot",
    change: Change::Announced,
    flag: Some(Flag {
        about: Some("The bots of a gauntlet that meet all others, with commas between them."),
        ..Flag::of("--seeds", "BOTS")
    }),
    ..Key::new("seeds", "[mine]", "The bots of a gauntlet that meet all others.")
};

/// The matches of a list.
pub(super) const MATCHES: Key = Key {
    missing: "required by `format: list`",
    change: Change::Announced,
    flag: Some(Flag {
        about: Some(
            "A match of format `list`: the names of its two bots, with a comma between them. May be given several times; \
             then these are all matches.",
        ),
        is_repeated: true,
        ..Flag::of("--match", "BOT,BOT")
    }),
    ..Key::new(
        "matches",
        "[[mine, random], [mine, greedy]]",
        "The matches of a list: the names of both bots.",
    )
};
