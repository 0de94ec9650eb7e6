//! Results as the tests of strength count them: single games, and colour-swapped pairs.
//!
//! A pair is two games that share their pair number, group and players, with the seats swapped. Its score is
//! the mean of the two scores: 0, ¼, ½, ¾ or 1. Openings favour one seat, so the two games of a pair depend on
//! each other: a pair is one observation, not two.

use std::collections::BTreeMap;

use crate::numeric::law::Law;
use crate::{GameScore, RatedGame};

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
    pub fn from_games(games: &[RatedGame], player: usize) -> Self {
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
    pub fn from_games(games: &[RatedGame], player: usize) -> Self {
        let mut counts = Self::default();
        let own = games.iter().filter(|game| score_of(player, game).is_some());
        for ((_, low, _), mut legs) in by_match_up(own) {
            for unit in units(&mut legs) {
                let Unit::Pair(one, two) = unit else { continue };
                let (one, two) = (one.score, two.score);
                let (one, two) = if player == low { (one, two.opposite()) } else { (one.opposite(), two) };
                counts.add(usize::from(one.halves() + two.halves()));
            }
        }
        counts
    }
}

/// The players of a match-up in one group: the group, the player of lower index, the other.
pub(crate) type MatchUpKey = (usize, usize, usize);

/// A game within its match-up. In the order of these, the two games of a pair stand together, the one in which the
/// player of lower index has the first seat before the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Leg {
    pair: Option<u64>,
    /// Whether the player of higher index has the first seat.
    pub(crate) is_swapped: bool,
    /// What the first seat scored.
    pub(crate) score: GameScore,
    /// What the game has in common with others of the same opening.
    pub(crate) opening: Option<u64>,
}

/// What a game counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A game that is not half of a pair.
    Single(Leg),
    /// A pair: the game in which the player of lower index has the first seat, then the other.
    Pair(Leg, Leg),
}

/// Sorts games by match-up; those of a player against itself are left out.
///
/// A million games are looked up one by one here and nowhere else, and neighbours in the list, which are mostly the
/// games of one pair, together.
pub(crate) fn by_match_up<'a>(games: impl Iterator<Item = &'a RatedGame>) -> Vec<(MatchUpKey, Vec<Leg>)> {
    let mut places: BTreeMap<MatchUpKey, usize> = BTreeMap::new();
    let mut match_ups: Vec<(MatchUpKey, Vec<Leg>)> = Vec::new();
    let mut last = 0;
    for game in games.filter(|game| game.first != game.second) {
        let key = (game.group, game.first.min(game.second), game.first.max(game.second));
        if match_ups.get(last).is_none_or(|(other, _)| *other != key) {
            last = *places.entry(key).or_insert(match_ups.len());
            if last == match_ups.len() {
                match_ups.push((key, Vec::new()));
            }
        }
        let is_swapped = game.first > game.second;
        match_ups[last].1.push(Leg { pair: game.pair, is_swapped, score: game.score, opening: game.opening });
    }
    match_ups
}

/// Divides the games of a match-up into pairs and single games, in a canonical order.
///
/// A number that several games share otherwise than as one pair, with the seats swapped, makes no pair.
pub(crate) fn units(legs: &mut [Leg]) -> impl Iterator<Item = Unit> + '_ {
    legs.sort_unstable();
    let same = legs.chunk_by(|one, two| one.pair.is_some() && one.pair == two.pair);
    same.flat_map(|same| {
        let pair = match same {
            [one, two] if one.is_swapped != two.is_swapped => Some(Unit::Pair(*one, *two)),
            _ => None,
        };
        let singles = if pair.is_some() { &[] } else { same };
        pair.into_iter().chain(singles.iter().map(|leg| Unit::Single(*leg)))
    })
}

/// What `player` scored in a game; `None` when it did not play, or played itself.
fn score_of(player: usize, game: &RatedGame) -> Option<GameScore> {
    match (game.first == player, game.second == player) {
        (true, false) => Some(game.score),
        (false, true) => Some(game.score.opposite()),
        (true, true) | (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(first: usize, second: usize, score: GameScore, pair: Option<u64>) -> RatedGame {
        RatedGame { first, second, score, group: 0, pair, opening: None }
    }

    #[test]
    fn games_are_counted_from_the_players_view() {
        let games = [
            game(0, 1, GameScore::Win, None),
            game(1, 0, GameScore::Win, None),
            game(2, 0, GameScore::Loss, None),
            game(0, 2, GameScore::Draw, None),
            game(1, 2, GameScore::Win, None),
        ];
        assert_eq!(Trinomial::from_games(&games, 0).counts(), [1, 1, 2]);
        assert_eq!(Trinomial::from_games(&games, 3).mean(), None);
    }

    #[test]
    fn pairs_are_scored_from_the_players_view() {
        let games = [
            game(0, 1, GameScore::Win, Some(1)),
            game(0, 1, GameScore::Draw, Some(2)),
            game(1, 0, GameScore::Loss, Some(1)),
            game(1, 0, GameScore::Win, Some(2)),
        ];
        assert_eq!(Pentanomial::from_games(&games, 0).counts(), [0, 1, 0, 0, 1]);
        assert_eq!(Pentanomial::from_games(&games, 1).counts(), [1, 0, 0, 1, 0]);
    }

    #[test]
    fn only_two_games_with_swapped_seats_are_a_pair() {
        let alone = [game(0, 1, GameScore::Win, Some(1))];
        let unswapped = [game(0, 1, GameScore::Win, Some(1)), game(0, 1, GameScore::Win, Some(1))];
        let three = [
            game(0, 1, GameScore::Win, Some(1)),
            game(1, 0, GameScore::Win, Some(1)),
            game(1, 0, GameScore::Win, Some(1)),
        ];
        let strangers = [game(0, 1, GameScore::Win, Some(1)), game(2, 0, GameScore::Win, Some(1))];
        let unnumbered = [game(0, 1, GameScore::Win, None), game(1, 0, GameScore::Win, None)];
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
