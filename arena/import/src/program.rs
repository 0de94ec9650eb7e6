//! The programs whose command lines are read.

use std::path::Path;

/// Whose command line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    Cutechess,
    Fastchess,
}

impl Program {
    /// Returns what it is called.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Cutechess => "cutechess-cli",
            Self::Fastchess => "fastchess",
        }
    }

    /// Returns the program that the first word of a command line names, wherever it lies.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let stem = Path::new(name).file_stem()?.to_str()?.to_ascii_lowercase();
        [("cutechess", Self::Cutechess), ("fastchess", Self::Fastchess), ("fast-chess", Self::Fastchess)]
            .into_iter()
            .find_map(|(known, program)| stem.starts_with(known).then_some(program))
    }
}
