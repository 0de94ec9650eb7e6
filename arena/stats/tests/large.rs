//! Pools that are too large for matrices: the same ratings, and errors that are nearly the same.

mod law;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use stats::{FitSettings, GameScore, Method, Prior, RatedGame, RatingTable, TableResult, fit};

/// The games of a pool as of a Swiss: every round each player meets another one of about its strength.
fn pool(players: usize, rounds: u32, seed: u64) -> (Vec<f64>, Vec<RatedGame>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let truth: Vec<f64> = (0..players).map(|i| 600.0 * (i as f64 / players as f64 - 0.5)).collect();
    let mut games = Vec::new();
    let mut pair = 0;
    for _ in 0..rounds {
        let mut order: Vec<(f64, usize)> =
            (0..players).map(|i| (truth[i] + random.random_range(-300.0..300.0), i)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        for two in order.chunks_exact(2) {
            let (one, two) = (two[0].1, two[1].1);
            pair += 1;
            for (first, second) in [(one, two), (two, one)] {
                let score = law::score(&mut random, truth[first] - truth[second] + 50.0, 0.3);
                games.push(RatedGame { pair: Some(pair), ..RatedGame::new(first, second, score) });
            }
        }
    }
    (truth, games)
}

/// The same games among more than a thousand others who never meet these: two pools in one fit.
fn doubled(games: &[RatedGame], players: usize, times: usize) -> Vec<RatedGame> {
    let copy = |k: usize| {
        let shift = k * players;
        games.iter().map(move |game| RatedGame {
            result: TableResult::of_two(
                game.result.player(0) + shift,
                game.result.player(1) + shift,
                game.result.score(0, 1),
            ),
            ..*game
        })
    };
    (0..times).flat_map(copy).collect()
}

fn within(table: &RatingTable, i: usize, j: usize) -> (f64, f64, f64) {
    let difference = table.difference(i, j).expect("they are tied together");
    (difference.elo, difference.error95.expect("results vary"), table.los(i, j).expect("results vary"))
}

#[test]
fn a_large_pool_is_rated_as_a_small_one() {
    let (players, times) = (120, 9);
    let (_, games) = pool(players, 14, 7);
    let settings = FitSettings { prior: Prior::None, ..FitSettings::default() };
    let small = fit(players, 1, &games, &settings);
    assert_eq!(small.method, Method::Plain);
    let large = fit(players * times, 1, &doubled(&games, players, times), &settings);
    assert_eq!((large.method, large.components), (Method::Separate, times));
    let mut ratios = Vec::new();
    for i in 1..players {
        for shift in [0, 4 * players] {
            let (a, b) = (within(&small, i - 1, i), within(&large, i - 1 + shift, i + shift));
            assert!((a.0 - b.0).abs() < 1e-5, "{a:?} {b:?}");
            ratios.push(b.1 / a.1);
            assert!((a.2 - b.2).abs() < 0.05, "{a:?} {b:?}");
        }
    }
    // Errors come from 128 examples: 6 % each.
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    assert!((0.94..1.06).contains(&mean), "{mean}");
    assert!(ratios.iter().all(|ratio| (0.7..1.4).contains(ratio)), "{ratios:?}");
    // The same games give the same figures.
    let again = fit(players * times, 1, &doubled(&games, players, times), &settings);
    assert_eq!(large.ratings, again.ratings);
}

#[test]
fn intervals_of_a_large_pool_hold_the_truth() {
    let (truth, games) = pool(1200, 12, 3);
    let table = fit(1200, 1, &games, &FitSettings::default());
    assert!(matches!(table.method, Method::Plain | Method::Linked { .. }));
    let mean: f64 = truth.iter().sum::<f64>() / truth.len() as f64;
    let rated = table.ratings.iter().zip(&truth).filter(|(rating, _)| !rating.is_regularized);
    let held: Vec<bool> = rated
        .map(|(rating, truth)| (rating.elo.unwrap() - (truth - mean)).abs() <= rating.error95.unwrap())
        .collect();
    let share = held.iter().filter(|is_held| **is_held).count() as f64 / held.len() as f64;
    assert!(held.len() > 1000 && (0.92..0.985).contains(&share), "{share} of {}", held.len());
}

#[test]
fn newcomers_to_a_large_pool_are_marked_alone() {
    let (_, mut games) = pool(1200, 12, 3);
    let before = fit(1200, 1, &games, &FitSettings::default());
    for first in [0, 5] {
        let game = RatedGame::new(first, 1200, GameScore::Win);
        games.push(game);
    }
    let table = fit(1201, 1, &games, &FitSettings::default());
    assert!(matches!(table.method, Method::Linked { .. }));
    let newcomer = &table.ratings[1200];
    assert!(newcomer.is_regularized && newcomer.bound.is_some() && newcomer.error95.unwrap() > 100.0);
    let moved = (0..1200).filter(|&i| !table.ratings[i].is_regularized && !before.ratings[i].is_regularized);
    let zero = table.ratings[3].elo.unwrap() - before.ratings[3].elo.unwrap();
    for i in moved {
        let change = table.ratings[i].elo.unwrap() - before.ratings[i].elo.unwrap();
        assert!((change - zero).abs() < 1e-4, "{i}: {change}");
    }
}
