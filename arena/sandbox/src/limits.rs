//! What one process may use.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Level;

/// Limits of every process of a bot, by `setrlimit`. Core files are never written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The most bytes of a file.
    pub file_size: Option<u64>,
    /// The most open descriptors.
    pub files: Option<u64>,
    /// Seconds of processor time of one process.
    pub cpu: Option<u64>,
    /// The most bytes of writable memory of one process: `RLIMIT_DATA`, which leaves the address space alone that Go,
    /// Node and the JVM reserve.
    pub memory: Option<u64>,
    /// The most processes and threads of the bot's user.
    pub processes: Option<u64>,
}

const MIB: u64 = 1 << 20;

impl Limits {
    /// Returns the limits of a level if nothing else is said. The number of processes is limited where the bot has a
    /// user of its own: the system counts them by user.
    #[must_use]
    pub fn of(level: Level, has_user: bool) -> Self {
        match level {
            Level::None => Self::default(),
            Level::Basic => Self { file_size: Some(256 * MIB), files: Some(1024), ..Self::default() },
            Level::Contest | Level::Strict => Self {
                file_size: Some(64 * MIB),
                files: Some(512),
                cpu: Some(24 * 3600),
                memory: Some(4096 * MIB),
                processes: has_user.then_some(256),
            },
        }
    }
}

/// A number of bytes. Written with a unit or without: `65536`, `512K`, `64M`, `2G`; a unit is 1024 of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount(pub u64);

/// A text that is no amount.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no number of bytes such as `64M` or `2G`")]
pub struct AmountError {
    /// The text.
    pub text: String,
}

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        let error = || AmountError { text: text.to_owned() };
        let (digits, shift) = match text.char_indices().last() {
            Some((at, 'K')) => (&text[..at], 10),
            Some((at, 'M')) => (&text[..at], 20),
            Some((at, 'G')) => (&text[..at], 30),
            _ => (text, 0),
        };
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(error());
        }
        let number: u64 = digits.parse().map_err(|_| error())?;
        number.checked_mul(1 << shift).filter(|bytes| *bytes > 0).map(Self).ok_or_else(error)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, letter) in [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")] {
            if self.0.is_multiple_of(unit) {
                return write!(f, "{}{letter}", self.0 / unit);
            }
        }
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_reads_as_it_is_written() {
        for (text, bytes) in [("1", 1), ("512K", 512 << 10), ("64M", 64 << 20), ("2G", 2 << 30)] {
            assert_eq!(text.parse(), Ok(Amount(bytes)));
            assert_eq!(Amount(bytes).to_string(), text);
        }
        for text in ["", "0", "M", "-1", "+1", "1.5G", "1T", "99999999999999999999", "99999999999G", "1 M"] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }
}
