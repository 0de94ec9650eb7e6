//! The options of Farook.

use crate::options::CAP;
use crate::{Given, OptionError, OptionSpec, Options, Values};

/// When wild stones may be dropped and moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wilds {
    /// As soon as one seat has dropped all its stones.
    #[default]
    Strict,
    /// At any time. Only patterns require that a seat has dropped all its stones.
    Pattern,
}

/// The options of Farook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarookOptions {
    /// When wild stones may be dropped and moved.
    pub wilds: Wilds,
    /// The number of plies after which the game is a draw.
    pub max_moves: u32,
}

impl Default for FarookOptions {
    fn default() -> Self {
        Self { wilds: Wilds::Strict, max_moves: 50 }
    }
}

impl Options for FarookOptions {
    const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "wilds",
            default: "strict",
            values: Values::Words(&["strict", "pattern"]),
            about: "whether wild stones wait for a seat to have dropped all its stones, or only patterns do",
        },
        OptionSpec { name: "max-moves", default: "50", values: CAP, about: "plies after which it is a draw" },
    ];

    fn take(given: &Given<'_>) -> Result<Self, OptionError> {
        let plain = Self::default();
        let wilds = match given.text("wilds") {
            Some("pattern") => Wilds::Pattern,
            _ => Wilds::Strict,
        };
        Ok(Self { wilds, max_moves: given.number("max-moves").unwrap_or(plain.max_moves) })
    }

    fn value(&self, index: usize) -> String {
        match (index, self.wilds) {
            (0, Wilds::Strict) => "strict".to_owned(),
            (0, Wilds::Pattern) => "pattern".to_owned(),
            _ => self.max_moves.to_string(),
        }
    }
}
