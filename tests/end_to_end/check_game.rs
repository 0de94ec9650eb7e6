//! `arena new game` and `arena check-game`: a new game conforms, and a broken one is told what to fix.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::workshop::{Ended, Workshop, executable};

/// Real programs, broken in one place, and the test that finds it. The tests of the crate `conformance` break every other place, in memory.
const FAULTS: [(&str, &str); 7] = [
    ("dies", "G01"),
    ("talks", "G01"),
    ("unsorted", "G08"),
    ("seat", "G10"),
    ("loose", "G11"),
    ("ends", "G13"),
    ("remembers", "G16"),
];

/// Returns a folder with the broken game and what it imports: rules see no other files.
fn with_broken_game() -> Workshop {
    let workshop = Workshop::new();
    for file in
        ["tests/bots/broken_game.py", "arena/games/start/start.py", "arena/games/python/arena_rules.py"]
    {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let name = from.file_name().expect("a file has a name").to_owned();
        fs::copy(&from, workshop.path(&name.to_string_lossy())).expect("the file can be copied");
    }
    workshop
}

/// Examines the broken game with a few random games and returns the report.
fn examine(workshop: &Workshop, fault: &str, code: i32) -> Value {
    let words =
        ["check-game", "--quick", "--games", "20", "--json", "--", "python3", "broken_game.py", fault];
    serde_json::from_str(&workshop.run(&words).expect(code).stdout).expect("a document")
}

fn status<'r>(report: &'r Value, test: &str) -> &'r Value {
    let tests = report["tests"].as_array().expect("a list of tests");
    tests.iter().find(|found| found["id"] == test).expect("every test is told")
}

#[test]
fn a_new_game_conforms_and_is_played_as_it_is_written() {
    let workshop = Workshop::new();
    let ended = workshop.run(&["new", "game", "--lang", "python", "my-game"]).expect(0);
    let next: Vec<_> = ended.stdout.lines().collect();
    assert_eq!(next, ["cd my-game", "arena check-game -- python3 my-game.py", "arena run tournament.yaml"]);
    let folder = workshop.path("my-game");
    let mut arena =
        workshop.arena(&["check-game", "--quick", "--games", "50", "--", "python3", "my-game.py"]);
    let ended = Ended::new(arena.current_dir(&folder).output().expect("the executable starts")).expect(0);
    assert!(ended.stdout.contains("\n# my-game 1.0 conforms to format 2\n"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("not ok"), "{}", ended.stdout);
    // How deep is counted depends on how fast the machine is.
    assert!(ended.stdout.contains("# perft my-game from 1 ply on: 9, 72"), "{}", ended.stdout);
    let mut arena = workshop.arena(&["run", "tournament.yaml", "--rounds", "2", "--margin", "20s"]);
    Ended::new(arena.current_dir(&folder).output().expect("the executable starts")).expect(0);
    let games = workshop.games("my-game/results");
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.fault().is_none()), "{games:?}");
}

#[test]
fn a_broken_game_fails_the_test_for_it() {
    let workshop = with_broken_game();
    for (fault, test) in FAULTS {
        let report = examine(&workshop, fault, 1);
        assert_eq!(status(&report, test)["status"], "failed", "{fault}: {report:#}");
    }
    let report = examine(&workshop, "", 0);
    assert_eq!(report["conforms"], true, "{report:#}");
}

