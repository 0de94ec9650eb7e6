//! A game as tables and the statistics see it.

use record::{GameResult, GameSummary};
use stats::{GameScore, RatedGame};

use crate::results::copies::Mark;

/// A game with the numbers of its label and its players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub game: &'a GameSummary,
    pub label: usize,
    pub seats: [usize; 2],
}

impl Entry<'_> {
    /// Returns the game as the statistics see it, if it counts: it has a result, and two players.
    pub(crate) fn counted(&self) -> Option<RatedGame> {
        let score = match self.game.result {
            GameResult::P1Win => GameScore::Win,
            GameResult::P2Win => GameScore::Loss,
            GameResult::Draw => GameScore::Draw,
            GameResult::None => return None,
        };
        let [first, second] = self.seats;
        let pair = Some(self.game.pair);
        let opening = Some(self.game.opening);
        (first != second).then(|| RatedGame {
            group: self.label,
            pair,
            opening,
            ..RatedGame::new(first, second, score)
        })
    }
}

/// Returns those of some games that count.
pub(crate) fn counted(entries: &[Entry<'_>]) -> Vec<RatedGame> {
    entries.iter().filter_map(Entry::counted).collect()
}

/// Returns what a game has in common with its copies; nothing where it has no plies, so that nothing can be said.
pub(crate) fn mark(entry: &Entry<'_>) -> Option<Mark> {
    let score = entry.counted()?.result.score(0, 1);
    (entry.game.plies > 0).then(|| Mark::new(entry.label, entry.seats, score, entry.game.fingerprint))
}
