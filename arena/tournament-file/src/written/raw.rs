//! What was written in a tournament file, not yet checked.
//!
//! Every scalar stays the text that was written, so `version: 1.10` is not 1.1 and `size: 010` not eight; what
//! it means is decided later, where the message can be better than a parser's.

mod bots;
mod confinement;
mod games;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use rules::Catalogue;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use settings::{Arrangement, Conditions, Settings as _};

use crate::written::argument::Argument;
use crate::written::errors::Spot;
use crate::written::path::Path;

use bots::RawBots;
pub use bots::{Checkout, CommitSource};
pub(crate) use bots::{EntryOrigin, RawBot, RawCommand, RawEntry, RawPatterns};
pub(crate) use confinement::{RawLimits, RawSandbox};
pub(crate) use games::{RawAdjudication, RawDraw, RawGame, RawOpenings, RawResign, RawSprt};

/// The file. Keys that are missing or have no value are `None`.
#[derive(Debug, Default)]
pub struct RawFile {
    /// The keys with a single value ([`Arrangement`], [`Conditions`]), each with its text.
    pub values: BTreeMap<&'static str, String>,
    pub games: Option<Vec<Placed<RawGame>>>,
    /// The rules of games of one's own, by id.
    pub rules: Option<UserMap<RawCommand>>,
    /// Games of one's own that are loaded already.
    pub catalogue: Catalogue,
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
#[derive(Clone, Copy, PartialEq, Eq)]
enum TopKey {
    /// One with a single value.
    Value(&'static str),
    Games,
    Rules,
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
                    (None, "rules") => Ok(TopKey::Rules),
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
                let mut raw = RawFile::default();
                let mut seen = Vec::new();
                while let Some(key) = map.next_key::<TopKey>()? {
                    // Which key it is, and where, is found where the text is read for its places.
                    if seen.contains(&key) {
                        return Err(serde::de::Error::custom("duplicated key"));
                    }
                    seen.push(key);
                    match key {
                        TopKey::Value(name) => {
                            if let Some(text) = map.next_value::<Option<String>>()? {
                                raw.values.insert(name, text);
                            }
                        }
                        TopKey::Games => raw.games = map.next_value()?,
                        TopKey::Rules => raw.rules = map.next_value()?,
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
            // A map instead of the list stands where the list would.
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

/// An item of a list, with the place where it stands; without a value where it is empty or at error.
#[derive(Clone, Debug)]
pub struct Placed<T> {
    pub spot: Spot,
    pub value: Option<T>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Placed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { spot: Spot::top(), value: Option::deserialize(deserializer)? })
    }
}

/// A map whose keys the user chooses, in the order written; a value may be missing. In what is typed a key may be repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserMap<T = String>(pub Vec<(String, Option<T>)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for UserMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Map<T> {
            type Value = UserMap<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UserMap<T>, A::Error> {
                let mut pairs: Vec<(String, Option<T>)> = Vec::new();
                let mut seen = BTreeSet::new();
                while let Some((key, value)) = map.next_entry::<String, _>()? {
                    if !seen.insert(key.clone()) {
                        return Err(serde::de::Error::custom("duplicated key"));
                    }
                    pairs.push((key, value));
                }
                Ok(UserMap(pairs))
            }
        }

        deserializer.deserialize_map(Map(PhantomData))
    }
}
