//! `arena compare` and the report, as a user or a script meets them: journals made up by simulation, so that the truth is
//! known.

#[path = "compare/cup.rs"]
mod cup;
#[path = "compare/report.rs"]
mod report;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use cup::Cup;

fn compare(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.arg("compare").args(words).env("LC_ALL", "C").output().expect("the arena runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text is UTF-8")
}

/// Writes two journals and compares them.
fn both(before: &str, after: &str, words: &[&str]) -> (Option<i32>, String, String) {
    let directory = tempfile::tempdir().expect("a directory");
    let paths = ["before", "after"].map(|name| directory.path().join(name));
    for (path, journal) in paths.iter().zip([before, after]) {
        fs::create_dir(path).expect("a directory");
        fs::write(path.join("journal.jsonl"), journal).expect("written");
    }
    let [before, after] = paths.map(|path| path.display().to_string());
    let output = compare(&[&[before.as_str(), after.as_str()], words].concat());
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn json(before: &str, after: &str) -> (Option<i32>, Value) {
    let (code, out, _) = both(before, after, &["--format", "json"]);
    (code, serde_json::from_str(&out).expect("one JSON value"))
}

fn bot<'a>(comparison: &'a Value, name: &str) -> &'a Value {
    let mut bots = comparison["bots"].as_array().expect("a list").iter();
    bots.find(|bot| bot["name"] == name).unwrap_or_else(|| panic!("no {name} in {comparison}"))
}

