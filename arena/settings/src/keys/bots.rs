//! The keys of `bots`, and of the file of an entry.

use super::confinement::{LIMITS, SANDBOX};
use super::games::TC;
use crate::{Change, Flag, Key, Shape};

/// Who plays.
pub(super) const BOTS: Key = Key {
    details: "`{from: 'submissions/*/bot.yaml'}`, as an item or in the place of the list, names entries that say in a file of \
              their own how they run ([course.md](course.md)).",
    missing: "required",
    shape: Shape::MapOrMaps(BOT_KEYS),
    change: Change::Announced,
    flag: Some(Flag {
        about: Some("The bots, with commas between them: bots of the file or of the arena itself."),
        ..Flag::of("--bots", "BOTS")
    }),
    ..Key::new(
        "bots",
        "[{name: random, builtin: random}, {name: mine, cmd: [python3, mine.py]}]",
        "Who plays: maps with the keys of a bot.",
    )
};

/// The keys of a bot.
const BOT_KEYS: &[Key] = &[
    Key {
        shape: Shape::Words,
        ..Key::new(
            "from",
            "submissions/*/bot.yaml",
            "Files of entries, by a pattern or a list of patterns; it stands alone.",
        )
    },
    NAME,
    VERSION,
    Key::new("builtin", "random", "A bot of the arena itself."),
    Key {
        shape: Shape::Words,
        ..Key::new("cmd", "[python3, mine.py]", "The program and its arguments: a list, or one line.")
    },
    DIR,
    ENV,
    FILES,
    OPTIONS,
    TC,
    HELLO,
    CLOCK,
    POSITION_KEYWORD,
    QUIET,
    IO,
    AT_ONCE,
    EXCLUSIVE,
    Key {
        about: "How far it is confined: a level, or a map.",
        flag: None,
        missing: "as at the top",
        ..SANDBOX
    },
    Key { about: "What all its processes together may use.", flag: None, missing: "as at the top", ..LIMITS },
];

/// The keys of an entry's file: those of a bot that are its author's business, and how it is built.
pub(super) const ENTRY_KEYS: &[Key] = &[
    NAME,
    Key::new("language", "C", "The language in which it is written."),
    VERSION,
    Key::new("tools", "[cc]", "The programs that it needs to be built and run."),
    Key::new("packages", "[gcc]", "The packages of Debian that hold them."),
    Key::new("build", "cc -O2 -o mine mine.c", "The line of the shell that builds it."),
    Key {
        shape: Shape::Words,
        ..Key::new("run", "[./mine]", "The program and its arguments: a list, or one line.")
    },
    DIR,
    ENV,
    FILES,
    OPTIONS,
    HELLO,
    CLOCK,
    POSITION_KEYWORD,
    QUIET,
    IO,
    AT_ONCE,
    EXCLUSIVE,
];

const NAME: Key = Key { change: Change::Never, ..Key::new("name", "mine", "Its name in tables.") };
const VERSION: Key = Key::new("version", "1.2", "Its version, for tables.");
const DIR: Key =
    Key { missing: "that of the file", ..Key::new("dir", "bots/mine", "The directory in which it runs.") };
const ENV: Key = Key::new("env", "{THREADS: 1}", "Variables of its environment, besides those of the arena.");
const FILES: Key =
    Key::new("files", "[mine.weights]", "Files that it reads: what stands in them tells its versions apart.");
const OPTIONS: Key = Key::new("options", "{Hash: 16}", "Options that are sent with `setoption`.");
const HELLO: Key = Key {
    missing: "`ugi`",
    ..Key::new("hello", "uci", "The word that greets it, for bots of other families of protocols.")
};
const CLOCK: Key = Key {
    missing: "`seats`",
    ..Key::new(
        "clock",
        "wb",
        "The words by which it is told its time: `seats`, or `wb` for `wtime` and `btime`.",
    )
};
const POSITION_KEYWORD: Key = Key {
    missing: "`fen`",
    ..Key::new(
        "position-keyword",
        "sfen",
        "The word that announces a position to it: `fen`, `sfen` or `tps`.",
    )
};
const QUIET: Key = Key {
    missing: "`false`",
    ..Key::new("quiet", "true", "Whether a bot of another family is spared the `game` line.")
};
const IO: Key = Key {
    missing: "`pipe`",
    ..Key::new(
        "io",
        "tcp",
        "How lines reach it: by its standard input and output (`pipe`), or by a port (`tcp`).",
    )
};
const AT_ONCE: Key =
    Key { missing: "no limit", ..Key::new("at-once", "2", "How many games it plays at once, at most.") };
const EXCLUSIVE: Key =
    Key { missing: "`false`", ..Key::new("exclusive", "true", "Whether it plays one game at once.") };
