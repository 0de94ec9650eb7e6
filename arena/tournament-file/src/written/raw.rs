//! What was written in a tournament file, not yet checked.
//!
//! Every scalar stays the text that was written, so `version: 1.10` is not 1.1 and `size: 010` not eight; what
//! it means is decided later, where the message can be better than a parser's.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use settings::{Arrangement, Conditions, Settings as _};

use crate::confinement::sandbox::RawSandbox;
use crate::flags::typed::Checkout;
use crate::games::adjudicate::RawAdjudication;
use crate::written::compact::Argument;
use crate::written::faults::{Path, Spot};

/// The file. Keys that are missing or have no value are `None`.
#[derive(Debug, Default)]
pub struct RawFile {
    /// The keys with a single value ([`Arrangement`], [`Conditions`]), each with its text.
    pub values: BTreeMap<&'static str, String>,
    pub games: Option<Vec<Placed<RawGame>>>,
    pub bots: Option<Vec<Placed<RawBot>>>,
    pub sprt: Option<RawSprt>,
    pub seeds: Option<Vec<String>>,
    pub matches: Option<Vec<Vec<String>>>,
    pub openings: Option<RawOpenings>,
    pub adjudicate: Option<RawAdjudication>,
    pub limits: Option<RawLimits>,
    pub sandbox: Option<RawSandbox>,
    /// The keys whose values come from the command line, with the flag.
    pub flags: BTreeMap<&'static str, &'static str>,
    /// Those of them that are maps.
    pub arguments: BTreeMap<&'static str, Arc<Argument>>,
}

/// A key at the top of the file.
enum TopKey {
    /// One with a single value.
    Value(&'static str),
    Games,
    Bots,
    Sprt,
    Seeds,
    Matches,
    Openings,
    Adjudicate,
    Limits,
    Sandbox,
}

impl<'de> Deserialize<'de> for TopKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = TopKey;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key of a tournament file")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<TopKey, E> {
                let key = Arrangement::find(name).map(|setting| setting.key.name);
                let key = key.or_else(|| Conditions::find(name).map(|setting| setting.key.name));
                match (key, name) {
                    (Some(key), _) => Ok(TopKey::Value(key)),
                    (None, "games") => Ok(TopKey::Games),
                    (None, "bots") => Ok(TopKey::Bots),
                    (None, "sprt") => Ok(TopKey::Sprt),
                    (None, "seeds") => Ok(TopKey::Seeds),
                    (None, "matches") => Ok(TopKey::Matches),
                    (None, "openings") => Ok(TopKey::Openings),
                    (None, "adjudicate") => Ok(TopKey::Adjudicate),
                    (None, "limits") => Ok(TopKey::Limits),
                    (None, "sandbox") => Ok(TopKey::Sandbox),
                    // Which keys there are is told where the path of this error is known.
                    (None, _) => Err(E::unknown_field(name, &[])),
                }
            }
        }

        deserializer.deserialize_identifier(Name)
    }
}

impl<'de> Deserialize<'de> for RawFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct File;

        impl<'de> Visitor<'de> for File {
            type Value = RawFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a tournament file")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawFile, A::Error> {
                // That a key is given twice is found where the text is read for its places.
                let mut raw = RawFile::default();
                while let Some(key) = map.next_key()? {
                    match key {
                        TopKey::Value(name) => {
                            if let Some(text) = map.next_value::<Option<String>>()? {
                                raw.values.insert(name, text);
                            }
                        }
                        TopKey::Games => raw.games = map.next_value()?,
                        TopKey::Bots => raw.bots = map.next_value::<RawBots>()?.0,
                        TopKey::Sprt => raw.sprt = map.next_value()?,
                        TopKey::Seeds => raw.seeds = map.next_value()?,
                        TopKey::Matches => raw.matches = map.next_value()?,
                        TopKey::Openings => raw.openings = map.next_value()?,
                        TopKey::Adjudicate => raw.adjudicate = map.next_value()?,
                        TopKey::Limits => raw.limits = map.next_value()?,
                        TopKey::Sandbox => raw.sandbox = map.next_value()?,
                    }
                }
                Ok(raw)
            }
        }

        deserializer.deserialize_map(File)
    }
}

impl RawFile {
    /// Gives the items of lists the places where they stand.
    pub fn place_items(&mut self) {
        let games = Spot::File(Path::of(&["games"]));
        for (index, game) in self.games.iter_mut().flatten().enumerate() {
            game.spot = games.item(index);
        }
        let bots = Spot::File(Path::of(&["bots"]));
        for (index, bot) in self.bots.iter_mut().flatten().enumerate() {
            // A map in the place of the list stands where the list would.
            bot.spot = if bot.value.as_ref().is_some_and(|bot| bot.is_alone) {
                bots.clone()
            } else {
                bots.item(index)
            };
        }
    }

    /// Returns the text of a key with a single value, if it is there.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// Returns where the value of a key at the top stands: in the file or on the command line.
    pub fn spot(&self, key: &'static str) -> Spot {
        if let Some(argument) = self.arguments.get(key) {
            return Spot::Argument(Arc::clone(argument), None);
        }
        self.flags.get(key).map_or_else(|| Spot::File(Path::of(&[key])), |flag| Spot::Flag(flag))
    }
}

