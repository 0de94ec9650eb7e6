//! How often the sequential test errs and how long it takes, against simulations made elsewhere.
//!
//! A plain run plays the short tests only. All of them, with as many runs each as are asked for:
//!
//! ```sh
//! ARENA_SIMS=20000 cargo test --release -p stats --test sprt -- --nocapture
//! ```

use std::num::NonZeroU64;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use stats::sprt::{Run, Simulator, Summary};

use crate::points::Point;

/// Tests of each operating point, unless `ARENA_SIMS` says otherwise.
const RUNS: u64 = 1000;

/// Points whose tests are longer on the mean are left out of a plain run.
const SHORT: f64 = 250.0;

/// No test at these points comes near this length.
const MOST_PAIRS: NonZeroU64 = NonZeroU64::new(1_000_000).expect("valid test data");

fn simulate(point: &Point, seed: u64, runs: u64) -> Summary {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let simulator = Simulator::new(point.walk().with_max_pairs(MOST_PAIRS), point.law());
    let runs: Vec<Run> = (0..runs).map(|_| simulator.run(|| random.random())).collect();
    Summary::of(&runs).expect("valid test data")
}

/// Fails when the two differ by more than three standard errors of the difference.
///
/// The error of a share is that of both simulations taken together: where one saw nothing, its own would be 0.
fn check(point: &Point, found: &Summary) {
    let n = found.runs as f64;
    let share = (found.pass * n + point.pass * point.runs) / (n + point.runs);
    let error = (share * (1.0 - share) * (1.0 / n + 1.0 / point.runs)).sqrt();
    // A share of few events is in steps of one run.
    let off = ((found.pass - point.pass).abs() - 1.0 / n).max(0.0);
    assert!(off <= 3.0 * error, "{point:?}: {found:?}");
    let error = found.mean_pairs_error.hypot(point.mean_pairs_error);
    assert!((found.mean_pairs - point.mean_pairs).abs() <= 3.0 * error, "{point:?}: {found:?}");
}

#[test]
fn tests_err_and_last_as_simulated_elsewhere() {
    let asked: Option<u64> = std::env::var("ARENA_SIMS").ok().map(|text| text.parse().expect("a number"));
    let points = Point::all();
    assert_eq!(points.len(), 29);
    let mut checked = 0;
    println!(
        "{:<44} {:>7} {:>9} {:>8} {:>9}",
        "sequential tests", "passed", "elsewhere", "pairs", "elsewhere"
    );
    for (seed, point) in points.iter().enumerate() {
        if asked.is_none() && point.mean_pairs > SHORT {
            continue;
        }
        let found = simulate(point, seed as u64, asked.unwrap_or(RUNS));
        println!(
            "{:<44} {:7.3} {:9.3} {:8.1} {:9.1}",
            point.name, found.pass, point.pass, found.mean_pairs, point.mean_pairs
        );
        check(point, &found);
        checked += 1;
    }
    assert!(checked >= 16, "{checked}");
}
