//! The chores from the outside. These tests are also why `cargo test` leaves the executable behind, which `.ci/run` goes on with.

use std::process::{Command, Output};

fn xtask(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(arguments)
        .output()
        .expect("the executable of this package")
}

#[test]
fn a_part_that_there_is_not_is_told_with_those_that_there_are() {
    let output = xtask(&["ci", "brwoser"]);
    assert!(!output.status.success());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("no part is called `brwoser`: chaos, workers, ") && told.contains(", browser, "),
        "{told}"
    );
}

#[test]
fn the_chores_of_ci_are_in_the_help() {
    let output = xtask(&["--help"]);
    assert!(output.status.success());
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    for chore in ["readme", "ci", "bless", "house"] {
        assert!(told.lines().any(|line| line.trim_start().starts_with(&format!("{chore} "))), "{told}");
    }
}
