//! `arena check` finds what is broken: the table of `arena/docs/check-faults.md`. The second stage of CI breaks the bot in
//! every way of the table, this one in those ways that show at once.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, thread};

use serde_json::Value;

use crate::workshop::{Ended, Workshop, executable};

/// Faults of every part of the protocol that are found without long waits. But for `no-flush`, which waits for ten
/// seconds and takes no processor for it.
const QUICKLY_FOUND: [(&str, &str); 30] = [
    ("no-flush", "farook"),
    ("no-start", "farook"),
    ("early-id", "farook"),
    ("protocol", "farook"),
    ("no-protocol", "farook"),
    ("unknown-game", "farook"),
    ("unknown-line", "farook"),
    ("blank-line", "farook"),
    ("option-max", "farook"),
    ("option-syntax", "farook"),
    ("refuse", "faust"),
    ("one-game", "farook"),
    ("crash-unknown", "farook"),
    ("twice", "farook"),
    ("forward-only", "frenzy"),
    ("no-fen", "farook"),
    ("pairs", "farook"),
    ("illegal", "faust:size=4"),
    ("no-swap", "faust:size=4"),
    ("no-keep", "frenzy"),
    ("short-turn", "frenzy"),
    ("increment", "farook"),
    ("no-ponder", "farook"),
    ("query-legal", "farook"),
    ("gameover", "farook"),
    ("on-legal", "farook"),
    ("want-word", "farook"),
    ("wrong-word", "farook"),
    ("uciok", "farook"),
    ("leak", "farook"),
];

/// How many bots are tested at once.
const AT_ONCE: usize = 3;

/// One row of the table.
struct Row {
    clause: String,
    fault: String,
    does: String,
    test: String,
    advice: String,
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn broken() -> String {
    root("tests/bots/broken.py").display().to_string()
}

/// Reads the rows of the table.
fn rows() -> Vec<Row> {
    let page = fs::read_to_string(root("arena/docs/check-faults.md")).expect("the page can be read");
    let row = |line: &str| {
        let cells: Vec<_> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [clause, fault, does, test, advice] = cells[..] else { return None };
        let fault = fault.strip_prefix('`')?.strip_suffix('`')?;
        let [clause, fault, does, test] = [clause, fault, does, test].map(str::to_owned);
        Some(Row { clause, fault, does, test, advice: advice.replace("\\|", "|") })
    };
    page.lines().filter_map(row).collect()
}

#[test]
fn the_table_lists_every_fault_of_the_broken_bot_with_its_test_and_clause() {
    let workshop = Workshop::new();
    let list = workshop.command("python3", &[&broken(), "--list"]).output().expect("python3 starts");
    let list: Vec<Value> =
        serde_json::from_str(&Ended::new(list).expect(0).stdout).expect("a list of faults");
    let listed: Vec<_> = list
        .iter()
        .map(|row| ["fault", "test", "does"].map(|key| row[key].as_str().unwrap_or_default()))
        .collect();
    let rows = rows();
    let table: Vec<_> = rows.iter().map(|row| [row.fault.as_str(), &row.test, &row.does]).collect();
    assert_eq!(table, listed);
    for row in &rows {
        let test = conformance::TESTS.iter().find(|test| format!("T{:02}", test.number) == row.test);
        assert_eq!(test.map(|test| test.clause), Some(row.clause.as_str()), "{}", row.fault);
        assert!(!row.advice.is_empty(), "{}", row.fault);
    }
    // A test that no fault fails is not known to find anything.
    for test in conformance::TESTS {
        let id = format!("T{:02}", test.number);
        assert!(rows.iter().any(|row| row.test == id), "no fault is found by {id}");
    }
}

#[test]
fn a_broken_clause_is_found_by_its_test_and_the_advice_is_that_of_the_table() {
    let workshop = Workshop::new();
    let (rows, left) = (rows(), Mutex::new(QUICKLY_FOUND.iter()));
    let next = || left.lock().ok()?.next();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((fault, game)) = next() {
                    let row = rows.iter().find(|row| row.fault == *fault).expect("the table names the fault");
                    judge(&workshop, row, game);
                }
            });
        }
    });
}

/// Tests the bot with one fault, in one game, by the test that is to find it.
fn judge(workshop: &Workshop, row: &Row, game: &str) {
    let words =
        ["check", "--quick", "--only", &row.test, "--game", game, "--", "python3", &broken(), &row.fault];
    let mut command = workshop.arena(&words);
    let output = command.env("ABP_ARENA", executable()).output();
    let ended = Ended::new(output.expect("the executable starts"));
    let number = row.test[1..].parse::<u8>().expect("a test has a number");
    let mut failing = ended.stdout.lines().filter(|line| line.starts_with("not ok "));
    let line = failing.next().unwrap_or_default();
    assert!(line.starts_with(&format!("not ok {number} - ")), "{}: {}", row.fault, ended.stdout);
    assert!(line.ends_with(&format!(" # {}", row.advice)), "{}: {line}", row.fault);
    let is_warned = line.contains(" (SHOULD) # ");
    assert_eq!(ended.code, i32::from(!is_warned), "{}: {}", row.fault, ended.stdout);
}
