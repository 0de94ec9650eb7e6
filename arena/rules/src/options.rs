//! The options of games: what there is, its range, and reading `key=value` pairs.

use std::fmt::{self, Debug};

use thiserror::Error;

/// One option of a game, as `arena games` shows it.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The key.
    pub name: &'static str,
    /// The value when none is given, in words where it depends on others.
    pub default: &'static str,
    /// The allowed values.
    pub values: Values,
    /// What it changes, in a phrase.
    pub about: &'static str,
}

impl OptionSpec {
    /// Returns whether the default is one of the values; it is words where it depends on other options.
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
    /// A whole number of this range, ends included.
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

/// What is wrong with an option.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this key.
    #[error("unknown option `{key}`{}; the options are {}", suggestion(.nearest.as_deref()), listed(.known))]
    Unknown {
        /// The key as given.
        key: String,
        /// The nearest known key, if one is near.
        nearest: Option<String>,
        /// All keys of the game.
        known: Vec<&'static str>,
    },
    /// The value is not allowed.
    #[error("option `{key}` cannot be `{value}`; allowed: {allowed}")]
    Value {
        /// The key.
        key: String,
        /// The value as given.
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

/// Returns the candidate nearest to `name`, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // What differs too much in length already is not compared: a name may be as long as a file.
    let is_near = |candidate: &&str| name.len().abs_diff(candidate.len()) <= 4 * (1 + candidate.len() / 4);
    candidates
        .into_iter()
        .filter(is_near)
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The options of one game. `Default` is what `games.md` gives as defaults.
pub trait Options: Clone + Debug + Default + PartialEq + Eq + Send + Sync + 'static {
    /// Every option, in the order in which they are written.
    const SPECS: &'static [OptionSpec];

    /// Takes the options from pairs whose keys and values are known to be of [`Options::SPECS`].
    ///
    /// # Errors
    /// Where values do not fit each other.
    fn take(given: &Given<'_>) -> Result<Self, OptionError>;

    /// Returns the value of the option `SPECS[index]`, as it would be given.
    fn value(&self, index: usize) -> String;

    /// Reads `key=value` pairs, given in any order; the others take their defaults.
    ///
    /// # Errors
    /// Names the key that is unknown, given twice or has a value out of its range.
    fn from_pairs(pairs: &[(&str, &str)]) -> Result<Self, OptionError> {
        Self::take(&Given::check(Self::SPECS, pairs)?)
    }

    /// Returns all options with their values, in the order of [`Options::SPECS`].
    fn to_pairs(&self) -> Vec<(&'static str, String)> {
        Self::SPECS.iter().enumerate().map(|(index, spec)| (spec.name, self.value(index))).collect()
    }
}

/// Pairs whose keys are known and whose values are each in range.
#[derive(Debug)]
pub struct Given<'a> {
    pairs: &'a [(&'a str, &'a str)],
}

impl<'a> Given<'a> {
    /// Checks every pair against `specs`.
    ///
    /// # Errors
    /// On the first key that is unknown or repeated, or value that is out of range.
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
