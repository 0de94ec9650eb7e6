//! The keys of a tournament file, for messages: which ones there are, and what each looks like.
//!
//! What is accepted is decided by [`super::raw`] alone; this is how it is explained, to editors too ([`json`]).

mod json;

use crate::written::faults::{Path, Step};

pub use json::json_schema;

/// A key with an example of its use.
#[derive(Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The key with a value that is fine.
    pub example: &'static str,
    /// What is below it.
    below: Below,
}

/// What stands below a key.
#[derive(Debug)]
enum Below {
    /// Nothing that has keys of its own, or only keys that the user chooses.
    Free,
    /// A list of words, or one text.
    Words,
    /// A word, or a map with these keys.
    WordOrMap(&'static [Key]),
    /// A map with these keys.
    Map(&'static [Key]),
    /// A list of maps with these keys.
    Maps(&'static [Key]),
    /// A list of maps with these keys, or one map with some of them.
    MapOrMaps(&'static [Key]),
}

/// A kind of file with keys.
#[derive(Debug)]
pub struct Form {
    /// What such a file is called.
    pub what: &'static str,
    /// How one begins, for example.
    pub example: &'static str,
    keys: &'static [Key],
}

/// A tournament file.
pub(crate) const TOURNAMENT: Form =
    Form { what: "a tournament file", example: "games: [fanorona]", keys: TOP };

/// The file of an entry.
pub(crate) const ENTRY: Form = Form { what: "an entry's file", example: "name: mine", keys: ENTRY_KEYS };

const fn free(name: &'static str, example: &'static str) -> Key {
    Key { name, example, below: Below::Free }
}

const OPENINGS: Key =
    Key { name: "openings", example: "openings: {turns: 2}", below: Below::Map(OPENING_KEYS) };

/// The keys of `openings`.
const OPENING_KEYS: &[Key] = &[
    free("plies", "plies: 2"),
    free("turns", "turns: 2"),
    free("deepen", "deepen: true"),
    free("file", "file: openings.txt"),
    free("book", "book: standard"),
    free("order", "order: shuffled"),
    free("count", "count: 100"),
    free("repeat", "repeat: true"),
    free("per", "per: pair"),
];

const SANDBOX: Key = Key {
    name: "sandbox",
    example: "sandbox: {level: basic, read: [books]}",
    below: Below::WordOrMap(SANDBOX_KEYS),
};

/// The keys of `sandbox`.
const SANDBOX_KEYS: &[Key] = &[
    free("level", "level: basic"),
    free("read", "read: [books]"),
    free("write", "write: [learned]"),
    free("network", "network: true"),
    free("files", "files: 256"),
    free("file-size", "file-size: 64MiB"),
];
const LIMITS: Key =
    Key { name: "limits", example: "limits: {memory: 1GiB, processes: 16}", below: Below::Map(LIMIT_KEYS) };

/// The keys of `limits`.
const LIMIT_KEYS: &[Key] =
    &[free("memory", "memory: 1GiB"), free("cpu", "cpu: 5m"), free("processes", "processes: 16")];

const TC: Key = free("tc", "tc: 10+0.1");

/// The keys at the top.
const TOP: &[Key] = &[
    free("name", "name: spring cup"),
    Key {
        name: "games",
        example: "games: [fanorona, {game: farook, options: {max-moves: 40}}]",
        below: Below::Maps(GAME),
    },
    Key {
        name: "bots",
        example: "bots: [{name: random, builtin: random}, {name: mine, cmd: [python3, mine.py]}]",
        below: Below::MapOrMaps(BOT),
    },
    free("format", "format: round-robin"),
    Key { name: "sprt", example: "sprt: {elo0: 0, elo1: 10}", below: Below::Map(SPRT) },
    free("schedule", "schedule: rank"),
    free("seeds", "seeds: [mine]"),
    free("seeds-meet", "seeds-meet: true"),
    free("matches", "matches: [[mine, random], [mine, greedy]]"),
    free("rounds", "rounds: 10"),
    TC,
    free("seed", "seed: 42"),
    OPENINGS,
    free("out", "out: results/spring-cup"),
    free("concurrency", "concurrency: 2"),
    free("pin", "pin: game"),
    free("margin", "margin: 50ms"),
    free("think-limit", "think-limit: 60s"),
    free("illegal", "illegal: forfeit"),
    free("restart", "restart: auto"),
    free("on-fail", "on-fail: lose"),
    free("max-faults", "max-faults: 20"),
    free("replay-noisy", "replay-noisy: 2"),
    free("on-start-failure", "on-start-failure: stop"),
    Key {
        name: "adjudicate",
        example: "adjudicate: {resign: {score: 800, turns: 4}, plies: 200}",
        below: Below::Map(ADJUDICATE),
    },
    free("ponder", "ponder: true"),
    LIMITS,
    free("transcripts", "transcripts: true"),
    free("reproducible", "reproducible: true"),
    SANDBOX,
];

/// The keys of a sequential test.
const SPRT: &[Key] = &[
    free("preset", "preset: gain"),
    free("elo0", "elo0: 0"),
    free("elo1", "elo1: 10"),
    free("alpha", "alpha: 0.05"),
    free("beta", "beta: 0.05"),
    free("model", "model: normalized"),
    free("overshoot", "overshoot: true"),
    free("max-time", "max-time: 20m"),
];

/// The keys of the adjudication.
const ADJUDICATE: &[Key] = &[
    Key { name: "resign", example: "resign: {score: 800, turns: 4, both: true}", below: Below::Map(RESIGN) },
    Key { name: "draw", example: "draw: {score: 10, turns: 8, after: 40}", below: Below::Map(DRAW) },
    free("plies", "plies: 200"),
];

/// The keys of the rule that ends games which a bot gives up.
const RESIGN: &[Key] = &[free("score", "score: 800"), free("turns", "turns: 4"), free("both", "both: false")];

/// The keys of the rule that ends games which both bots call level.
const DRAW: &[Key] = &[free("score", "score: 10"), free("turns", "turns: 8"), free("after", "after: 40")];

/// The keys of a game.
const GAME: &[Key] = &[free("game", "game: fanorona"), free("options", "options: {size: 5x5}"), OPENINGS, TC];

/// The keys of a bot.
const BOT: &[Key] = &[
    Key { name: "from", example: "from: submissions/*/bot.yaml", below: Below::Words },
    free("name", "name: mine"),
    free("version", "version: 1.2"),
    free("builtin", "builtin: random"),
    Key { name: "cmd", example: "cmd: [python3, mine.py]", below: Below::Words },
    free("dir", "dir: bots/mine"),
    free("env", "env: {THREADS: 1}"),
    free("files", "files: [mine.weights]"),
    free("options", "options: {Hash: 16}"),
    TC,
    free("hello", "hello: uci"),
    free("clock", "clock: wb"),
    free("position-keyword", "position-keyword: sfen"),
    free("quiet", "quiet: true"),
    free("io", "io: tcp"),
    free("at-once", "at-once: 2"),
    free("exclusive", "exclusive: true"),
    SANDBOX,
    LIMITS,
];

/// The keys of an entry's file: those of a bot that are its author's business, and how it is built.
const ENTRY_KEYS: &[Key] = &[
    free("name", "name: mine"),
    free("language", "language: C"),
    free("version", "version: 1.2"),
    free("tools", "tools: [cc]"),
    free("packages", "packages: [gcc]"),
    free("build", "build: cc -O2 -o mine mine.c"),
    Key { name: "run", example: "run: [./mine]", below: Below::Words },
    free("dir", "dir: src"),
    free("env", "env: {THREADS: 1}"),
    free("files", "files: [mine.weights]"),
    free("options", "options: {Hash: 16}"),
    free("hello", "hello: uci"),
    free("clock", "clock: wb"),
    free("position-keyword", "position-keyword: sfen"),
    free("quiet", "quiet: true"),
    free("io", "io: tcp"),
    free("at-once", "at-once: 2"),
    free("exclusive", "exclusive: true"),
];

impl Form {
    /// Returns the keys that the map at `path` may have; none where the user chooses them.
    pub fn keys(&self, path: &Path) -> &'static [Key] {
        let mut keys = self.keys;
        for step in path.steps() {
            if let Step::Key(name) = step {
                keys = find(keys, name).map_or(&[], Key::keys);
            }
        }
        keys
    }

    /// Returns whether `path` ends in a key that its map cannot have.
    pub fn lacks(&self, path: &Path) -> bool {
        match path.split() {
            Some((parent, Step::Key(name))) => {
                let keys = self.keys(&parent);
                !keys.is_empty() && find(keys, name).is_none()
            }
            _ => false,
        }
    }

    /// Returns the innermost key of `path` that there is.
    pub fn innermost(&self, path: &Path) -> Option<&'static Key> {
        let mut keys = self.keys;
        let mut found = None;
        for step in path.steps() {
            if let Step::Key(name) = step {
                let Some(key) = find(keys, name) else { break };
                found = Some(key);
                keys = key.keys();
            }
        }
        found
    }
}

impl Key {
    /// Returns the keys below this one; none where the user chooses them.
    const fn keys(&self) -> &'static [Self] {
        match self.below {
            Below::Map(below) | Below::Maps(below) | Below::MapOrMaps(below) | Below::WordOrMap(below) => {
                below
            }
            Below::Free | Below::Words => &[],
        }
    }
}

fn find<'a>(keys: &'a [Key], name: &str) -> Option<&'a Key> {
    keys.iter().find(|key| key.name == name)
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::*;
    use crate::Overrides;
    use crate::written::raw::{RawEntry, RawFile};

    #[test]
    fn every_example_is_accepted() {
        for key in TOP {
            serde_yaml::from_str::<RawFile>(key.example).expect(key.example);
        }
        for key in OPENING_KEYS {
            let text = format!("openings: {{{}}}", key.example);
            serde_yaml::from_str::<RawFile>(&text).expect(&text);
        }
        for key in SANDBOX_KEYS {
            let text = format!("sandbox: {{{}}}", key.example);
            serde_yaml::from_str::<RawFile>(&text).expect(&text);
        }
        for key in SPRT {
            let text = format!("sprt: {{{}}}", key.example);
            serde_yaml::from_str::<RawFile>(&text).expect(&text);
        }
        for (whole, keys) in [("", ADJUDICATE), ("resign", RESIGN), ("draw", DRAW)] {
            for key in keys {
                let inner = if whole.is_empty() {
                    key.example.to_owned()
                } else {
                    format!("{whole}: {{{}}}", key.example)
                };
                let text = format!("adjudicate: {{{inner}}}");
                serde_yaml::from_str::<RawFile>(&text).expect(&text);
            }
        }
        for key in GAME {
            let text = format!("games: [{{{}}}]", key.example);
            serde_yaml::from_str::<RawFile>(&text).expect(&text);
        }
        for key in BOT {
            let text = format!("bots: [{{{}}}]", key.example);
            serde_yaml::from_str::<RawFile>(&text).expect(&text);
        }
        for key in ENTRY_KEYS {
            serde_yaml::from_str::<RawEntry>(key.example).expect(key.example);
        }
    }

    #[test]
    fn every_key_at_the_top_has_a_flag() {
        // Adjudication has a flag for each rule; of matches each is given by a flag of its own, `--match`.
        const WITHOUT: [&str; 2] = ["adjudicate", "matches"];
        let flags = Overrides::augment_args(clap::Command::new("flags"));
        for key in TOP.iter().filter(|key| !WITHOUT.contains(&key.name)) {
            assert!(flags.get_arguments().any(|flag| flag.get_long() == Some(key.name)), "{}", key.name);
        }
    }

    #[test]
    fn every_key_that_is_accepted_is_explained() {
        // Serde names the keys it knows when it meets one that it does not.
        let names = |text: &str| {
            let error = serde_yaml::from_str::<RawFile>(text).expect_err("the key is unknown").to_string();
            error.split('`').skip(3).step_by(2).map(str::to_owned).collect::<Vec<_>>()
        };
        let known = |keys: &[Key]| keys.iter().map(|key| key.name.to_owned()).collect::<Vec<_>>();
        assert_eq!(names("nonsense: 1"), known(TOP));
        assert_eq!(names("openings: {nonsense: 1}"), known(OPENING_KEYS));
        assert_eq!(names("sandbox: {nonsense: 1}"), known(SANDBOX_KEYS));
        assert_eq!(names("sprt: {nonsense: 1}"), known(SPRT));
        assert_eq!(names("adjudicate: {nonsense: 1}"), known(ADJUDICATE));
        assert_eq!(names("adjudicate: {resign: {nonsense: 1}}"), known(RESIGN));
        assert_eq!(names("adjudicate: {draw: {nonsense: 1}}"), known(DRAW));
        assert_eq!(names("games: [{nonsense: 1}]"), known(GAME));
        assert_eq!(names("bots: [{nonsense: 1}]"), known(BOT));
        assert_eq!(names("bots: {nonsense: 1}"), known(BOT));
        let error =
            serde_yaml::from_str::<RawEntry>("nonsense: 1").expect_err("the key is unknown").to_string();
        let names: Vec<_> = error.split('`').skip(3).step_by(2).map(str::to_owned).collect();
        assert_eq!(names, known(ENTRY_KEYS));
    }
}
