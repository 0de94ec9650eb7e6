//! Tests of strength with real bots: the verdict, the exit code, what a kill leaves.

use crate::workshop::Workshop;

fn file(new: &str, base: &str, elo1: u32) -> String {
    format!(
        "\
name: is it stronger
format: sprt
sprt: {{elo0: 0, elo1: {elo1}}}
games: [farook, {{game: fanorona, options: {{size: 5x5}}}}]
bots: [{{name: new, builtin: {new}}}, {{name: base, builtin: {base}}}]
tc: nodes 100
out: test
"
    )
}

/// The lines of the test itself.
fn test(stdout: &str) -> Vec<&str> {
    stdout
        .lines()
        .skip_while(|line| !line.starts_with("Is `"))
        .take_while(|line| !line.starts_with('#'))
        .collect()
}

#[test]
fn a_stronger_bot_passes_and_its_opposite_fails() {
    let workshop = Workshop::new();
    workshop.write("up.yaml", &file("greedy", "random", 100));
    let passed = workshop.run(&["run", "up.yaml"]).expect(0);
    assert!(passed.stdout.contains("Yes: the test is passed"), "{}", passed.stdout);
    assert!(workshop.games("test").len() < 100, "it stops as soon as it knows");
    workshop.write("down.yaml", &file("random", "greedy", 100));
    let failed = workshop.run(&["run", "down.yaml", "--out", "down"]).expect(1);
    assert!(failed.stdout.contains("No: the test has failed"), "{}", failed.stdout);
}

#[test]
fn the_verdict_does_not_depend_on_concurrency_nor_on_interruptions() {
    let workshop = Workshop::new();
    workshop.write("test.yaml", &file("random", "random", 60));
    let whole = workshop.run(&["run", "test.yaml", "--out", "one", "--concurrency", "1"]);
    let four = workshop.run(&["run", "test.yaml", "--out", "four", "--concurrency", "4"]).expect(whole.code);
    assert_eq!(test(&whole.stdout), test(&four.stdout));
    // A journal that was cut in the middle of a game is what a kill leaves.
    let journal = workshop.read("one/journal.jsonl");
    for share in [3, 2] {
        let cut = journal.len() / share;
        std::fs::create_dir_all(workshop.path("cut")).unwrap();
        workshop.write("cut/journal.jsonl", &journal[..cut]);
        let again = workshop.run(&["run", "test.yaml", "--out", "cut"]).expect(whole.code);
        assert_eq!(test(&again.stdout), test(&whole.stdout));
    }
    let finished = workshop.run(&["run", "test.yaml", "--out", "one"]).expect(whole.code);
    assert!(finished.stderr.contains("nothing is left to play"), "{}", finished.stderr);
    let report = workshop.run(&["report", "one"]).expect(0);
    assert_eq!(test(&report.stdout), test(&whole.stdout));
}

#[test]
fn too_few_pairs_are_no_verdict_and_the_hypotheses_stay() {
    let workshop = Workshop::new();
    workshop.write("test.yaml", &file("random", "random", 5));
    let short = workshop.run(&["run", "test.yaml", "--rounds", "3"]).expect(3);
    assert!(short.stdout.contains("No verdict: all pairs are played"), "{}", short.stdout);
    assert_eq!(workshop.games("test").len(), 3 * 2 * 2);
    workshop.write("test.yaml", &file("random", "random", 10));
    let refused = workshop.run(&["run", "test.yaml", "--rounds", "3"]).expect(2);
    assert!(refused.stderr.contains("`sprt` was `normalized elo0=0 elo1=5"), "{}", refused.stderr);
}

#[test]
fn openings_that_would_come_again_are_counted_before_the_start() {
    let workshop = Workshop::new();
    let text = file("random", "greedy", 100).replace("size: 5x5}", "size: 3x3}, openings: {plies: 1}");
    workshop.write("test.yaml", &text);
    let refused = workshop.run(&["run", "test.yaml", "--rounds", "50"]).expect(2);
    assert!(
        refused.stderr.contains("fanorona size=3x3 has only 4 different openings of length 1"),
        "{}",
        refused.stderr
    );
}

#[test]
fn two_commands_are_tested_without_a_file() {
    let workshop = Workshop::new();
    let words =
        ["sprt", "--base", "random", "--game", "fanorona:size=5x5", "--game", "farook", "--elo0", "0"];
    let words = [&words[..], &["--elo1", "100", "--tc", "nodes 100", "--format", "json"]].concat();
    let up = [&words[..], &["--new", "greedy", "--out", "up"]].concat();
    let passed = workshop.run(&up).expect(0);
    let figures: serde_json::Value = serde_json::from_str(&passed.stdout).expect("a line of JSON");
    assert_eq!(figures["decision"], "H1", "{figures}");
    assert!(figures["llr"].as_f64() >= figures["upper"].as_f64());
    assert!(passed.stderr.contains("a verdict takes about"), "{}", passed.stderr);
    let again = workshop.run(&up).expect(0);
    assert_eq!(again.stdout, passed.stdout, "a finished test says the same again");
    let even =
        [&words[..], &["--new", "random", "--out", "even", "--overshoot", "--max-pairs", "4"]].concat();
    let open = workshop.run(&even).expect(3);
    assert!(open.stdout.contains("\"decision\":\"continue\""), "{}", open.stdout);
    let refused = workshop.run(&["sprt", "--new", "random", "--elo0", "0", "--elo1", "5"]).expect(2);
    assert!(refused.stderr.contains("--base"), "{}", refused.stderr);
    let refused = workshop.run(&["sprt", "--elo0", "0", "--elo1", "5"]).expect(2);
    assert!(refused.stderr.contains("there is nothing to judge"), "{}", refused.stderr);
}
