//! The keys of `sandbox` and `limits`.

use crate::{Flag, Key, Shape};

/// How far bots are confined.
pub(super) const SANDBOX: Key = Key {
    details: "[What each promises](sandbox.md).",
    missing: "`basic` where the system can hold bots to it",
    shape: Shape::WordOrMap(SANDBOX_KEYS),
    change: crate::Change::Announced,
    flag: Some(Flag {
        about: Some(
            "How far bots that say nothing of it are confined: `none`, `basic`, `contest` or `strict`.",
        ),
        ..Flag::of("--sandbox", "LEVEL")
    }),
    ..Key::new(
        "sandbox",
        "{level: basic, read: [books]}",
        "How far bots are confined: `none`, `basic`, `contest` or `strict`; or a map with the level and what is allowed besides.",
    )
};

/// The keys of `sandbox`.
const SANDBOX_KEYS: &[Key] = &[
    Key::new("level", "basic", "The level: `none`, `basic`, `contest` or `strict`."),
    Key::new("read", "[books]", "Files and directories that the bot may read too."),
    Key::new("write", "[learned]", "Files and directories that the bot may read and write too."),
    Key::new("network", "true", "Whether the network is open to it."),
    Key::new("files", "256", "The most open files of a process."),
    Key::new("file-size", "64MiB", "The most bytes of a file that it writes."),
];

/// What the processes of bots may use.
pub(super) const LIMITS: Key = Key {
    details: "A bot's own `limits` come first ([processes.md](processes.md)).",
    missing: "none",
    shape: Shape::Map(LIMIT_KEYS),
    change: crate::Change::Announced,
    flag: Some(Flag {
        about: Some(
            "What all processes of a bot that says nothing of it may use together, in place of the whole map of the file: \
             `memory=2GiB,cpu=10m,processes=64`.",
        ),
        ..Flag::of("--limits", "KEY=VALUE,…")
    }),
    ..Key::new(
        "limits",
        "{memory: 2GiB, cpu: 10m, processes: 64}",
        "What all processes of a bot together may use; `cpu` counts for a game.",
    )
};

/// The keys of `limits`.
const LIMIT_KEYS: &[Key] = &[
    Key::new("memory", "1GiB", "Memory, at any time."),
    Key::new("cpu", "5m", "Processor time, in one game."),
    Key::new("processes", "16", "Processes, at any time."),
];
