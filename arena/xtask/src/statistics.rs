//! `cargo xtask statistics`: whether figures keep their promises, by simulation.

mod coverage;
mod lots;

use crate::shell::Fault;

/// Prints the tables of coverage.
pub(crate) fn check(tournaments: u64, only: Option<&str>) -> Result<(), Fault> {
    println!(
        "{:<62} {:>6} {:>6} {:>6} {:>8} {:>6}",
        "95 % intervals that hold the truth", "rating", "differ", "seat", "width", "marked"
    );
    for design in coverage::designs() {
        if only.is_some_and(|word| !design.name.contains(word)) {
            continue;
        }
        println!("{}", coverage::measure(&design, tournaments).row(&design));
    }
    Ok(())
}
