//! Games, openings, tests and adjudication, as they were written.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{RawCommand, UserMap};
use crate::game_words::GameWords;

/// A game: a name, or a map with its keys.
#[derive(Clone, Debug, Default)]
pub struct RawGame {
    pub game: Option<String>,
    pub rules: Option<RawCommand>,
    pub files: Option<Vec<String>>,
    pub options: Option<UserMap>,
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

    /// Returns a game that is written in one word, with its options if it has any: `fanorona:size=5x5,quiet-cap=10`.
    pub fn typed(text: &str) -> Self {
        let words = GameWords::read(text);
        let pair = |option: &String| match option.split_once('=') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (option.clone(), None),
        };
        let options = (!words.options.is_empty()).then(|| UserMap(words.options.iter().map(pair).collect()));
        Self { options, ..Self::named(&words.game) }
    }
}

// Written by hand: an untagged enum would lose the place of an error within the map.
impl<'de> Deserialize<'de> for RawGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Keys {
            game: Option<String>,
            rules: Option<RawCommand>,
            files: Option<Vec<String>>,
            options: Option<UserMap>,
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
                Ok(RawGame::typed(name))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawGame, A::Error> {
                let Keys { game, rules, files, options, openings, tc } =
                    Keys::deserialize(MapAccessDeserializer::new(map))?;
                Ok(RawGame { game, rules, files, options, openings, tc, is_name: false })
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

/// When the arena ends games that their rules have not ended.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawAdjudication {
    pub resign: Option<RawResign>,
    pub draw: Option<RawDraw>,
    pub plies: Option<String>,
}

/// The rule that ends games which a bot gives up.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawResign {
    pub score: Option<String>,
    pub turns: Option<String>,
    pub both: Option<String>,
}

/// The rule that ends games which both bots call level.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawDraw {
    pub score: Option<String>,
    pub turns: Option<String>,
    pub after: Option<String>,
}
