//! The keys of `sandbox` and `limits`.

use crate::{Flag, Key, KeyValues, Memory, Shape, Synonyms};

/// How far bots are confined.
pub(super) const SANDBOX: Key = Key {
    details: "[What each promises](sandbox.md).",
    missing: "`basic` where the system can hold bots to it",
    shape: Shape::WordOrMap(SANDBOX_KEYS),
    change: crate::Change::Announced,
    flag: Some(Flag {
        about: Some(
            "How far bots without a `sandbox` of their own are confined: `none`, `basic`, `contest` or `strict`.",
        ),
        ..Flag::of("--sandbox", "LEVEL")
    }),
    values: KeyValues::Words(LEVELS),
    synonyms: &[Synonyms {
        line: "sandbox: basic",
        names: &["confine", "confinement", "isolation", "security"],
    }],
    ..Key::new(
        "sandbox",
        "{level: basic, read: [books]}",
        "How far bots are confined: `none`, `basic`, `contest` or `strict`; or a map with the level and what else is allowed.",
    )
};

/// The levels of a sandbox.
const LEVELS: &[&str] = &["none", "basic", "contest", "strict"];

/// The keys of `sandbox`.
const SANDBOX_KEYS: &[Key] = &[
    Key {
        values: KeyValues::Words(LEVELS),
        ..Key::new("level", "basic", "The level: `none`, `basic`, `contest` or `strict`.")
    },
    Key::new("read", "[books]", "Files and directories that the bot may read too."),
    Key::new("write", "[learned]", "Files and directories that the bot may read and write too."),
    Key { values: KeyValues::Truth, ..Key::new("network", "true", "Whether it may use the network.") },
    Key {
        values: KeyValues::Whole(1, &[]),
        ..Key::new("files", "256", "The most files that one process may have open.")
    },
    Key {
        values: KeyValues::Pattern(Memory::PATTERN),
        ..Key::new("file-size", "64MiB", "The size of the largest file that it may write.")
    },
];

/// What the processes of bots may use.
pub(super) const LIMITS: Key = Key {
    details: "A bot's own `limits` take precedence ([processes.md](processes.md)).",
    missing: "none",
    shape: Shape::Map(LIMIT_KEYS),
    change: crate::Change::Announced,
    synonyms: &[Synonyms { line: "limits: {memory: 2GiB}", names: &["memory", "ram", "quota", "resources"] }],
    flag: Some(Flag {
        about: Some(
            "What all processes of a bot without `limits` of its own may use together, instead of the whole map of the file: \
             `memory=2GiB,cpu=10m,processes=64`.",
        ),
        ..Flag::of("--limits", "KEY=VALUE,…")
    }),
    ..Key::new(
        "limits",
        "{memory: 2GiB, cpu: 10m, processes: 64}",
        "What all processes of a bot may use together; `cpu` is per game.",
    )
};

/// The keys of `limits`.
const LIMIT_KEYS: &[Key] = &[
    Key {
        values: KeyValues::Pattern(Memory::PATTERN),
        synonyms: &[Synonyms { line: "memory: 1GiB", names: &["mem", "ram"] }],
        ..Key::new("memory", "1GiB", "Memory, at any time.")
    },
    Key {
        values: KeyValues::Duration(&[]),
        synonyms: &[Synonyms { line: "cpu: 5m", names: &["time"] }],
        ..Key::new("cpu", "5m", "Processor time, in one game.")
    },
    Key { values: KeyValues::Whole(1, &[]), ..Key::new("processes", "16", "Processes, at any time.") },
];