#[test]
fn two_runs_of_the_same_bots_differ_by_chance_alone() {
    let (code, out, _) = both(&Cup::new(1).journal(), &Cup::new(2).journal(), &[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with("Nothing significant changed.\n"), "{out}");
    assert!(
        out.contains("Elo changes count from the mean of the bots that are the same in both runs"),
        "{out}"
    );
}

#[test]
fn a_gain_is_found_with_its_size_and_nobody_else_is_blamed() {
    let better = Cup::new(2).with_new_version("cleo", [150.0; 3]);
    let (code, found) = json(&Cup::new(1).journal(), &better.journal());
    assert_eq!(code, Some(1), "{found}");
    let cleo = bot(&found, "cleo");
    let interval = cleo["overall"]["interval"].as_array().expect("an interval");
    assert!(interval[0].as_f64() < Some(150.0) && interval[1].as_f64() > Some(150.0), "{cleo}");
    for name in ["ada", "bob", "dan"] {
        assert!(bot(&found, name)["overall"]["p_holm"].as_f64() > Some(0.05), "{found}");
    }
    assert_eq!(found["reference"]["bots"], serde_json::json!(["ada", "bob", "dan"]));
    let findings = found["findings"].as_array().expect("a list");
    assert!(
        findings.iter().all(|text| text.as_str().is_some_and(|text| text.contains("`cleo` is stronger"))),
        "{found}"
    );
}

#[test]
fn the_game_that_regressed_is_named() {
    let worse = Cup::new(2).with_new_version("cleo", [0.0, -300.0, 0.0]);
    let (code, out, _) = both(&Cup::new(1).journal(), &worse.journal(), &[]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("`cleo` is weaker in faust:"), "{out}");
    assert!(!out.contains("weaker in farook") && !out.contains("stronger"), "{out}");
    assert!(out.contains("bot `cleo`: digest"), "{out}");
}

#[test]
fn a_bot_that_loses_everything_has_marked_figures_and_is_found() {
    let worse = Cup::new(2).with_new_version("dan", [-4000.0; 3]);
    let (code, found) = json(&Cup::new(1).journal(), &worse.journal());
    assert_eq!(code, Some(1), "{found}");
    let dan = bot(&found, "dan");
    assert!(dan["games"][0]["regularized"] == true && dan["overall"]["elo"].as_f64() < Some(-100.0), "{dan}");
}

#[test]
fn nodes_that_are_not_repeated_are_named_with_game_and_ply() {
    let before = Cup::new(1).limited("nodes 1000");
    let same = Cup::new(1).limited("nodes 1000");
    let (code, out, _) = both(&before.journal(), &same.journal(), &[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("ought to be repeated: all were."), "{out}");
    let mut games = same.games();
    for number in [31, 17] {
        games[number - 1].plies[6].info.as_mut().expect("told").nodes = Some(4321);
    }
    games.reverse();
    let (code, out, _) = both(&before.journal(), &same.written(&games), &[]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("first in game 17 of "), "{out}");
    assert!(out.contains("ply 7:") && out.contains("with 4321 nodes after."), "{out}");
}

#[test]
fn clocks_promise_no_node_counts() {
    let before = Cup::new(1);
    let mut games = before.games();
    games[16].plies[6].info.as_mut().expect("told").nodes = Some(4321);
    let (code, found) = json(&before.journal(), &before.written(&games));
    assert_eq!((code, &found["nodes"]["games"]), (Some(0), &serde_json::json!(0)), "{found}");
}

#[test]
fn new_faults_are_found() {
    let before = Cup::new(1);
    let mut games = Cup::new(2).games();
    let lost = games
        .iter_mut()
        .filter(|game| game.result.loser().is_some_and(|seat| game.seats[seat.index()].bot == "bob"));
    lost.take(12).for_each(|game| game.reason = record::Termination::Timeout);
    let (code, out, _) = both(&before.journal(), &Cup::new(2).written(&games), &[]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("`bob` lost 12 of ") && out.contains("before 0 of "), "{out}");
    assert!(out.contains("Faults of `bob`: none before, 12 timeout after."), "{out}");
}

#[test]
fn the_order_of_the_lines_does_not_matter() {
    let (before, after) = (Cup::new(1), Cup::new(2));
    let expected = both(&before.journal(), &after.journal(), &["--format", "json"]);
    let mut games = after.games();
    games.reverse();
    assert_eq!(both(&before.journal(), &after.written(&games), &["--format", "json"]), expected);
}

#[test]
fn what_is_in_one_run_only_is_named() {
    let after = Cup::new(2).without("dan").named("ada", "zoe");
    let (code, out, _) = both(&Cup::new(1).journal(), &after.journal(), &[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("Only in the run before: `ada`, `dan`.\nOnly in the run after: `zoe`."), "{out}");
}

#[test]
fn runs_without_two_bots_in_common_cannot_be_compared() {
    let after = Cup::new(2).named("ada", "x").named("bob", "y").named("cleo", "z");
    let (code, out, _) = both(&Cup::new(1).journal(), &after.journal(), &[]);
    assert_eq!(code, Some(3), "{out}");
    assert!(out.starts_with("Nothing can be compared"), "{out}");
    let (code, out, _) = both("", "", &[]);
    assert_eq!(code, Some(3), "{out}");
}

#[test]
fn every_form_escapes_names() {
    let evil = "\u{1b}[2J=x|<b>\u{202e}";
    let cups = [Cup::new(1).named("ada", evil), Cup::new(2).named("ada", evil)].map(|cup| cup.journal());
    for format in ["text", "markdown", "csv", "json"] {
        let (code, out, err) = both(&cups[0], &cups[1], &["--format", format, "--explain"]);
        assert_eq!(code, Some(0), "{out}");
        assert!(
            !out.contains('\u{1b}') && !out.contains('\u{202e}') && !err.contains('\u{1b}'),
            "{format}: {out}"
        );
        assert!(format != "markdown" || !out.contains("<b>"), "{out}");
        assert!(
            out.contains("Elo change: how much") || err.contains("Elo change: how much"),
            "{format}: {err}"
        );
    }
}

#[test]
fn mistakes_are_told() {
    assert_eq!(compare(&["one"]).status.code(), Some(2));
    let missing = compare(&["tests/nowhere", "tests/nowhere"]);
    assert_eq!(missing.status.code(), Some(4));
    assert!(
        text(&missing.stderr).contains("error: cannot read `tests/nowhere`"),
        "{}",
        text(&missing.stderr)
    );
    let prose = compare(&["README.md", "README.md"]);
    assert_eq!(prose.status.code(), Some(4));
    assert!(text(&prose.stderr).contains("`README.md`, line 1"), "{}", text(&prose.stderr));
}

#[test]
fn an_unfinished_last_line_is_left_out_and_told() {
    let mut torn = Cup::new(2).journal();
    torn.push_str("{\"type\":\"game\",");
    let (code, out, err) = both(&Cup::new(1).journal(), &torn, &[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(err.contains("15 bytes of an unfinished last line are left out"), "{err}");
}

/// The committed run of all games against itself.
#[test]
fn a_run_has_not_changed_since_itself() {
    let showcase = Path::new("results/showcase").display().to_string();
    let output = compare(&[&showcase, &showcase]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(!text(&output.stdout).contains('*'), "{}", text(&output.stdout));
}

#[test]
fn what_was_set_otherwise_is_shown_and_is_no_change() {
    let (code, found) =
        json(&Cup::new(1).journal(), &Cup::new(2).with_margin(80).limited("30+0.5").journal());
    assert_eq!(code, Some(0), "{found}");
    let setup: Vec<_> = found["setup"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|change| {
            let part = |key: &str| change[key].as_str().expect("a text").to_owned();
            format!("{}: {} -> {}", part("what"), part("before"), part("after"))
        })
        .collect();
    let expected = [
        "seed: 1 -> 2",
        "margin_ms: 50 -> 80",
        "game `farook`: time control: 60+0.5 -> 30+0.5",
        "game `faust`: time control: 60+0.5 -> 30+0.5",
        "game `sophia`: time control: 60+0.5 -> 30+0.5",
    ];
    assert_eq!(setup, expected);
}
