//! Results as the tests of strength count them: single games, and colour-swapped pairs.
//!
//! A pair is two games that share their pair number, group and players, with the seats swapped. Its score is
//! the mean of the two scores: 0, ¼, ½, ¾ or 1. Openings favour one seat, so the two games of a pair depend on
//! each other: a pair is one observation, not two.

use crate::law::Law;
use crate::{Game, Score};

/// How often each score occurred; the `N` scores 0, 1/(N−1), …, 1 lie evenly between worst and best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts<const N: usize> {
    counts: [u64; N],
}

/// How many single games were lost, drawn and won.
pub type Trinomial = Counts<3>;

/// How many pairs scored 0, ¼, ½, ¾ and 1.
pub type Pentanomial = Counts<5>;

impl<const N: usize> Counts<N> {
    /// How many games one observation is made of.
    pub(crate) const GAMES: usize = (N - 1) / 2;

    /// Takes the counts from worst to best score.
    #[must_use]
    pub fn new(counts: [u64; N]) -> Self {
        const { assert!(N > 2 && N % 2 == 1, "a game has three results") };
        Self { counts }
    }

    /// The counts from worst to best score: lost, drawn, won for single games.
    #[must_use]
    pub fn counts(&self) -> [u64; N] {
        self.counts
    }

    /// The number of observations: games or pairs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean score, 0 to 1; `None` without observations.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.total() > 0).then(|| Law::of(self.counts.map(|n| n as f64)).mean())
    }

    /// The variance of a score (divided by the number of observations); `None` without observations.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        (self.total() > 0).then(|| Law::of(self.counts.map(|n| n as f64)).variance())
    }

    /// The same results from the opponent's view.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut counts = self.counts;
        counts.reverse();
        Self { counts }
    }

    /// Counts one more observation of the score with this number, 0 for the worst.
    pub(crate) fn add(&mut self, index: usize) {
        self.counts[index] += 1;
    }
}

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Self::new([0; N])
    }
}

impl Trinomial {
    /// Counts the games of `player`, from its view.
    #[must_use]
    pub fn from_games(games: &[Game], player: usize) -> Self {
        let mut counts = Self::default();
        for score in games.iter().filter_map(|game| score_of(player, game)) {
            counts.add(usize::from(score.halves()));
        }
        counts
    }
}

impl Pentanomial {
    /// Counts the complete pairs of `player`, from its view; games without a partner are left out.
    #[must_use]
    pub fn from_games(games: &[Game], player: usize) -> Self {
        let mut counts = Self::default();
        for (one, two) in Pairs::of(games.iter().filter(|game| score_of(player, game).is_some())) {
            let halves = |game| score_of(player, game).map_or(0, Score::halves);
            counts.add(usize::from(halves(one) + halves(two)));
        }
        counts
    }
}

/// The complete pairs among some games, in a canonical order; both games of a pair have swapped seats.
///
/// The first of each two is the one in which the player of lower index has the first seat. A number that
/// several games share otherwise than as one pair makes no pair.
pub(crate) struct Pairs<'a> {
    games: Vec<&'a Game>,
    next: usize,
}

impl<'a> Pairs<'a> {
    pub(crate) fn of(games: impl Iterator<Item = &'a Game>) -> Self {
        let mut games: Vec<&Game> = games.filter(|game| game.pair.is_some()).collect();
        games.sort_unstable_by_key(|game| (Self::key(game), game.first, game.score));
        Self { games, next: 0 }
    }

    /// What the games of one pair share.
    fn key(game: &Game) -> (usize, usize, usize, Option<u64>) {
        (game.group, game.first.min(game.second), game.first.max(game.second), game.pair)
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a Game, &'a Game);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(&one) = self.games.get(self.next) {
            let same = self.games[self.next..].iter().take_while(|game| Self::key(game) == Self::key(one));
            let length = same.count();
            let start = self.next;
            self.next += length;
            if length == 2 && self.games[start + 1].first == one.second && one.first != one.second {
                return Some((one, self.games[start + 1]));
            }
        }
        None
    }
}

/// What `player` scored in a game; `None` when it did not play, or played itself.
fn score_of(player: usize, game: &Game) -> Option<Score> {
    match (game.first == player, game.second == player) {
        (true, false) => Some(game.score),
        (false, true) => Some(game.score.opposite()),
        (true, true) | (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(first: usize, second: usize, score: Score, pair: Option<u64>) -> Game {
        Game { first, second, score, group: 0, pair }
    }

    #[test]
    fn games_are_counted_from_the_players_view() {
        let games = [
            game(0, 1, Score::Win, None),
            game(1, 0, Score::Win, None),
            game(2, 0, Score::Loss, None),
            game(0, 2, Score::Draw, None),
            game(1, 2, Score::Win, None),
        ];
        assert_eq!(Trinomial::from_games(&games, 0).counts(), [1, 1, 2]);
        assert_eq!(Trinomial::from_games(&games, 3).mean(), None);
    }

    #[test]
    fn pairs_are_scored_from_the_players_view() {
        let games = [
            game(0, 1, Score::Win, Some(1)),
            game(0, 1, Score::Draw, Some(2)),
            game(1, 0, Score::Loss, Some(1)),
            game(1, 0, Score::Win, Some(2)),
        ];
        assert_eq!(Pentanomial::from_games(&games, 0).counts(), [0, 1, 0, 0, 1]);
        assert_eq!(Pentanomial::from_games(&games, 1).counts(), [1, 0, 0, 1, 0]);
    }

    #[test]
    fn only_two_games_with_swapped_seats_are_a_pair() {
        let alone = [game(0, 1, Score::Win, Some(1))];
        let unswapped = [game(0, 1, Score::Win, Some(1)), game(0, 1, Score::Win, Some(1))];
        let three = [
            game(0, 1, Score::Win, Some(1)),
            game(1, 0, Score::Win, Some(1)),
            game(1, 0, Score::Win, Some(1)),
        ];
        let strangers = [game(0, 1, Score::Win, Some(1)), game(2, 0, Score::Win, Some(1))];
        let unnumbered = [game(0, 1, Score::Win, None), game(1, 0, Score::Win, None)];
        for games in [&alone[..], &unswapped, &three, &strangers, &unnumbered] {
            assert_eq!(Pentanomial::from_games(games, 0).total(), 0, "{games:?}");
        }
    }

    #[test]
    fn moments_of_pair_scores() {
        let pairs = Pentanomial::new([1, 0, 2, 0, 1]);
        assert_eq!(pairs.mean(), Some(0.5));
        assert_eq!(pairs.variance(), Some(0.125));
        assert_eq!(Pentanomial::default().variance(), None);
    }
}