#[test]
fn a_fault_is_told_with_the_command_that_shows_it_again() {
    let workshop = with_broken_game();
    let words = ["check-game", "--quick", "--games", "20", "--", "python3", "broken_game.py", "loose"];
    let ended = workshop.run(&words).expect(1);
    let again = ended.stdout.lines().find_map(|line| line.strip_prefix("#   again: ")).expect("a command");
    let shell = again.replacen("arena", executable(), 1);
    let output = workshop.command("sh", &["-c", &shell]).output().expect("there is a shell");
    let answer: Value = serde_json::from_str(&Ended::new(output).expect(0).stdout).expect("an answer");
    // The first thing that it gets wrong: a position that is none is a mistake in its own code.
    assert_eq!(answer["error"], "internal", "{answer}");
    // What its author needs to find it: the kind of mistake, and the word that it stumbled over.
    let message = answer["message"].as_str().expect("words for people");
    assert!(message.contains("Error"), "{answer}");
    let found = ended.stdout.lines().any(|line| line.starts_with("# ") && line.contains("\"internal\""));
    assert!(found, "the report names the code: {}", ended.stdout);
    assert!(ended.stdout.contains(message), "and what the rules said: {}", ended.stdout);
}

#[test]
fn every_form_of_the_report_says_what_failed() {
    let workshop = with_broken_game();
    for (form, words) in [
        ("markdown", "### G08: legal plies are tokens, in byte order, each once"),
        (
            "junit",
            "<testcase classname=\"check-game\" name=\"G08: legal plies are tokens, in byte order, each once\">\n    <failure ",
        ),
        ("text", "not ok 8 - legal plies are tokens, in byte order, each once # sort the list by bytes"),
    ] {
        let words_of = [
            "--quick",
            "--games",
            "5",
            "--output-format",
            form,
            "--",
            "python3",
            "broken_game.py",
            "unsorted",
        ];
        let ended = workshop.run(&[&["check-game"][..], &words_of].concat()).expect(1);
        assert!(ended.stdout.contains(words), "{form}: {}", ended.stdout);
    }
}

#[test]
fn rules_that_end_at_their_start_fail_the_first_test_and_files_that_are_none_are_refused() {
    let workshop = Workshop::new();
    let words = ["check-game", "--quick", "--", "python3", "-c", "raise SystemExit('no board')"];
    let ended = workshop.run(&words).expect(1);
    assert!(
        ended.stdout.starts_with("not ok 1 - every question is answered # answer wrong"),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains("\n#   stderr: no board\n"), "{}", ended.stdout);
    // No test passes that had nothing to look at.
    let passed = ended.stdout.lines().find(|line| line.starts_with("ok ") && !line.contains("# SKIP"));
    assert_eq!(passed, None, "{}", ended.stdout);
    assert!(ended.stdout.contains("# 0 passed, 1 failed, 0 warnings, 24 skipped"), "{}", ended.stdout);
    assert!(ended.stdout.contains("# the rules do not conform"), "{}", ended.stdout);
    assert!(ended.stdout.contains("\nBail out! no game can be asked about\n"), "{}", ended.stdout);
    workshop.write("text.wasm", "(module)");
    for file in ["text.wasm", "./none.wasm"] {
        let ended = workshop.run(&["check-game", "--quick", file]).expect(2);
        assert!(ended.stderr.contains(file.trim_start_matches("./")), "{}", ended.stderr);
    }
}

#[test]
fn no_file_of_a_game_is_overwritten_and_names_are_checked() {
    let workshop = Workshop::new();
    fs::create_dir(workshop.path("mine")).expect("a folder");
    workshop.write("mine/tournament.yaml", "my own\n");
    let ended = workshop.run(&["new", "game", "--lang", "js", "mine"]).expect(2);
    assert!(ended.stderr.contains("`mine` holds already: tournament.yaml"), "{}", ended.stderr);
    let ended = workshop.run(&["new", "game", "--lang", "pyton", "mine"]).expect(2);
    assert!(ended.stderr.contains("did you mean `python`?"), "{}", ended.stderr);
    let ended = workshop.run(&["new", "game", "--lang", "c", "farook"]).expect(2);
    assert!(ended.stderr.contains("`farook` is a built-in game"), "{}", ended.stderr);
    let list = workshop.run(&["new", "game", "--list"]).expect(0).stdout;
    let names: Vec<_> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["c", "javascript", "python", "rust", "typescript"]);
}
