//! Reading values that have no type of their own, and what is wrong with a value.

use std::fmt::Display;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::{WordError, format_duration, parse_duration};

/// What is wrong with a value, without its name: the name depends on where it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What follows the name of the key or flag: `is not a whole number`.
    pub predicate: String,
    /// What would be right.
    pub hint: String,
}

/// A value, or what is wrong with it.
pub type Reading<T> = Result<T, Complaint>;

impl Complaint {
    /// Returns a complaint.
    pub fn new(predicate: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { predicate: predicate.into(), hint: hint.into() }
    }

    /// Returns the complaint that a value cannot be this text.
    #[must_use]
    pub fn not(text: &str, hint: impl Into<String>) -> Self {
        Self::new(format!("cannot be `{}`", text.escape_debug()), hint)
    }
}

impl From<WordError> for Complaint {
    fn from(error: WordError) -> Self {
        Self::new(format!("cannot be `{}`", error.text), format!("allowed: {}", error.expected))
    }
}

/// Reads a whole number of digits alone: Rust also takes a plus before them.
pub(crate) fn digits<T: FromStr>(text: &str) -> Option<T> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Reads a whole number within a range, both ends included.
///
/// # Errors
/// When it is none.
pub fn number<T: Copy + Display + FromStr + PartialOrd>(
    text: &str,
    range: RangeInclusive<T>,
    example: &str,
) -> Reading<T> {
    match digits::<T>(text) {
        Some(number) if range.contains(&number) => Ok(number),
        _ => {
            let (least, most) = (range.start(), range.end());
            let hint = format!("for example `{example}`");
            let Complaint { predicate, hint } = Complaint::not(text, hint);
            Err(Complaint {
                predicate: format!("{predicate}: it must be a whole number from {least} to {most}"),
                hint,
            })
        }
    }
}

/// Reads `none`, or a whole number from 1 up to `most`.
///
/// # Errors
/// When it is neither.
pub(crate) fn number_or_none(text: &str, most: u32, example: &str) -> Reading<Option<NonZeroU32>> {
    if text == "none" {
        return Ok(None);
    }
    let number = number(text, 1..=most, example).map(NonZeroU32::new);
    number.map_err(|complaint| {
        Complaint::new(complaint.predicate, format!("`none`, or for example `{example}`"))
    })
}

/// Writes what [`number_or_none`] reads.
pub(crate) fn or_none(number: Option<NonZeroU32>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}

/// Reads whether something is so.
///
/// # Errors
/// When it is neither `true` nor `false`.
pub fn truth(text: &str) -> Reading<bool> {
    text.parse().map_err(|_| Complaint::not(text, "it can be `true` or `false`"))
}

/// Reads a duration with a unit, within a range.
///
/// # Errors
/// When it is none.
pub fn duration(text: &str, range: RangeInclusive<Duration>, example: &str) -> Reading<Duration> {
    let hint = format!("for example `{example}`");
    let time = parse_duration(text).map_err(|_| {
        let fault = format!("cannot be `{}`: it must be a duration with a unit", text.escape_debug());
        Complaint::new(fault, hint.as_str())
    })?;
    if !range.contains(&time) {
        let range = format!("from {} to {}", format_duration(*range.start()), format_duration(*range.end()));
        return Err(Complaint::new(format!("cannot be `{text}`: it must be {range}"), hint));
    }
    Ok(time)
}

/// The longest name of a tournament, bot or version, in characters.
const LONGEST_NAME: usize = 80;

/// Reads the name of a tournament, bot or version.
///
/// # Errors
/// When it is none that fits into tables.
pub fn label(text: &str, example: &str) -> Reading<String> {
    let hint = format!("for example `{example}`");
    if text.trim().is_empty() {
        return Err(Complaint::new("is empty", hint));
    }
    if text.chars().count() > LONGEST_NAME {
        return Err(Complaint::new(format!("is longer than {LONGEST_NAME} characters"), hint));
    }
    if text.trim() != text || text.contains(',') || protocol::printable(text) != text {
        return Err(Complaint::new(
            format!("cannot be `{}`", protocol::printable(text)),
            "commas, control characters, characters that are not seen or turn the direction of others, and blanks at its ends \
             are not allowed",
        ));
    }
    Ok(text.to_owned())
}
