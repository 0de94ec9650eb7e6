//! A meeting of two bots.

/// Two bots that meet: a pair of games in each game of the run, the seats swapped within the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Meeting {
    /// Both bots; the first one begins the first game of each pair.
    pub bots: [usize; 2],
    /// The round, from 1: it says which opening is played. Two bots meet at most once in a round.
    pub round: u32,
}

impl Meeting {
    /// Returns both bots, the one that stands earlier in the configuration first.
    #[must_use]
    pub fn sorted(&self) -> [usize; 2] {
        let [one, other] = self.bots;
        [one.min(other), one.max(other)]
    }
}
