//! One block of games, as the input of the test.

use crate::GameScore;

/// The score of a block: that of the version under test in all its games against all others, in half points.
///
/// A pair has 0 to 4. At a table of n seats the version meets n − 1 others in each of n games, which gives 0 to 2 n (n − 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockScore(u8);

impl BlockScore {
    /// The scores of a pair, from worst to best.
    pub const OF_PAIRS: [Self; 5] = [Self(0), Self(1), Self(2), Self(3), Self(4)];

    /// Returns the score of a pair from the scores of its two games, both from the view of the version under test.
    #[must_use]
    pub fn of_pair(one: GameScore, two: GameScore) -> Self {
        Self(one.halves() + two.halves())
    }

    /// Returns the score of a block from the score of the version under test in each game, in half points
    /// ([`TableResult::halves`](crate::TableResult::halves)).
    #[must_use]
    pub fn of_table(halves: impl IntoIterator<Item = u8>) -> Self {
        Self(halves.into_iter().fold(0, u8::saturating_add))
    }

    /// Returns the score with this index, 0 for the worst.
    pub(crate) fn at(index: usize) -> Self {
        Self(u8::try_from(index).unwrap_or(u8::MAX))
    }

    /// Returns the index of the score, 0 for the worst.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The plies of a block, which distinguish copies from new evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Plies {
    /// A digest of all plies of all games, opening included. Only equal plies have equal digests.
    pub fingerprint: u64,
    /// Whether all games of the block have the same plies.
    pub are_same: bool,
}

/// A finished block of games. With two seats it is a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameBlock {
    /// The score of the version under test.
    pub score: BlockScore,
    /// The plies; `None` if unknown. The block then counts as new.
    pub plies: Option<Plies>,
}

impl From<BlockScore> for GameBlock {
    fn from(score: BlockScore) -> Self {
        Self { score, plies: None }
    }
}
