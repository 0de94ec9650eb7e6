//! The plan of a table against tables that are played: `ARENA_SIMS=N` plays N of each.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use stats::TablePlan;
use stats::sprt::{Draws, Players};

/// Compares the share of neighbours told apart with the share that the plan is made for.
fn check(bots: usize, gap: f64, draws: f64, first_seat: f64) {
    let tables = std::env::var("ARENA_SIMS").map_or(60, |text| text.parse().expect("a number"));
    let players = Players { draws: Draws::Rate(draws), first_seat };
    let plan = TablePlan::new(bots, gap, &players).expect("such bots");
    let rounds = plan.rounds(0.8);
    let mut random = ChaCha8Rng::seed_from_u64(17);
    let told: usize = (0..tables).map(|_| plan.told_apart(rounds as u64, || random.random())).sum();
    let share = told as f64 / (tables * (bots - 1)) as f64;
    println!(
        "{bots} bots {gap} apart, draws {draws}, first seat {first_seat}: {rounds} rounds tell {share:.3} apart"
    );
    // Neighbours share a bot, so that their differences depend on each other: cautiously one of them a table. The plan is for
    // the two that are told apart last: where bots are far apart, others are so sooner.
    let error = (0.8 * 0.2 / tables as f64).sqrt();
    assert!(share > 0.8 - 3.0 * error - 0.02 && share < 0.92 + 3.0 * error, "{share}");
}

#[test]
fn neighbours_are_told_apart_when_planned() {
    check(2, 60.0, 0.0, 0.0);
    check(4, 40.0, 0.5, 0.0);
    check(8, 40.0, 0.2, 80.0);
    check(12, 60.0, 0.8, 0.0);
}
