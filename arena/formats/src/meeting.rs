//! A meeting of bots at one table.

use rules::PerSeat;

/// Bots that meet: a block of games in each game of the run, in which every bot sits in every seat once. For two bots that is a
/// pair of games.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meeting {
    /// The bots in the order of the seats of the first game of each block.
    pub bots: PerSeat<usize>,
    /// The round, from 1: it says which opening is played. Two bots meet at most once in a round.
    pub round: u32,
}

impl Meeting {
    /// Makes a meeting of two bots.
    #[must_use]
    pub fn of_two(bots: [usize; 2], round: u32) -> Self {
        Self { bots: bots.into(), round }
    }

    /// Returns every two of its bots, the one that stands earlier in the configuration first.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let each = |(index, one): (usize, &usize)| {
            let one = *one;
            self.bots.iter().take(index).map(move |other| [one.min(*other), one.max(*other)])
        };
        self.bots.iter().enumerate().flat_map(each)
    }

    /// Returns both of two bots, the one that stands earlier in the configuration first; of more, the first two.
    #[must_use]
    pub fn sorted(&self) -> [usize; 2] {
        let [one, other] = [self.bots[0], self.bots[1]];
        [one.min(other), one.max(other)]
    }
}
