//! The test of transitivity on tournaments whose truth is known.

mod law;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use stats::{GameScore, RatedGame, Transitivity, transitivity};

const ADVANTAGE: f64 = 80.0;

/// How a tournament is simulated.
#[derive(Clone, Copy)]
struct Law {
    /// The share of the possible draws, 0 to 1.
    draws: f64,
    /// An opening adds up to plus or minus this to the first seat, in Elo.
    opening: f64,
    /// Whether every match-up is always played with the same seats, without pairs.
    is_unswapped: bool,
}

/// A round robin of `rounds` pairs (or games) between players with the given strengths over each other.
fn tournament(
    random: &mut ChaCha8Rng,
    players: usize,
    rounds: u64,
    law: Law,
    strength: impl Fn(usize, usize) -> f64,
) -> Vec<RatedGame> {
    let mut games = Vec::new();
    for one in 0..players {
        for two in one + 1..players {
            for round in 0..rounds {
                let first_seat = ADVANTAGE + random.random_range(-law.opening..=law.opening);
                let (seats, pair) = if law.is_unswapped {
                    (vec![(one, two)], None)
                } else {
                    (vec![(one, two), (two, one)], Some(round))
                };
                for (first, second) in seats {
                    let score = law::score(random, strength(first, second) + first_seat, law.draws);
                    games.push(RatedGame { pair, ..RatedGame::new(first, second, score) });
                }
            }
        }
    }
    games
}

const RATINGS: [f64; 6] = [120.0, 70.0, 30.0, -20.0, -60.0, -140.0];

/// Checks that p values are uniform when ratings hold, within three standard errors.
fn check_uniform(law: Law, freedom: usize) -> Vec<Transitivity> {
    const RUNS: usize = 400;
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let found: Vec<Transitivity> = (0..RUNS)
        .map(|_| {
            let strength = |one: usize, two: usize| RATINGS[one] - RATINGS[two];
            let games = tournament(&mut random, RATINGS.len(), 30, law, strength);
            transitivity(RATINGS.len(), 1, &games).expect("everybody has scored against everybody")
        })
        .collect();
    assert!(found.iter().all(|found| found.freedom == freedom), "{}", found[0].freedom);
    for level in [0.05, 0.25, 0.5, 0.75] {
        let share = found.iter().filter(|found| found.p_value <= level).count() as f64 / RUNS as f64;
        let error = (level * (1.0 - level) / RUNS as f64).sqrt();
        println!("{level}: {share:.3}");
        assert!((share - level).abs() < 3.0 * error, "{share:.3} of the p values are below {level}");
    }
    let false_curls = found.iter().filter(|found| found.curls[0].p_value < 0.05).count();
    println!("false curls: {false_curls} of {RUNS}");
    assert!(false_curls as f64 <= 0.083 * RUNS as f64, "{false_curls} false curls in {RUNS} tournaments");
    let mean = |part: fn(&Transitivity) -> Option<f64>| {
        found.iter().map(|found| part(found).expect("not all are equal")).sum::<f64>() / RUNS as f64
    };
    let (cyclic, chance) = (mean(|found| found.cyclic_share), mean(|found| found.chance_share));
    println!("cyclic {cyclic:.4}, by chance {chance:.4}");
    assert!((cyclic / chance - 1.0).abs() < 0.15, "cyclic {cyclic:.4}, by chance {chance:.4}");
    found
}

fn mean_scale(found: &[Transitivity]) -> f64 {
    found.iter().map(|found| found.scale).sum::<f64>() / found.len() as f64
}

#[test]
fn p_values_are_uniform_without_draws() {
    let found = check_uniform(Law { draws: 0.0, opening: 0.0, is_unswapped: false }, 10);
    assert!((mean_scale(&found) - 1.0).abs() < 0.03, "{}", mean_scale(&found));
}

#[test]
fn p_values_are_uniform_with_many_draws() {
    let found = check_uniform(Law { draws: 0.8, opening: 0.0, is_unswapped: false }, 10);
    // Taken as independent games without draws, nothing would ever be found.
    assert!(mean_scale(&found) < 0.5, "{}", mean_scale(&found));
}

