//! Statistics of the seats of a group: the score of each, draws, and what pairing saves.

use std::collections::BTreeMap;

use crate::Points;
use crate::tally::{Tally, Unit};

/// The seat statistics of one group.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct GroupSeats {
    pub(crate) games: u64,
    /// The mean points of each seat of the largest table.
    pub(crate) scores: Vec<Option<f64>>,
    /// The share of draws among the results of every two seats.
    pub(crate) draw_rate: Option<f64>,
    /// Blocks: games of one opening in which every player sits in every seat.
    pub(crate) blocks: u64,
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

/// Returns the statistics of every group.
pub(crate) fn seats(groups: usize, tally: &Tally) -> Vec<GroupSeats> {
    let mut results = vec![[0u64; 3]; groups];
    for cell in &tally.cells {
        for (sum, count) in results[cell.group].iter_mut().zip(cell.counts) {
            *sum += count;
        }
    }
    let mut games = vec![0; groups];
    let mut points: Vec<Vec<(u64, Points)>> =
        tally.seats.iter().map(|&seats| vec![(0, Points::default()); seats]).collect();
    for (leg, count) in tally.games() {
        let group = tally.group_of(leg);
        games[group] += count;
        for side in tally.sides(leg) {
            let (played, sum) = &mut points[group][side.seat];
            *played += count;
            *sum += Points::share(side.halves * count, 2 * side.opponents);
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
    (0..groups)
        .map(|group| {
            let duels: u64 = results[group].iter().sum();
            let in_group = |unit: &&Unit| tally.group_of(&unit.legs()[0]) == group;
            let whole = |unit: &&Unit| unit.legs().len() == tally.seats[group];
            GroupSeats {
                games: games[group],
                scores: points[group].iter().map(|(played, points)| points.mean(*played)).collect(),
                draw_rate: (duels > 0).then(|| results[group][1] as f64 / duels as f64),
                blocks: tally.units.iter().filter(whole).filter(in_group).map(|unit| unit.count).sum(),
                pair_variance_ratio: pair_variance_ratio(match_ups[group].values()),
            }
        })
        .collect()
}

/// Returns the variance of a pair's score relative to that of two independent games, pooled over match-ups.
///
/// Independent games are games of the same match-up, each with a seat drawn by lot. With n pairs in each of m match-ups, the
/// variance V of the sum of a pair's two scores is estimated as SS(pairs) / Σ(n − 1), and that of a game's score as
/// (SS(games) + m V / 2) / Σ 2n. SS are the sums of squares around the means of the match-ups, and m V / 2 corrects for these
/// means being estimated from paired games.
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

    /// Returns the seats of one group from the results of pairs, with how often each occurs.
    fn check(pairs: &[(GameScore, GameScore, u64)]) -> GroupSeats {
        let mut games = Vec::new();
        for &(one, two, count) in pairs {
            for _ in 0..count {
                let pair = Some(games.len() as u64);
                games.push(RatedGame { pair, ..RatedGame::new(0, 1, one) });
                games.push(RatedGame { pair, ..RatedGame::new(1, 0, two) });
            }
        }
        seats(1, &Tally::new(2, 1, &games)).remove(0)
    }

    #[test]
    fn pairing_halves_the_games_of_a_drawless_game_with_a_strong_first_move() {
        // Equal players with 300 Elo for the first seat: it wins 0.849 of the games.
        let seats = check(&[
            (GameScore::Win, GameScore::Win, 7208),
            (GameScore::Win, GameScore::Loss, 1282),
            (GameScore::Loss, GameScore::Win, 1282),
            (GameScore::Loss, GameScore::Loss, 228),
        ]);
        let ratio = seats.pair_variance_ratio.unwrap();
        assert!((ratio - 0.51).abs() < 0.005, "{ratio}");
        assert!((seats.scores[0].unwrap() - 0.849).abs() < 1e-9);
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
