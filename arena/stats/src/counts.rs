//! Results as the tests of strength count them: single games, and colour-swapped pairs.
//!
//! A pair is two games that share their pair number, group and players, with the seats swapped. Its score is
//! the mean of the two scores: 0, ¼, ½, ¾ or 1. Openings favour one seat, so the two games of a pair depend on
//! each other: a pair is one observation, not two.

use crate::{Game, Score};

/// How many single games were lost, drawn and won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trinomial {
    counts: [u64; 3],
}

/// How many pairs scored 0, ¼, ½, ¾ and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pentanomial {
    counts: [u64; 5],
}

impl Trinomial {
    /// Takes the counts from worst to best: lost, drawn, won.
    #[must_use]
    pub fn new(counts: [u64; 3]) -> Self {
        Self { counts }
    }

    /// Counts the games of `player`, from its view.
    #[must_use]
    pub fn from_games(games: &[Game], player: usize) -> Self {
        let mut counts = [0; 3];
        for score in games.iter().filter_map(|game| score_of(player, game)) {
            counts[usize::from(score.halves())] += 1;
        }
        Self { counts }
    }

    /// The counts from worst to best: lost, drawn, won.
    #[must_use]
    pub fn counts(&self) -> [u64; 3] {
        self.counts
    }

    /// The number of games.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean score of a game, 0 to 1; `None` without games.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        mean(&self.counts)
    }

    /// The variance of a game's score (divided by the number of games); `None` without games.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        variance(&self.counts)
    }
}

impl Pentanomial {
    /// Takes the counts from worst to best pair score.
    #[must_use]
    pub fn new(counts: [u64; 5]) -> Self {
        Self { counts }
    }

    /// Counts the complete pairs of `player`, from its view; games without a partner are left out.
    #[must_use]
    pub fn from_games(games: &[Game], player: usize) -> Self {
        let mut counts = [0; 5];
        for (one, two) in Pairs::of(games.iter().filter(|game| score_of(player, game).is_some())) {
            let halves = |game| score_of(player, game).map_or(0, Score::halves);
            counts[usize::from(halves(one) + halves(two))] += 1;
        }
        Self { counts }
    }

    /// The counts from worst to best pair score.
    #[must_use]
    pub fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// The number of pairs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean score of a pair, 0 to 1; `None` without pairs.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        mean(&self.counts)
    }

    /// The variance of a pair's score (divided by the number of pairs); `None` without pairs.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        variance(&self.counts)
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

/// The mean of the scores 0, 1/(n-1), …, 1 with these counts.
fn mean(counts: &[u64]) -> Option<f64> {
    let total: u64 = counts.iter().sum();
    let steps: f64 = counts.iter().enumerate().map(|(i, &n)| i as f64 * n as f64).sum();
    (total > 0).then(|| steps / (total as f64 * (counts.len() - 1) as f64))
}

/// The variance of the scores 0, 1/(n-1), …, 1 with these counts.
fn variance(counts: &[u64]) -> Option<f64> {
    let mean = mean(counts)?;
    let total: u64 = counts.iter().sum();
    let top = (counts.len() - 1) as f64;
    let square = |i: usize| (i as f64 / top - mean).powi(2);
    Some(counts.iter().enumerate().map(|(i, &n)| n as f64 * square(i)).sum::<f64>() / total as f64)
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
