//! Which pairs of games share an opening.

use serde::{Deserialize, Serialize};

/// Which pairs of games share an opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningScope {
    /// All pairs of a round.
    #[default]
    Round,
    /// None, as long as there are openings.
    Pair,
}

impl OpeningScope {
    /// Returns whether all pairs of a round share one.
    #[must_use]
    pub fn is_round(&self) -> bool {
        *self == Self::Round
    }
}
