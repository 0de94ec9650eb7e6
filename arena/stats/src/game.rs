//! One finished game, as the statistics see it.

/// One finished game between two players, from the first seat's view.
///
/// Players and groups are indices into the caller's own lists. A game without a result is not a `RatedGame`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedGame {
    /// The player in the first seat.
    pub first: usize,
    /// The player in the second seat.
    pub second: usize,
    /// What the first seat scored.
    pub score: GameScore,
    /// The game and its options: every group has a first-seat advantage of its own.
    pub group: usize,
    /// The pair this game belongs to: same opening, seats swapped. Two games are a pair when they share this
    /// number, the group and the two players; the number may be used again for other players or groups.
    pub pair: Option<u64>,
    /// How the game began, as a number that games of the group share exactly when they began alike; `None` where that is
    /// not known. Results that share an opening depend on each other. Where all games of a group began alike they are
    /// about that start alone, and it counts as if it were not known.
    pub opening: Option<u64>,
}

impl RatedGame {
    /// Returns a game of the first group that belongs to no pair and whose opening is not known.
    #[must_use]
    pub const fn new(first: usize, second: usize, score: GameScore) -> Self {
        Self { first, second, score, group: 0, pair: None, opening: None }
    }
}

/// What one side scored in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameScore {
    /// Nothing.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl GameScore {
    /// All scores, from worst to best.
    pub const ALL: [Self; 3] = [Self::Loss, Self::Draw, Self::Win];

    /// The score in points: 0, ½ or 1.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.halves()) / 2.0
    }

    /// The score in half points: 0, 1 or 2.
    #[must_use]
    pub fn halves(self) -> u8 {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }

    /// What the other side scored.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}
