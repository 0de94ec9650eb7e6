//! Figures against those of independent programs: tests of the crate `stats`, run aloud.

use crate::shell::{ChoreError, root, run};

/// Tests with these words in their names hold figures against tables that independent programs made, or against slow exact
/// methods.
const ORACLES: &str = "truth:: exact:: agree_with_an_independent_program";

/// Runs them and prints each.
pub(super) fn check() -> Result<(), ChoreError> {
    run(&format!("cargo test --locked --package stats -- {ORACLES}"), &root())
}

/// Plays sequential tests of known players, the same number at each operating point, and prints how many passed and how long they
/// took beside what was simulated elsewhere.
pub(super) fn sequential_tests(tests: u64) -> Result<(), ChoreError> {
    let line =
        "cargo test --locked --quiet --package stats --test sprt simulated:: -- --nocapture --test-threads 1";
    run(&format!("ARENA_SIMS={tests} {line}"), &root())
}
