//! Bots and entries, as they were written.

use std::fmt;
use std::path::PathBuf;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{Placed, RawLimits, RawSandbox, UserMap};
use crate::written::errors::Spot;

/// Declares the maps of a bot and of an entry, with these keys in both.
macro_rules! bots_and_entries {
    ($($key:ident: $type:ty,)+) => {
        /// A bot, or the entries that `from` names.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub struct RawBot {
            pub from: Option<RawPatterns>,
            pub builtin: Option<String>,
            pub cmd: Option<RawCommand>,
            pub tc: Option<String>,
            pub sandbox: Option<RawSandbox>,
            pub limits: Option<RawLimits>,
            $(pub $key: $type,)+
            /// Where it was built, if it comes from a commit: only the command line can say so.
            #[serde(skip)]
            pub checkout: Option<Checkout>,
            /// The entry that it is, if a file of its own says so.
            #[serde(skip)]
            pub entry: Option<EntryOrigin>,
            /// Whether it stands instead of the list of bots.
            #[serde(skip)]
            pub is_alone: bool,
        }

        /// What the file of an entry says: a bot that comes with its sources.
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub(crate) struct RawEntry {
            pub language: Option<String>,
            pub tools: Option<Vec<String>>,
            pub packages: Option<Vec<String>>,
            pub build: Option<String>,
            pub run: Option<RawCommand>,
            $(pub $key: $type,)+
        }

        impl RawEntry {
            /// Returns the bot that it is; where it comes from is not said.
            pub(crate) fn into_bot(self) -> RawBot {
                RawBot { cmd: self.run, $($key: self.$key,)+ ..RawBot::default() }
            }
        }
    };
}

bots_and_entries! {
    name: Option<String>,
    version: Option<String>,
    dir: Option<String>,
    env: Option<UserMap>,
    files: Option<Vec<String>>,
    options: Option<UserMap>,
    hello: Option<String>,
    clock: Option<String>,
    position_keyword: Option<String>,
    quiet: Option<String>,
    io: Option<String>,
    at_once: Option<String>,
    exclusive: Option<String>,
}

/// Where an entry comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryOrigin {
    /// The directory from which its paths are taken, and in which it runs.
    pub dir: PathBuf,
    /// Whether it has to be built before it can run.
    pub is_built: bool,
}

/// The bots: a list, or a map instead of a list of one item.
pub(super) struct RawBots(pub(super) Option<Vec<Placed<RawBot>>>);

impl<'de> Deserialize<'de> for RawBots {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bots;

        impl<'de> Visitor<'de> for Bots {
            type Value = RawBots;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of bots or a map with the key `from`")
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(RawBots(None))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(Some).map(RawBots)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let bot = RawBot { is_alone: true, ..RawBot::deserialize(MapAccessDeserializer::new(map))? };
                Ok(RawBots(Some(vec![Placed { spot: Spot::top(), value: Some(bot) }])))
            }
        }

        deserializer.deserialize_any(Bots)
    }
}

/// Patterns of paths: a list, or one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawPatterns {
    pub patterns: Vec<String>,
    /// Whether it was written as a list.
    pub is_list: bool,
}

impl<'de> Deserialize<'de> for RawPatterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match RawCommand::deserialize(deserializer)? {
            RawCommand::Words(patterns) => Self { patterns, is_list: true },
            RawCommand::Line(pattern) => Self { patterns: vec![pattern], is_list: false },
        })
    }
}

/// A command: a list of words, or one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawCommand {
    /// The program and its arguments.
    Words(Vec<String>),
    /// The same as one text, to be split at blanks.
    Line(String),
}

impl<'de> Deserialize<'de> for RawCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Command;

        impl<'de> Visitor<'de> for Command {
            type Value = RawCommand;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of words or one text")
            }

            fn visit_str<E>(self, line: &str) -> Result<RawCommand, E> {
                Ok(RawCommand::Line(line.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawCommand, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = list.next_element()? {
                    words.push(word);
                }
                Ok(RawCommand::Words(words))
            }
        }

        deserializer.deserialize_any(Command)
    }
}

/// A commit of which a bot was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// The directory in which the bot runs, and from which its paths are taken.
    pub dir: PathBuf,
    /// The directory of all files of the commit: the bot may read them.
    pub root: PathBuf,
    /// The name of the commit in tables.
    pub version: String,
    /// What tells it from all other builds, whatever their bytes: the commit and how it was built.
    pub identity: String,
    /// Where its files come from, and how they were built.
    pub source: CommitSource,
}

/// Where the files of a commit come from, and how they are built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitSource {
    /// The directory of the repository's objects.
    pub repository: PathBuf,
    /// The whole hash of the commit.
    pub hash: String,
    /// The directory within the commit in which it is built and runs; empty at its top.
    pub directory: String,
    /// The shell's line that builds; `None` where there is nothing to build.
    pub build: Option<String>,
}
