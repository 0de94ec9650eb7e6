//! One block of games, as the test takes it.

use crate::GameScore;

/// The score of a block: what the version under test scored in all its games against all others, in half points.
///
/// Of a pair these are 0 to 4; at a table of n seats it beats each of the n − 1 others in n games: 0 to 2 n (n − 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockScore(u8);

impl BlockScore {
    /// The scores of a pair, from worst to best.
    pub const OF_PAIRS: [Self; 5] = [Self(0), Self(1), Self(2), Self(3), Self(4)];

    /// Takes the scores of the two games of a pair, both from the view of the version under test.
    #[must_use]
    pub fn of_pair(one: GameScore, two: GameScore) -> Self {
        Self(one.halves() + two.halves())
    }

    /// Takes what the version under test scored in each game of a block, in half points
    /// ([`TableResult::halves`](crate::TableResult::halves)).
    #[must_use]
    pub fn of_table(halves: impl IntoIterator<Item = u8>) -> Self {
        Self(halves.into_iter().fold(0, u8::saturating_add))
    }

    /// That with this number, 0 for the worst.
    pub(crate) fn at(index: usize) -> Self {
        Self(u8::try_from(index).unwrap_or(u8::MAX))
    }

    /// The number of the score, 0 for the worst.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What was played in a block, to tell copies from new evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Plies {
    /// A digest of all plies of all games, opening included: equal for equal plies and no others.
    pub fingerprint: u64,
    /// Whether all games of the block are the same, ply for ply.
    pub are_same: bool,
}

/// A finished block of games: for two seats a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameBlock {
    /// What the version under test scored.
    pub score: BlockScore,
    /// What was played; `None` where that is not known: the block then counts as new.
    pub plies: Option<Plies>,
}

impl From<BlockScore> for GameBlock {
    fn from(score: BlockScore) -> Self {
        Self { score, plies: None }
    }
}
