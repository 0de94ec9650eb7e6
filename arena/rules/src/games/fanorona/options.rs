//! The options of Fanorona.

use crate::games::fanorona::lines::{LINES, Lines, SIZES};
use crate::options::CAP;
use crate::{Board, Given, OptionError, OptionSpec, Options, Values};

/// The size of the board and the cap on quiet plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FanoronaOptions {
    /// The index in [`SIZES`].
    size: u8,
    quiet_cap: u32,
}

impl FanoronaOptions {
    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> Board {
        self.lines().board
    }

    /// Returns the number of consecutive plies without a capture that draws the game.
    #[must_use]
    pub const fn quiet_cap(&self) -> u32 {
        self.quiet_cap
    }

    pub(super) fn lines(&self) -> &'static Lines {
        &LINES[usize::from(self.size)]
    }
}

impl Default for FanoronaOptions {
    fn default() -> Self {
        Self { size: 10, quiet_cap: 100 }
    }
}

impl Options for FanoronaOptions {
    const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "size",
            default: "9x5",
            values: Values::Words(&SIZES),
            about: "files x ranks of the board",
        },
        OptionSpec {
            name: "quiet-cap",
            default: "100",
            values: CAP,
            about: "plies in a row without a capture that make a draw",
        },
    ];

    fn take(given: &Given<'_>) -> Result<Self, OptionError> {
        let plain = Self::default();
        let size = given.text("size").and_then(|text| SIZES.iter().position(|size| *size == text));
        Ok(Self {
            size: size.map_or(plain.size, |size| size as u8),
            quiet_cap: given.number("quiet-cap").unwrap_or(plain.quiet_cap),
        })
    }

    fn value(&self, index: usize) -> String {
        match index {
            0 => SIZES[usize::from(self.size)].to_owned(),
            _ => self.quiet_cap.to_string(),
        }
    }
}
