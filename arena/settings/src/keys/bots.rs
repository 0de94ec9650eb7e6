//! The keys of `bots`, and of the file of an entry.

use super::confinement::{LIMITS, SANDBOX};
use super::games::TC;
use crate::{Carrier, Change, Flag, Key, KeyValues, Shape, Synonyms};

/// Who plays.
pub(super) const BOTS: Key = Key {
    details: "`{from: 'submissions/*/bot.yaml'}`, as an item or instead of the list, names the files of entries, which say how to run \
              them ([course.md](course.md)).",
    missing: "required",
    shape: Shape::MapOrMaps(BOT_KEYS),
    change: Change::Announced,
    flag: Some(Flag {
        about: Some("The bots, with commas between them: bots of the file or of the arena itself."),
        ..Flag::of("--bots", "BOTS")
    }),
    synonyms: &[Synonyms {
        line: "bots: [{name: mine, cmd: [python3, mine.py]}]",
        names: &["engines", "engine", "players", "player", "programs", "participants"],
    }],
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
            "Files of entries: a pattern or a list of patterns. No other key stands beside it.",
        )
    },
    NAME,
    VERSION,
    Key {
        values: KeyValues::Builtin,
        synonyms: &[Synonyms { line: "builtin: random", names: &["internal", "bot"] }],
        ..Key::new("builtin", "random", "A bot of the arena itself.")
    },
    Key {
        shape: Shape::Words,
        synonyms: CMD_SYNONYMS,
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
    Key { about: "What all its processes may use together.", flag: None, missing: "as at the top", ..LIMITS },
];

/// The keys of an entry's file: those of a bot that are its author's business, and how it is built.
pub(super) const ENTRY_KEYS: &[Key] = &[
    NAME,
    Key {
        synonyms: &[Synonyms { line: "language: C", names: &["lang"] }],
        ..Key::new("language", "C", "The language in which it is written.")
    },
    VERSION,
    Key::new("tools", "[cc]", "The programs needed to build and run it."),
    Key::new("packages", "[gcc]", "The Debian packages that contain them."),
    Key {
        synonyms: &[Synonyms { line: "build: cc -O2 -o mine mine.c", names: &["compile", "make"] }],
        ..Key::new("build", "cc -O2 -o mine mine.c", "The shell command that builds it.")
    },
    Key {
        shape: Shape::Words,
        synonyms: RUN_SYNONYMS,
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

/// What newcomers call the program of a bot, here where a bot of a tournament has it.
const CMD_SYNONYMS: &[Synonyms] = &[Synonyms {
    line: "cmd: [python3, mine.py]",
    names: &[
        "run",
        "command",
        "path",
        "engine",
        "exe",
        "executable",
        "program",
        "binary",
        "file",
        "args",
        "arguments",
        "script",
        "start",
    ],
}];
/// The same in the file of an entry.
const RUN_SYNONYMS: &[Synonyms] = &[Synonyms {
    line: "run: [python3, mine.py]",
    names: &["cmd", "command", "path", "program", "args", "start", "exec"],
}];

const NAME: Key = Key {
    change: Change::Never,
    synonyms: &[Synonyms { line: "name: mine", names: &["id", "label", "title"] }],
    ..Key::new("name", "mine", "Its name in tables.")
};
const VERSION: Key = Key::new("version", "1.2", "Its version, for tables.");
const DIR: Key = Key {
    missing: "that of the file",
    synonyms: &[Synonyms {
        line: "dir: bots/mine",
        names: &["cwd", "workdir", "working-directory", "directory", "folder"],
    }],
    ..Key::new("dir", "bots/mine", "The directory in which it runs.")
};
const ENV: Key = Key {
    synonyms: &[Synonyms { line: "env: {THREADS: 1}", names: &["environment", "variables"] }],
    ..Key::new("env", "{THREADS: 1}", "Variables of its environment, besides those of the arena.")
};
const FILES: Key =
    Key::new("files", "[mine.weights]", "Files that it reads. A bot whose files change is another version.");
const OPTIONS: Key = Key {
    synonyms: &[
        Synonyms { line: "options: {Threads: 1}", names: &["threads"] },
        Synonyms {
            line: "options: {Hash: 16}",
            names: &["option", "setoption", "hash", "opts", "ugi-options", "uci-options"],
        },
    ],
    ..Key::new("options", "{Hash: 16}", "Options that are sent with `setoption`.")
};
const HELLO: Key = Key {
    missing: "`ugi`",
    values: KeyValues::Pattern("[a-z]{1,16}"),
    synonyms: &[Synonyms { line: "hello: uci", names: &["protocol", "proto", "dialect"] }],
    ..Key::new("hello", "uci", "The word that greets it, for bots of other protocol families.")
};
const CLOCK: Key = Key {
    missing: "`seats`",
    values: KeyValues::Words(&["seats", "wb"]),
    ..Key::new("clock", "wb", "The words that tell it its time: `seats`, or `wb` for `wtime` and `btime`.")
};
const POSITION_KEYWORD: Key = Key {
    missing: "`fen`",
    values: KeyValues::Words(&["fen", "sfen", "tps"]),
    ..Key::new(
        "position-keyword",
        "sfen",
        "The word that announces a position to it: `fen`, `sfen` or `tps`.",
    )
};
const QUIET: Key = Key {
    missing: "`false`",
    values: KeyValues::Truth,
    ..Key::new("quiet", "true", "Whether a bot of another family gets no `game` line.")
};
const IO: Key = Key {
    missing: "`pipe`",
    values: KeyValues::Words(Carrier::WORDS),
    ..Key::new(
        "io",
        "tcp",
        "How it exchanges lines: over standard input and output (`pipe`), or over a port (`tcp`).",
    )
};
const AT_ONCE: Key = Key {
    missing: "no limit",
    values: KeyValues::Whole(1, &[]),
    ..Key::new("at-once", "2", "The most games that it plays at once.")
};
const EXCLUSIVE: Key = Key {
    missing: "`false`",
    values: KeyValues::Truth,
    ..Key::new("exclusive", "true", "Whether it plays only one game at a time.")
};
