//! How much the arena promises about a bot.

use std::fmt;
use std::str::FromStr;

/// A level of protection, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    None,
    Basic,
    Contest,
    Strict,
}

impl Level {
    /// What holds where nothing is said.
    pub(crate) const DEFAULT: Self = Self::Basic;

    pub(crate) const ALL: [Self; 4] = [Self::None, Self::Basic, Self::Contest, Self::Strict];

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "basic",
            Self::Contest => "contest",
            Self::Strict => "strict",
        }
    }

    /// Returns the words of the command line that ask for it.
    pub(crate) fn flags(self) -> Vec<&'static str> {
        match self {
            Self::DEFAULT => Vec::new(),
            other => vec!["--sandbox", other.word()],
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|level| level.word() == word);
        found.ok_or_else(|| format!("no level is called `{word}`"))
    }
}
