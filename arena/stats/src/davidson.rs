//! How often a game is won, drawn and lost: Davidson's model.

use crate::Game;

/// A fit that predicts wins, draws and losses.
///
/// Its ratings are on a scale of their own and are not shown.
#[derive(Debug, Clone)]
pub struct Davidson {}

/// The chances of the three results, from the first seat's view; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chances {
    /// The first seat wins.
    pub win: f64,
    /// The game is drawn.
    pub draw: f64,
    /// The first seat loses.
    pub loss: f64,
}

impl Davidson {
    /// Fits the model to the games.
    ///
    /// # Panics
    /// When a game names a player or a group that is not there.
    #[must_use]
    pub fn fit(players: usize, groups: usize, games: &[Game]) -> Self {
        let _ = (players, groups, games);
        unreachable!("the signature comes first")
    }

    /// The chances of a game; `None` when a player or the group has no games.
    #[must_use]
    pub fn chances(&self, first: usize, second: usize, group: usize) -> Option<Chances> {
        let _ = (first, second, group);
        None
    }
}
