//! Sandboxes and limits, as they were written.

use std::fmt;

use record::Grants;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A sandbox: a level, or a map with its keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawSandbox {
    pub level: Option<String>,
    pub read: Option<Vec<String>>,
    pub write: Option<Vec<String>>,
    pub network: Option<String>,
    pub files: Option<String>,
    pub file_size: Option<String>,
    /// Whether it was written as a level alone.
    pub is_word: bool,
}

impl RawSandbox {
    /// Returns what is meant by a level alone.
    pub fn level(level: &str) -> Self {
        Self { level: Some(level.to_owned()), is_word: true, ..Self::default() }
    }

    /// Returns what is meant by what a journal has of a bot.
    pub fn recorded(level: &str, granted: Grants) -> Self {
        let Grants { read, write, network, files, file_size } = granted;
        let list = |paths: Vec<String>| (!paths.is_empty()).then_some(paths);
        let (read, write) = (list(read), list(write));
        let network = network.then(|| network.to_string());
        Self { level: Some(level.to_owned()), read, write, network, files, file_size, is_word: false }
    }
}

// Written by hand: an untagged enum would lose the place of an error within the map.
impl<'de> Deserialize<'de> for RawSandbox {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        struct Keys {
            level: Option<String>,
            read: Option<Vec<String>>,
            write: Option<Vec<String>>,
            network: Option<String>,
            files: Option<String>,
            file_size: Option<String>,
        }

        struct Item;

        impl<'de> Visitor<'de> for Item {
            type Value = RawSandbox;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a level or a map with the key `level`")
            }

            fn visit_str<E>(self, level: &str) -> Result<RawSandbox, E> {
                Ok(RawSandbox::level(level))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawSandbox, A::Error> {
                let Keys { level, read, write, network, files, file_size } =
                    Keys::deserialize(MapAccessDeserializer::new(map))?;
                let is_word = false;
                Ok(RawSandbox { level, read, write, network, files, file_size, is_word })
            }
        }

        deserializer.deserialize_any(Item)
    }
}

/// What the processes of a bot may use together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawLimits {
    pub memory: Option<String>,
    pub cpu: Option<String>,
    pub processes: Option<String>,
}
