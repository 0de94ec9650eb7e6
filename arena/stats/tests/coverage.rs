//! The 95 % intervals hold what they promise: simulated tournaments whose truth is known.

mod law;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use stats::{Game, Settings, fit};

const TRUTH: [f64; 5] = [150.0, 60.0, 0.0, -70.0, -140.0];
const ADVANTAGE: f64 = 80.0;
const TOURNAMENTS: usize = 400;

/// How often the intervals of ratings, advantage and differences held the truth.
#[derive(Default)]
struct Hits {
    held: usize,
    all: usize,
}

impl Hits {
    fn count(&mut self, elo: f64, error95: Option<f64>, truth: f64) {
        self.all += 1;
        self.held += usize::from((elo - truth).abs() <= error95.expect("results vary"));
    }

    fn assert_about_95(&self, what: &str) {
        let share = self.held as f64 / self.all as f64;
        assert!((0.93..0.97).contains(&share), "{what}: {share:.3} of {}", self.all);
    }
}

/// Plays a round robin of colour-swapped pairs; each pair's opening adds up to ±`opening` Elo to the first seat.
/// Besides, each two players play `unswapped` games in which the weaker one has the first seat.
fn tournament(
    random: &mut ChaCha8Rng,
    pairs: usize,
    unswapped: usize,
    draws: f64,
    opening: f64,
) -> Vec<Game> {
    let mut games = Vec::new();
    for i in 0..TRUTH.len() {
        for j in 0..i {
            for round in 0..pairs + unswapped {
                let swing = random.random_range(-opening..=opening);
                let pair = (round < pairs).then_some(round as u64);
                let seats = [(i, j), (j, i)];
                let seats = if pair.is_some() { &seats[..] } else { &seats[..1] };
                for &(first, second) in seats {
                    let elo = TRUTH[first] - TRUTH[second] + ADVANTAGE + swing;
                    let score = law::score(random, elo, draws);
                    games.push(Game { first, second, score, group: 0, pair, opening: None });
                }
            }
        }
    }
    games
}

fn check(pairs: usize, unswapped: usize, draws: f64, opening: f64) {
    let mut random = ChaCha8Rng::seed_from_u64(20_260_101);
    let (mut ratings, mut advantages, mut differences) = (Hits::default(), Hits::default(), Hits::default());
    for _ in 0..TOURNAMENTS {
        let games = tournament(&mut random, pairs, unswapped, draws, opening);
        let table = fit(TRUTH.len(), 1, &games, &Settings::default());
        assert!(!table.is_regularized());
        for (rating, truth) in table.ratings.iter().zip(TRUTH) {
            ratings.count(rating.elo.expect("all are rated"), rating.error95, truth);
        }
        let advantage = &table.advantages[0];
        advantages.count(advantage.elo.expect("seats are swapped"), advantage.error95, ADVANTAGE);
        for (i, one) in TRUTH.iter().enumerate() {
            for (j, two) in TRUTH.iter().enumerate().take(i) {
                let difference = table.difference(i, j).expect("all are rated");
                differences.count(difference.elo, difference.error95, one - two);
            }
        }
    }
    ratings.assert_about_95("ratings");
    advantages.assert_about_95("advantage");
    differences.assert_about_95("differences");
}

#[test]
fn without_draws() {
    check(20, 0, 0.0, 0.0);
}

#[test]
fn with_many_draws() {
    check(20, 0, 0.8, 0.0);
}

#[test]
fn with_openings_that_favour_a_seat() {
    check(20, 0, 0.3, 60.0);
}

#[test]
fn with_unbalanced_seats_and_no_draws() {
    check(5, 30, 0.0, 0.0);
}

#[test]
fn with_unbalanced_seats_and_some_draws() {
    check(5, 30, 0.3, 0.0);
}

#[test]
fn with_unbalanced_seats_and_many_draws() {
    check(5, 30, 0.8, 0.0);
}
