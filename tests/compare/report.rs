//! `arena report` of runs that go on, and of tests over several games.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::cup::Cup;
use crate::text;

fn run(journal: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("journal.jsonl"), journal).expect("written");
    directory
}

fn report(directory: &TempDir, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command
        .arg("report")
        .arg(directory.path())
        .args(words)
        .env("LC_ALL", "C")
        .output()
        .expect("the arena runs")
}

#[test]
fn a_run_that_goes_on_has_figures_that_hold_at_any_time() {
    let cup = Cup::new(1);
    let games = cup.games();
    let directory = run(&cup.written(&games[..games.len() / 2]));
    let out = text(&report(&directory, &["--explain"]).stdout);
    assert!(out.contains("432 games played, not finished: figures that hold at any time\n"), "{out}");
    assert!(out.contains("any time: the mean scores against all other bots"), "{out}");
    assert!(!out.contains("+-") && !out.contains("LOS  ") && !out.contains("inf"), "{out}");
    let csv = fs::read_to_string(directory.path().join("standings.csv")).expect("a table");
    let row = csv.lines().find(|line| line.starts_with("all,1,ada,")).expect("a row");
    assert!(row.ends_with(",,") && row.split(',').nth(5) == Some(""), "{row}");
}

/// The truth is four ratings: nothing is cyclic.
#[test]
fn a_finished_run_says_whether_ratings_explain_it() {
    let directory = run(&Cup::new(2).journal());
    let out = text(&report(&directory, &["--explain"]).stdout);
    assert!(out.contains("Do ratings explain the results?\n\nNo evidence against it"), "{out}");
    assert!(out.contains("+-") && out.contains("LOS (`los_next`)") && !out.contains("any time"), "{out}");
    let whole = fs::read_to_string(directory.path().join("report.txt")).expect("a report");
    assert!(whole.contains("Do ratings explain the results?"), "{whole}");
}

#[test]
fn a_test_over_several_games_names_those_that_gained_and_regressed() {
    // `ada` has 40 Elo over `bob`, then 300 more in the first two games and 400 less in the last.
    let cup = Cup::new(1).with_new_version("ada", [300.0, 300.0, -400.0]).into_test();
    let directory = run(&cup.journal());
    let page = text(&report(&directory, &[]).stdout);
    assert!(page.contains("Gained: farook, faust.\nRegressed: sophia.\n"), "{page}");
    let json = text(&report(&directory, &["--several", "json"]).stdout);
    let several: Value = serde_json::from_str(&json).expect("one JSON value");
    assert_eq!(several["names"], serde_json::json!(["ada", "bob"]));
    assert!(
        several["i_squared"].as_f64() > Some(0.8) && several["games"][2]["elo"].as_f64() < Some(0.0),
        "{json}"
    );
    let interval = several["interval"].as_array().expect("an interval");
    let truth = (340.0 + 340.0 - 360.0) / 3.0;
    assert!(interval[0].as_f64() < Some(truth) && interval[1].as_f64() > Some(truth), "{json}");
    let markdown = text(&report(&directory, &["--several", "markdown", "--explain"]).stdout);
    assert!(
        markdown.contains("| game | pairs | worst to best | Elo | p gained | p regressed |"),
        "{markdown}"
    );
    assert!(markdown.contains("Over games like these: the mean difference"), "{markdown}");
}

#[test]
fn a_round_robin_has_no_verdict_of_a_test() {
    let output = report(&run(&Cup::new(1).journal()), &["--several", "text"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("error: the run is no test of strength"),
        "{}",
        text(&output.stderr)
    );
    let short = Cup::new(1).into_test();
    let output = report(&run(&short.written(&short.games()[..20])), &["--several", "text"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
}
