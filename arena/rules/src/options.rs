//! The options of games: their ranges, and reading `key=value` pairs.

use std::fmt::{self, Debug};

use thiserror::Error;

/// One option of a game, as `arena games` lists it.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The key.
    pub name: &'static str,
    /// The default value, or a description if it depends on other options.
    pub default: &'static str,
    /// The allowed values.
    pub values: Values,
    /// A description, as a phrase.
    pub about: &'static str,
}

impl OptionSpec {
    /// Returns whether the default is one of the values, and not a description.
    #[must_use]
    pub fn has_fixed_default(&self) -> bool {
        self.values.allow(self.default)
    }
}

/// The allowed values of an option.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// One of these words.
    Words(&'static [&'static str]),
    /// An integer in this range, including the ends.
    Range(u32, u32),
}

impl Values {
    fn allow(&self, value: &str) -> bool {
        match self {
            Self::Words(words) => words.contains(&value),
            Self::Range(low, high) => {
                canonical_number(value).is_some_and(|number| (*low..=*high).contains(&number))
            }
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(&words.join("|")),
            Self::Range(low, high) => write!(f, "{low}..{high}"),
        }
    }
}

/// The range of every cap: `max-moves`, `max-turns`, `quiet-cap`.
pub(crate) const CAP: Values = Values::Range(1, 100_000);

/// Why an option is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this key.
    #[error("unknown option `{key}`{}; the options are {}", suggestion(.nearest.as_deref()), listed(.known))]
    Unknown {
        /// The given key.
        key: String,
        /// The nearest known key, if one is close.
        nearest: Option<String>,
        /// All keys of the game.
        known: Vec<&'static str>,
    },
    /// The value is not allowed.
    #[error("option `{key}` cannot be `{value}`; allowed: {allowed}")]
    Value {
        /// The key.
        key: String,
        /// The given value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// The key is given twice.
    #[error("option `{key}` is given twice")]
    Twice {
        /// The key.
        key: String,
    },
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

fn listed(known: &[&str]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}

/// Returns the candidate nearest to `name`, if it is close enough to be the intended one.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name of a very different length is not compared, because it may be as long as a file.
    let is_near = |candidate: &&str| name.len().abs_diff(candidate.len()) <= 4 * (1 + candidate.len() / 4);
    candidates
        .into_iter()
        .filter(is_near)
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The options of one game. `Default` gives the defaults of `games.md`.
pub trait Options: Clone + Debug + Default + PartialEq + Eq + Send + Sync + 'static {
    /// Every option, in the order of writing.
    const SPECS: &'static [OptionSpec];

    /// Reads the options from pairs whose keys and values conform to [`Options::SPECS`].
    ///
    /// # Errors
    /// If the values do not fit each other.
    fn take(given: &Given<'_>) -> Result<Self, OptionError>;

    /// Returns the value of the option `SPECS[index]`, as a user would write it.
    fn value(&self, index: usize) -> String;

    /// Reads `key=value` pairs, in any order. Missing options have their defaults.
    ///
    /// # Errors
    /// If a key is unknown or given twice, or a value is out of range. The error names it.
    fn from_pairs(pairs: &[(&str, &str)]) -> Result<Self, OptionError> {
        Self::take(&Given::check(Self::SPECS, pairs)?)
    }

    /// Returns all options with their values, in the order of [`Options::SPECS`].
    fn to_pairs(&self) -> Vec<(&'static str, String)> {
        Self::SPECS.iter().enumerate().map(|(index, spec)| (spec.name, self.value(index))).collect()
    }
}

/// Pairs with known keys and values in range.
#[derive(Debug)]
pub struct Given<'a> {
    pairs: &'a [(&'a str, &'a str)],
}

impl<'a> Given<'a> {
    /// Checks every pair against `specs`.
    ///
    /// # Errors
    /// If a key is unknown or repeated, or a value is out of range; the error is about the first one.
    pub fn check(specs: &'static [OptionSpec], pairs: &'a [(&'a str, &'a str)]) -> Result<Self, OptionError> {
        for (index, (key, value)) in pairs.iter().enumerate() {
            let Some(spec) = specs.iter().find(|spec| spec.name == *key) else {
                let known: Vec<_> = specs.iter().map(|spec| spec.name).collect();
                let nearest = nearest(key, known.iter().copied()).map(str::to_owned);
                return Err(OptionError::Unknown { key: (*key).to_owned(), nearest, known });
            };
            if pairs[..index].iter().any(|(earlier, _)| earlier == key) {
                return Err(OptionError::Twice { key: (*key).to_owned() });
            }
            if !spec.values.allow(value) {
                return Err(OptionError::Value {
                    key: (*key).to_owned(),
                    value: (*value).to_owned(),
                    allowed: spec.values.to_string(),
                });
            }
        }
        Ok(Self { pairs })
    }

    /// Returns the value given for `key`.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// Returns the number given for `key`.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<u32> {
        self.text(key).and_then(canonical_number)
    }
}

/// Reads a number of decimal digits without sign or leading zeros.
pub(crate) fn canonical_number(text: &str) -> Option<u32> {
    let is_canonical = text == "0"
        || (!text.starts_with('0') && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()));
    if is_canonical { text.parse().ok() } else { None }
}
