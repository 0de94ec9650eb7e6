//! How far bots are confined: what was written, at the top and for each bot.

use std::fmt;
use std::path::{Path, PathBuf};

use ::sandbox::{Amount, Level, Limits};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::faults::{Complaint, Faults, Spot};
use super::program::origin;
use super::scalars::{number, truth};
use crate::diagnostic::Diagnostic;

/// The least and the most of limits that are numbers.
const PROCESSES: (u64, u64) = (1, 100_000);
const FILES: (u64, u64) = (16, 1_000_000);

/// What was written: a level, or a map with its keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RawSandbox {
    pub(super) level: Option<String>,
    pub(super) read: Option<Vec<String>>,
    pub(super) write: Option<Vec<String>>,
    pub(super) network: Option<String>,
    pub(super) memory: Option<String>,
    pub(super) processes: Option<String>,
    pub(super) cpu: Option<String>,
    pub(super) files: Option<String>,
    pub(super) file_size: Option<String>,
    /// Whether it was written as a level alone.
    pub(super) is_word: bool,
}

impl RawSandbox {
    /// Returns what is meant by a level alone.
    pub(super) fn level(level: &str) -> Self {
        Self { level: Some(level.to_owned()), is_word: true, ..Self::default() }
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
            memory: Option<String>,
            processes: Option<String>,
            cpu: Option<String>,
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
                let Keys { level, read, write, network, memory, processes, cpu, files, file_size } =
                    Keys::deserialize(MapAccessDeserializer::new(map))?;
                let is_word = false;
                Ok(RawSandbox {
                    level,
                    read,
                    write,
                    network,
                    memory,
                    processes,
                    cpu,
                    files,
                    file_size,
                    is_word,
                })
            }
        }

        deserializer.deserialize_any(Item)
    }
}

/// What is asked for a bot. What is not said is `None`.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub(super) level: Option<Level>,
    pub(super) read: Option<Vec<PathBuf>>,
    pub(super) write: Option<Vec<PathBuf>>,
    pub(super) network: Option<bool>,
    limits: Limits,
}

impl Wanted {
    /// Reads what was written; paths are taken from `base`.
    pub(super) fn read(raw: &RawSandbox, spot: &Spot, base: &Path, faults: &mut Faults) -> Self {
        let at = |key: &str| if raw.is_word { spot.clone() } else { spot.key(key) };
        let mut reader = Reader { base, faults };
        let level = reader.value(&at("level"), raw.level.as_deref(), level);
        let limits = Limits {
            memory: reader.value(&at("memory"), raw.memory.as_deref(), amount),
            file_size: reader.value(&at("file-size"), raw.file_size.as_deref(), amount),
            processes: reader.value(&at("processes"), raw.processes.as_deref(), |text| {
                number(text, PROCESSES.0, PROCESSES.1, "64")
            }),
            files: reader
                .value(&at("files"), raw.files.as_deref(), |text| number(text, FILES.0, FILES.1, "256")),
            cpu: reader.value(&at("cpu"), raw.cpu.as_deref(), seconds),
        };
        let network = reader.value(&at("network"), raw.network.as_deref(), truth);
        let read = raw.read.as_ref().map(|paths| reader.paths(&at("read"), paths));
        let write = raw.write.as_ref().map(|paths| reader.paths(&at("write"), paths));
        Self { level, read, write, network, limits }
    }

    /// Returns what is asked for a bot where `self` is asked for all: its own words come first.
    pub(super) fn with(&self, own: Self) -> Self {
        Self {
            level: own.level.or(self.level),
            read: own.read.or_else(|| self.read.clone()),
            write: own.write.or_else(|| self.write.clone()),
            network: own.network.or(self.network),
            limits: first(own.limits, self.limits),
        }
    }

    /// Returns the limits at a level.
    pub(super) fn limits(&self, level: Level, has_user: bool) -> Limits {
        first(self.limits, Limits::of(level, has_user))
    }
}

/// Returns every limit of the first, and of the second where that says nothing.
fn first(one: Limits, other: Limits) -> Limits {
    Limits {
        file_size: one.file_size.or(other.file_size),
        files: one.files.or(other.files),
        cpu: one.cpu.or(other.cpu),
        memory: one.memory.or(other.memory),
        processes: one.processes.or(other.processes),
    }
}

struct Reader<'a> {
    base: &'a Path,
    faults: &'a mut Faults,
}

impl Reader<'_> {
    fn value<T>(
        &mut self,
        spot: &Spot,
        text: Option<&str>,
        read: impl FnOnce(&str) -> Result<T, Complaint>,
    ) -> Option<T> {
        read(text?).map_err(|complaint| self.faults.complain(spot, &complaint)).ok()
    }

    fn paths(&mut self, spot: &Spot, paths: &[String]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for (index, text) in paths.iter().enumerate() {
            let path = self.base.join(text);
            match path.canonicalize() {
                Ok(path) => found.push(path),
                Err(error) => {
                    let message = format!("`{}` cannot be opened: {error}", text.escape_debug());
                    self.faults.add(&spot.item(index), Diagnostic::new(message).hint(origin(self.base)));
                }
            }
        }
        found
    }
}

fn level(text: &str) -> Result<Level, Complaint> {
    text.parse().map_err(|_| {
        Complaint::new(
            format!("cannot be `{}`", text.escape_debug()),
            "allowed: `none`, `basic`, `contest`, `strict`; arena/docs/sandbox.md says what each promises",
        )
    })
}

fn amount(text: &str) -> Result<u64, Complaint> {
    text.parse().map(|Amount(bytes)| bytes).map_err(|_| {
        Complaint::new(
            format!("cannot be `{}`", text.escape_debug()),
            "a number of bytes such as `64M` or `2G`",
        )
    })
}

/// Reads a time of whole seconds.
fn seconds(text: &str) -> Result<u64, Complaint> {
    let complaint = |why: &str| {
        Complaint::new(format!("cannot be `{}`: {why}", text.escape_debug()), "for example `10m`")
    };
    let time = runner::parse_duration(text).map_err(|error| complaint(&error.to_string()))?;
    if time.as_secs() == 0 || time.subsec_nanos() > 0 {
        return Err(complaint("processor time is limited in whole seconds"));
    }
    Ok(time.as_secs())
}
