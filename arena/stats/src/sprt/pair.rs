//! One pair of games, as the test takes it.

use crate::GameScore;

/// The score of a pair: how many quarters of the points its two games brought, 0 to 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairScore(u8);

impl PairScore {
    /// All scores, from worst to best.
    pub const ALL: [Self; 5] = [Self(0), Self(1), Self(2), Self(3), Self(4)];

    /// Takes the scores of the two games, both from the view of the version under test.
    #[must_use]
    pub fn of(one: GameScore, two: GameScore) -> Self {
        Self(one.halves() + two.halves())
    }

    /// The number of the score, 0 for the worst.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What was played in a pair, to tell copies from new evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Plies {
    /// A digest of all plies of both games, opening included: equal for equal plies and no others.
    pub fingerprint: u64,
    /// Whether both games of the pair are the same, ply for ply.
    pub are_same: bool,
}

/// A finished pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GamePair {
    /// What the version under test scored.
    pub score: PairScore,
    /// What was played; `None` where that is not known: the pair then counts as new.
    pub plies: Option<Plies>,
}

impl From<PairScore> for GamePair {
    fn from(score: PairScore) -> Self {
        Self { score, plies: None }
    }
}
