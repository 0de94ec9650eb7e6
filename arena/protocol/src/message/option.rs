//! `option`: a setting that a bot offers, as in UCI.

use std::fmt;

use super::text::one_line;
use crate::LineError;
use crate::lexical::token;
use crate::lexical::words::Words;

/// `option`: one setting of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// The name: one word, more only in other dialects.
    pub name: String,
    /// The values that it accepts.
    pub kind: OptionKind,
}

/// The values that an option accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The initial value.
        default: Option<bool>,
    },
    /// A whole number.
    Spin {
        /// The initial value.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The initial value.
        default: String,
        /// The words.
        values: Vec<String>,
    },
    /// Any text.
    Text {
        /// The initial value.
        default: Option<String>,
    },
    /// A button without a value.
    Button,
}

impl OptionDeclaration {
    // UCI allows names and values of several words: each extends to the next keyword.
    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, LineError> {
        if words.next() != Some("name") {
            return Err(LineError::Missing { message: "option", what: "`name`" });
        }
        let name = take_words(&mut words, &["type"]).ok_or(missing("a name"))?;
        words.next();
        let kind = match words.next().ok_or(missing("`type`"))? {
            "check" => OptionKind::Check { default: parse_check(words)? },
            "spin" => parse_spin(words)?,
            "combo" => parse_combo(words)?,
            "string" => OptionKind::Text { default: parse_default(words) },
            "button" => OptionKind::Button,
            other => return Err(LineError::invalid("option", "the type", other)),
        };
        Ok(Self { name, kind })
    }
}

fn missing(what: &'static str) -> LineError {
    LineError::Missing { message: "option", what }
}

/// Reads one or more words up to one of `keywords`, which stays.
fn take_words(words: &mut Words<'_>, keywords: &[&str]) -> Option<String> {
    let mut taken = words.next()?.to_owned();
    while let Some(word) = words.peek().filter(|word| !keywords.contains(word)) {
        taken.push(' ');
        taken.push_str(word);
        words.next();
    }
    Some(taken)
}

fn parse_check(mut words: Words<'_>) -> Result<Option<bool>, LineError> {
    if words.next() != Some("default") {
        return Ok(None);
    }
    match words.next().ok_or(missing("the default"))? {
        "true" => Ok(Some(true)),
        "false" => Ok(Some(false)),
        other => Err(LineError::invalid("option", "the default", other)),
    }
}

fn parse_spin(mut words: Words<'_>) -> Result<OptionKind, LineError> {
    let (mut default, mut min, mut max) = (None, None, None);
    while let Some(word) = words.next() {
        let (place, what) = match word {
            "default" => (&mut default, "the default"),
            "min" => (&mut min, "`min`"),
            "max" => (&mut max, "`max`"),
            _ => continue,
        };
        let value = words.next().ok_or(missing(what))?;
        *place = Some(token::signed(value).ok_or_else(|| LineError::invalid("option", what, value))?);
    }
    Ok(OptionKind::Spin {
        default: default.ok_or(missing("the default"))?,
        min: min.ok_or(missing("`min`"))?,
        max: max.ok_or(missing("`max`"))?,
    })
}

fn parse_combo(mut words: Words<'_>) -> Result<OptionKind, LineError> {
    const KEYWORDS: [&str; 2] = ["default", "var"];
    let mut default = None;
    let mut values = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "default" => default = Some(take_words(&mut words, &KEYWORDS).ok_or(missing("the default"))?),
            "var" => values.push(take_words(&mut words, &KEYWORDS).ok_or(missing("a value"))?),
            _ => {}
        }
    }
    let default = default.ok_or(missing("the default"))?;
    if values.is_empty() { Err(missing("`var`")) } else { Ok(OptionKind::Combo { default, values }) }
}

fn parse_default(mut words: Words<'_>) -> Option<String> {
    words.next().filter(|word| *word == "default")?;
    words.text().map(str::to_owned)
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", one_line(&self.name), self.kind)
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { default: None } => f.write_str("check"),
            Self::Check { default: Some(default) } => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Self::Combo { default, values } => {
                write!(f, "combo default {}", one_line(default))?;
                values.iter().try_for_each(|value| write!(f, " var {}", one_line(value)))
            }
            Self::Text { default: None } => f.write_str("string"),
            Self::Text { default: Some(default) } => write!(f, "string default {}", one_line(default)),
            Self::Button => f.write_str("button"),
        }
    }
}
