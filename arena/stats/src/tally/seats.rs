//! What the seats tell about a group: first-seat score, draws, and what pairing saves.

use std::collections::BTreeMap;

use crate::tally::Tally;

/// The seat statistics of one group.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Seats {
    pub(crate) games: u64,
    /// The mean score of the first seat.
    pub(crate) first_score: Option<f64>,
    pub(crate) draw_rate: Option<f64>,
    pub(crate) pairs: u64,
    pub(crate) pair_variance_ratio: Option<f64>,
}

/// Sums over the pairs of one match-up, in half points of the player of lower index.
#[derive(Default)]
struct MatchUp {
    pairs: u64,
    sum: u64,
    squares_of_games: u64,
    squares_of_pairs: u64,
}

/// The statistics of every group.
pub(crate) fn seats(groups: usize, tally: &Tally) -> Vec<Seats> {
    let mut results = vec![[0u64; 3]; groups];
    for cell in &tally.cells {
        for (sum, count) in results[cell.group].iter_mut().zip(cell.counts) {
            *sum += count;
        }
    }
    let mut match_ups: Vec<BTreeMap<(usize, usize), MatchUp>> = Vec::new();
    match_ups.resize_with(groups, BTreeMap::new);
    for (pair, [(cell, one), (_, two)]) in tally.pairs() {
        let cell = &tally.cells[cell];
        let (one, two) = (u64::from(one.halves()), u64::from(two.opposite().halves()));
        let match_up = match_ups[cell.group].entry((cell.first, cell.second)).or_default();
        match_up.pairs += pair.count;
        match_up.sum += pair.count * (one + two);
        match_up.squares_of_games += pair.count * (one * one + two * two);
        match_up.squares_of_pairs += pair.count * (one + two) * (one + two);
    }
    results
        .iter()
        .zip(&match_ups)
        .map(|([losses, draws, wins], match_ups)| {
            let games = losses + draws + wins;
            let share = |part: f64| (games > 0).then(|| part / games as f64);
            Seats {
                games,
                first_score: share(*wins as f64 + *draws as f64 / 2.0),
                draw_rate: share(*draws as f64),
                pairs: match_ups.values().map(|match_up| match_up.pairs).sum(),
                pair_variance_ratio: pair_variance_ratio(match_ups.values()),
            }
        })
        .collect()
}

/// The variance of a pair's score over that of two independent games, pooled over match-ups.
///
/// Independent means: of the same match-up, each game with a seat drawn by lot. With n pairs in each of m
/// match-ups, the variance V of the sum of a pair's two scores is estimated as SS(pairs) / Σ(n − 1), and that
/// of a game's score as (SS(games) + m V / 2) / Σ 2n, where SS are the sums of squares about the means of
/// the match-ups and m V / 2 makes up for these means being estimated from paired games.
fn pair_variance_ratio<'a>(match_ups: impl Iterator<Item = &'a MatchUp>) -> Option<f64> {
    let (mut of_pairs, mut of_games, mut pairs, mut number) = (0.0, 0.0, 0.0, 0.0);
    for match_up in match_ups.filter(|match_up| match_up.pairs > 1) {
        let n = match_up.pairs as f64;
        let square = (match_up.sum as f64).powi(2);
        of_pairs += match_up.squares_of_pairs as f64 - square / n;
        of_games += match_up.squares_of_games as f64 - square / (2.0 * n);
        pairs += n;
        number += 1.0;
    }
    let pair = if pairs > number { of_pairs / (pairs - number) } else { return None };
    let game = (of_games + number * pair / 2.0) / (2.0 * pairs);
    (game > 0.0).then(|| pair / (2.0 * game))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameScore, RatedGame};

    /// Seats of one group from the results of pairs, with how often each occurs.
    fn check(pairs: &[(GameScore, GameScore, u64)]) -> Seats {
        let mut games = Vec::new();
        for &(one, two, count) in pairs {
            for _ in 0..count {
                let pair = Some(games.len() as u64);
                games.push(RatedGame { first: 0, second: 1, score: one, group: 0, pair, opening: None });
                games.push(RatedGame { first: 1, second: 0, score: two, group: 0, pair, opening: None });
            }
        }
        seats(1, &Tally::new(2, 1, &games))[0]
    }

    #[test]
    fn pairing_halves_the_games_of_a_drawless_game_with_a_strong_first_move() {
        // Equal players, 300 Elo for the first move: the first seat wins 0.849 of the games.
        let seats = check(&[
            (GameScore::Win, GameScore::Win, 7208),
            (GameScore::Win, GameScore::Loss, 1282),
            (GameScore::Loss, GameScore::Win, 1282),
            (GameScore::Loss, GameScore::Loss, 228),
        ]);
        let ratio = seats.pair_variance_ratio.unwrap();
        assert!((ratio - 0.51).abs() < 0.005, "{ratio}");
        assert!((seats.first_score.unwrap() - 0.849).abs() < 1e-9);
        assert_eq!(seats.draw_rate, Some(0.0));
    }

    #[test]
    fn pairing_saves_nothing_when_openings_do_not_matter() {
        let seats = check(&[
            (GameScore::Win, GameScore::Win, 1000),
            (GameScore::Win, GameScore::Loss, 1000),
            (GameScore::Loss, GameScore::Win, 1000),
            (GameScore::Loss, GameScore::Loss, 1000),
        ]);
        assert!((seats.pair_variance_ratio.unwrap() - 1.0).abs() < 1e-3);
    }

    #[test]
    fn pairs_that_always_split_have_no_variance() {
        assert_eq!(check(&[(GameScore::Win, GameScore::Win, 10)]).pair_variance_ratio, Some(0.0));
    }

    #[test]
    fn a_ratio_needs_two_pairs_and_varying_results() {
        assert_eq!(check(&[]).pair_variance_ratio, None);
        assert_eq!(check(&[(GameScore::Win, GameScore::Win, 1)]).pair_variance_ratio, None);
        assert_eq!(check(&[(GameScore::Draw, GameScore::Draw, 9)]).pair_variance_ratio, None);
    }
}
