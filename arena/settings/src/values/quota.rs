//! What the processes of a bot may use together.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::reading::digits;
use crate::{format_duration, parse_duration};

/// The units of memory, in KiB.
const UNITS: [(&str, u64); 3] = [("KiB", 1), ("MiB", 1024), ("GiB", 1024 * 1024)];

/// How many processes and threads there may be for each process that is allowed.
const THREADS: u64 = 4;

/// The fewest processes and threads that a bot may have together, however few processes it is allowed.
const LEAST_TASKS: u64 = 1024;

/// What all processes of a bot together may use; what is `None` is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quota {
    /// Memory, at any time.
    pub memory: Option<Memory>,
    /// Processor time, in one game.
    pub cpu: Option<Duration>,
    /// Processes, at any time: threads do not count.
    pub processes: Option<NonZeroU32>,
}

impl Quota {
    /// Returns whether nothing is limited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns what is limited here, and where nothing is, what `usual` says.
    #[must_use]
    pub fn or(self, usual: Self) -> Self {
        Self {
            memory: self.memory.or(usual.memory),
            cpu: self.cpu.or(usual.cpu),
            processes: self.processes.or(usual.processes),
        }
    }
}

impl Quota {
    /// Returns how many processes and threads together there may be, where processes are limited: four for each of them, and
    /// never fewer than 1024, since a program that is well-behaved may have many threads.
    #[must_use]
    pub fn tasks(&self) -> Option<u64> {
        self.processes.map(|count| (u64::from(count.get()) * THREADS).max(LEAST_TASKS))
    }

    /// Returns what is limited, as a tournament file says it: `memory`, `cpu`, `processes`, each with its value.
    #[must_use]
    pub fn to_map(&self) -> BTreeMap<String, String> {
        let words = [
            ("memory", self.memory.map(|memory| memory.to_string())),
            ("cpu", self.cpu.map(format_duration)),
            ("processes", self.processes.map(|count| count.to_string())),
        ];
        words.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }
}

impl fmt::Display for Quota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = self.memory.map(|memory| format!("memory {memory}"));
        let cpu = self.cpu.map(|cpu| format!("cpu {}", format_duration(cpu)));
        let processes = self.processes.map(|count| format!("processes {count}"));
        let parts: Vec<_> = [memory, cpu, processes].into_iter().flatten().collect();
        f.write_str(&if parts.is_empty() { "none".to_owned() } else { parts.join(", ") })
    }
}

/// A quota as a journal has it: a text for each of `memory`, `cpu` and `processes` that is limited, and what it means.
///
/// What only a newer arena understands makes no journal unreadable: it is shown and written again as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedQuota {
    texts: BTreeMap<String, String>,
    known: Quota,
}

impl RecordedQuota {
    /// Returns whether nothing is limited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns what this version understands of it.
    #[must_use]
    pub const fn known(&self) -> &Quota {
        &self.known
    }

    /// Returns the text for a key, where the journal has one.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }
}

impl From<Quota> for RecordedQuota {
    fn from(known: Quota) -> Self {
        Self { texts: known.to_map(), known }
    }
}

impl fmt::Display for RecordedQuota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = self.texts.iter().map(|(key, value)| format!("{key} {value}")).collect();
        f.write_str(&if parts.is_empty() { "none".to_owned() } else { parts.join(", ") })
    }
}

impl Serialize for RecordedQuota {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RecordedQuota {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
        let text = |key: &str| texts.get(key).map(String::as_str);
        let known = Quota {
            memory: text("memory").and_then(|text| text.parse().ok()),
            cpu: text("cpu").and_then(|text| parse_duration(text).ok()),
            processes: text("processes").and_then(|text| text.parse().ok()),
        };
        Ok(Self { texts, known })
    }
}

/// An amount of memory, in KiB. Written with its unit: `512MiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory(pub u64);

/// Why a text is no amount of memory.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no amount of memory such as `512MiB`")]
pub struct MemoryError(String);

impl Memory {
    /// A regular expression of all texts that are read, and of some more.
    pub(crate) const PATTERN: &str = "[0-9]+ *(KiB|MiB|GiB)";
}

impl FromStr for Memory {
    type Err = MemoryError;

    fn from_str(text: &str) -> Result<Self, MemoryError> {
        let fault = || MemoryError(text.to_owned());
        let (unit, scale) = UNITS.iter().find(|(unit, _)| text.ends_with(unit)).ok_or_else(fault)?;
        let number: u64 = digits(text[..text.len() - unit.len()].trim_end()).ok_or_else(fault)?;
        number.checked_mul(*scale).filter(|kib| *kib > 0).map(Self).ok_or_else(fault)
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().rev().find(|(_, scale)| self.0.is_multiple_of(*scale));
        let (unit, scale) = unit.unwrap_or(&UNITS[0]);
        write!(f, "{}{unit}", self.0 / scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_with_its_unit() {
        for (text, kib) in [("512KiB", 512), ("64 MiB", 64 * 1024), ("2GiB", 2 * 1024 * 1024)] {
            let memory: Memory = text.parse().expect(text);
            assert_eq!(memory, Memory(kib));
            assert_eq!(memory.to_string(), text.replace(' ', ""));
        }
        assert_eq!(Memory(1536).to_string(), "1536KiB");
        for text in ["", "512", "512MB", "-1MiB", "+1MiB", "0MiB", "MiB", "1.5GiB", "99999999999999999GiB"] {
            assert!(text.parse::<Memory>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_journal_keeps_what_only_a_newer_arena_understands() {
        let json = r#"{"cpu":"1m30s","disk":"1GiB","memory":"1 brain"}"#;
        let quota: RecordedQuota = serde_json::from_str(json).expect("a journal");
        assert_eq!(*quota.known(), Quota { cpu: Some(Duration::from_secs(90)), ..Quota::default() });
        assert_eq!(serde_json::to_string(&quota).expect("texts"), json);
        assert_eq!(quota.to_string(), "cpu 1m30s, disk 1GiB, memory 1 brain");
        let own = Quota { memory: Some(Memory(1024)), ..Quota::default() };
        let json = serde_json::to_string(&RecordedQuota::from(own)).expect("texts");
        assert_eq!(json, r#"{"memory":"1MiB"}"#);
        assert_eq!(serde_json::from_str::<RecordedQuota>(&json).expect("a journal"), own.into());
    }

    #[test]
    fn a_limit_of_ones_own_comes_first() {
        let usual = Quota { memory: Some(Memory(1)), cpu: Some(Duration::from_secs(1)), processes: None };
        let own = Quota { memory: Some(Memory(1024)), ..Quota::default() };
        let both = own.or(usual);
        assert_eq!(both.to_string(), "memory 1MiB, cpu 1s");
        let words = [("cpu", "1s"), ("memory", "1MiB")];
        assert_eq!(both.to_map(), words.map(|(key, value)| (key.to_owned(), value.to_owned())).into());
    }
}
