//! `arena bench`, and `arena perft` with threads and a table.

use std::process::{Command, Output};

use serde_json::Value;

fn run(line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(line.split_whitespace()).env("LC_ALL", "C").output().expect("the arena runs")
}

fn text(line: &str) -> String {
    let output = run(line);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(line: &str) -> Value {
    serde_json::from_str(&text(line)).expect("a line of JSON")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn a_benchmark_has_these_keys_in_json() {
    let bench = json("bench --game farook --game sophia --seconds 0 --json");
    assert_eq!(keys(&bench), ["games", "signature"]);
    let games = bench["games"].as_array().expect("a list");
    assert_eq!(games.iter().map(|game| &game["game"]).collect::<Vec<_>>(), ["farook", "sophia"]);
    let known = ["game", "playouts_per_second", "plies_per_playout", "plies_per_second", "positions"];
    assert_eq!(keys(&games[0]), known);
    let position = &games[0]["positions"][0];
    assert_eq!(keys(position), ["depth", "is_right", "nodes", "nodes_per_second", "position"]);
    assert_eq!(position["is_right"], true);
    assert!(position["nodes_per_second"].as_f64().is_some_and(|rate| rate > 1000.0));
}

#[test]
fn a_benchmark_ends_with_its_signature() {
    let table = text("bench --game farook --seconds 0");
    let signature = json("bench --game farook --seconds 0 --json")["signature"].clone();
    assert_eq!(table.lines().last(), Some(&*format!("signature {}", signature.as_str().expect("a text"))));
    assert!(table.contains("farook    start         5   1 624 416"), "{table}");
    assert!(!table.contains("wrong"), "{table}");
}

#[test]
fn help_changes_no_count() {
    let plain = json("perft fanorona 4 --divide --json");
    for help in ["--threads 3", "--threads all", "--hash 1", "--threads 2 --hash 2"] {
        let count = json(&format!("perft fanorona 4 --divide --json {help}"));
        assert_eq!((&count["nodes"], &count["divide"]), (&plain["nodes"], &plain["divide"]), "{help}");
        assert_eq!(json(&format!("perft fanorona 4 --json {help}"))["nodes"], plain["nodes"], "{help}");
        assert_eq!(json(&format!("perft fanorona 0 --json {help}"))["nodes"], 1, "{help}");
    }
}

#[test]
fn what_is_typed_wrongly_is_told() {
    let lines = [
        ("perft farook 1 --threads 0", "it must be `all` or a whole number from 1 to 1024"),
        ("perft farook 1 --threads many", "it must be `all` or a whole number from 1 to 1024"),
        ("perft farook 1 --hash 0", "it must be a whole number from 1 to 1048576"),
        ("perft farook 1 --hash 9999999999999999999999", "it must be a whole number from 1 to 1048576"),
        ("bench --seconds -1", "it must be a number from 0 to 3600"),
        ("bench --seconds nan", "it must be a number from 0 to 3600"),
        ("bench --seconds 1e9", "it must be a number from 0 to 3600"),
        ("bench --game chess", "unknown game `chess`"),
        ("bench harness --game chess", "unknown game `chess`"),
        ("bench harness --pairs 1", "1 is not in 5..=100000"),
        ("bench harness --against no/such/arena --pairs 5", "`no/such/arena` is no executable to measure"),
        ("bench fairness --pin here", "invalid value 'here'"),
    ];
    for (line, told) in lines {
        let output = run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty(), "{line}");
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.contains(told), "{line}: {text}");
    }
}

#[test]
fn the_charges_of_equal_bots_are_compared() {
    let output = run("bench fairness --game farook --pairs 10 --bias 1000 --json");
    let fairness: Value = serde_json::from_slice(&output.stdout).expect("a line of JSON");
    assert_eq!(keys(&fairness), ["differences", "is_fair", "pairs"]);
    assert_eq!(fairness["pairs"], 10);
    // Which of them it is belongs to the machine; the comparison itself is tested with invented charges.
    let code = if fairness["is_fair"] == true { 0 } else { 1 };
    assert_eq!(output.status.code(), Some(code));
    let differences = fairness["differences"].as_array().expect("a list");
    assert_eq!(differences.len(), 4);
    for difference in differences {
        let value = |key: &str| difference[key].as_f64().expect("a number");
        assert!(value("low") <= value("difference") && value("difference") <= value("high"), "{difference}");
    }
}

#[test]
fn a_run_tells_what_it_cost_if_asked() {
    let output = run("match random random --game farook --rounds 1 --verbose");
    let told = String::from_utf8(output.stderr).expect("text");
    let line = told.lines().find(|line| line.starts_with("counters: games=2 plies=")).expect("counters");
    for key in ["cpu-us=", "bots-cpu-us=", "wake-ups=", "reads=", "writes=", "bytes-written=", "peak-kib="] {
        assert!(line.contains(key), "{line}");
    }
    assert!(told.contains("us of the arena's processor time"), "{told}");
    let quiet = String::from_utf8(run("match random random --game farook --rounds 1").stderr).expect("text");
    assert!(!quiet.contains("counters"), "{quiet}");
}