#[test]
fn p_values_are_uniform_with_openings_that_favour_a_seat() {
    check_uniform(Law { draws: 0.3, opening: 200.0, is_unswapped: false }, 10);
}

#[test]
fn seats_never_swapped_cost_a_degree_of_freedom() {
    // Free match-ups leave nothing to tell an advantage by; ratings do.
    check_uniform(Law { draws: 0.3, opening: 0.0, is_unswapped: true }, 9);
}

/// Rock, paper, scissors: each beats the next by 100 Elo.
fn circle(one: usize, two: usize) -> f64 {
    if (one + 1) % 3 == two { 100.0 } else { -100.0 }
}

#[test]
fn rock_paper_scissors_is_found() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let law = Law { draws: 0.3, opening: 0.0, is_unswapped: false };
    let games = tournament(&mut random, 3, 100, law, circle);
    let found = transitivity(3, 1, &games).expect("everybody has scored against everybody");
    assert_eq!((found.freedom, found.triangles, found.curls.len()), (1, 1, 1));
    assert!(found.p_value < 1e-9, "{found:?}");
    assert!(found.cyclic_share.expect("not equal") > 0.9 && found.chance_share.expect("not equal") < 0.1);
    let curl = found.curls[0];
    assert_eq!(curl.players, [0, 1, 2]);
    assert!((curl.elo - 300.0).abs() < 4.0 * curl.elo / curl.z && curl.z > 6.0, "{curl:?}");
}

#[test]
fn a_circle_among_others_is_pointed_out() {
    let mut random = ChaCha8Rng::seed_from_u64(13);
    let law = Law { draws: 0.3, opening: 0.0, is_unswapped: false };
    let strength = |one: usize, two: usize| match (one, two) {
        (2..5, 2..5) => -circle(one - 2, two - 2),
        _ => RATINGS[one] - RATINGS[two],
    };
    let games = tournament(&mut random, 6, 60, law, strength);
    let found = transitivity(6, 1, &games).expect("everybody has scored against everybody");
    assert!(found.p_value < 1e-4 && found.triangles == 20, "{found:?}");
    assert_eq!(found.curls[0].players, [2, 4, 3]);
    assert!(found.curls[0].p_value < 1e-4, "{found:?}");
}

#[test]
fn perfect_scores_within_a_circle_are_finite() {
    let beats = |first, second, pair| {
        [(first, second, GameScore::Win), (second, first, GameScore::Loss)].map(|(first, second, score)| {
            RatedGame { pair: Some(pair), ..RatedGame::new(first, second, score) }
        })
    };
    let games: Vec<RatedGame> = (0..20)
        .flat_map(|pair| [beats(0, 1, pair), beats(1, 2, pair), beats(2, 0, pair)])
        .flatten()
        .collect();
    let found = transitivity(3, 1, &games).expect("the circle ties them together");
    // Every game contradicts ratings of equals: 120 games at ln 2 each.
    assert!((found.chi_squared * found.scale / (240.0 * 2f64.ln()) - 1.0).abs() < 1e-6, "{found:?}");
    assert!(found.p_value < 1e-9 && found.cyclic_share.expect("not equal") > 0.999);
    assert!(found.curls[0].elo.is_finite() && found.curls[0].p_value < 1e-3, "{found:?}");
}

#[test]
fn without_a_cycle_there_is_nothing_to_test() {
    let game = |first, second, score| RatedGame::new(first, second, score);
    let path = [
        game(0, 1, GameScore::Win),
        game(1, 0, GameScore::Draw),
        game(0, 1, GameScore::Loss),
        game(1, 2, GameScore::Win),
        game(2, 1, GameScore::Draw),
        game(1, 2, GameScore::Loss),
    ];
    assert_eq!(transitivity(3, 1, &path), None);
    assert_eq!(transitivity(0, 0, &[]), None);
    assert_eq!(transitivity(3, 1, &[game(0, 1, GameScore::Win)]), None);
}