/// An item of a list, with the place where it stands; without a value where it is empty or at fault.
#[derive(Clone, Debug)]
pub struct Placed<T> {
    pub spot: Spot,
    pub value: Option<T>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Placed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { spot: Spot::File(Path::default()), value: Option::deserialize(deserializer)? })
    }
}

/// A game: a name, or a map with its keys.
#[derive(Clone, Debug, Default)]
pub struct RawGame {
    pub game: Option<String>,
    pub options: Option<Pairs>,
    pub openings: Option<RawOpenings>,
    pub tc: Option<String>,
    /// Whether it was written as a name alone.
    pub is_name: bool,
}

impl RawGame {
    /// Returns a game of which only the name is written.
    pub fn named(name: &str) -> Self {
        Self { game: Some(name.to_owned()), is_name: true, ..Self::default() }
    }
}

// Written by hand: an untagged enum would lose the place of an error within the map.
impl<'de> Deserialize<'de> for RawGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Keys {
            game: Option<String>,
            options: Option<Pairs>,
            openings: Option<RawOpenings>,
            tc: Option<String>,
        }

        struct Item;

        impl<'de> Visitor<'de> for Item {
            type Value = RawGame;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a game or a map with the key `game`")
            }

            fn visit_str<E>(self, name: &str) -> Result<RawGame, E> {
                Ok(RawGame::named(name))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawGame, A::Error> {
                let Keys { game, options, openings, tc } =
                    Keys::deserialize(MapAccessDeserializer::new(map))?;
                Ok(RawGame { game, options, openings, tc, is_name: false })
            }
        }

        deserializer.deserialize_any(Item)
    }
}

/// How games begin.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawOpenings {
    pub plies: Option<String>,
    pub turns: Option<String>,
    pub deepen: Option<String>,
    pub file: Option<String>,
    pub book: Option<String>,
    pub order: Option<String>,
    pub count: Option<String>,
    pub repeat: Option<String>,
    pub per: Option<String>,
}

/// What the processes of a bot may use together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawLimits {
    pub memory: Option<String>,
    pub cpu: Option<String>,
    pub processes: Option<String>,
}

/// The test of format `sprt`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawSprt {
    pub preset: Option<String>,
    pub elo0: Option<String>,
    pub elo1: Option<String>,
    pub alpha: Option<String>,
    pub beta: Option<String>,
    pub model: Option<String>,
    pub overshoot: Option<String>,
    pub max_time: Option<String>,
}

/// A bot, or the entries that `from` names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawBot {
    pub from: Option<RawPatterns>,
    pub name: Option<String>,
    pub version: Option<String>,
    pub builtin: Option<String>,
    pub cmd: Option<RawCommand>,
    pub dir: Option<String>,
    pub env: Option<Pairs>,
    pub files: Option<Vec<String>>,
    pub options: Option<Pairs>,
    pub tc: Option<String>,
    pub hello: Option<String>,
    pub clock: Option<String>,
    pub position_keyword: Option<String>,
    pub quiet: Option<String>,
    pub io: Option<String>,
    pub at_once: Option<String>,
    pub exclusive: Option<String>,
    pub sandbox: Option<RawSandbox>,
    pub limits: Option<RawLimits>,
    /// Where it was built, if it comes from a commit: only the command line can say so.
    #[serde(skip)]
    pub checkout: Option<Checkout>,
    /// The entry that it is, if a file of its own says so.
    #[serde(skip)]
    pub entry: Option<EntryOrigin>,
    /// Whether it stands in the place of the list of bots.
    #[serde(skip)]
    pub is_alone: bool,
}

/// Where an entry comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryOrigin {
    /// The directory from which its paths are taken, and in which it runs.
    pub dir: PathBuf,
    /// Whether it has to be built before it can run.
    pub is_built: bool,
}

/// The bots: a list, or a map in the place of a list of one item.
struct RawBots(Option<Vec<Placed<RawBot>>>);

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
                Ok(RawBots(Some(vec![Placed { spot: Spot::File(Path::default()), value: Some(bot) }])))
            }
        }

        deserializer.deserialize_any(Bots)
    }
}

/// What the file of an entry says: a bot that comes with its sources.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawEntry {
    pub name: Option<String>,
    pub language: Option<String>,
    pub version: Option<String>,
    pub tools: Option<Vec<String>>,
    pub packages: Option<Vec<String>>,
    pub build: Option<String>,
    pub run: Option<RawCommand>,
    pub dir: Option<String>,
    pub env: Option<Pairs>,
    pub files: Option<Vec<String>>,
    pub options: Option<Pairs>,
    pub hello: Option<String>,
    pub clock: Option<String>,
    pub position_keyword: Option<String>,
    pub quiet: Option<String>,
    pub io: Option<String>,
    pub at_once: Option<String>,
    pub exclusive: Option<String>,
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

/// A map whose keys the user chooses, in the order written; a key may be repeated here, and its value missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub Vec<(String, Option<String>)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;

        impl<'de> Visitor<'de> for Map {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Map)
    }
}
