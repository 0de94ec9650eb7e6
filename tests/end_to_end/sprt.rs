//! Tests of strength with real bots: the verdict, the exit code, what a kill leaves.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

use crate::workshop::{Ended, Workshop, wait_until};

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

/// What an arena with a fault in its arithmetic left behind is found by making the report anew.
#[test]
fn a_report_says_where_the_verdict_is_no_longer_that_of_the_report_before() {
    let workshop = Workshop::new();
    workshop.write("up.yaml", &file("greedy", "random", 100));
    workshop.run(&["run", "up.yaml"]).expect(0);
    let same = workshop.run(&["report", "test"]).expect(0);
    assert!(!same.stderr.contains("the verdict"), "{}", same.stderr);
    let report = workshop.read("test/report.txt");
    workshop
        .write("test/report.txt", &report.replace("Yes: the test is passed.", "No: the test has failed."));
    let changed = workshop.run(&["report", "test"]).expect(0);
    let told = "the verdict of this run changes: its last report said that the test has failed after ";
    assert!(
        changed.stderr.contains(told) && changed.stderr.contains("but the test is passed after "),
        "{}",
        changed.stderr
    );
    assert_eq!(workshop.read("test/report.txt"), report);
    assert!(!workshop.run(&["report", "test"]).expect(0).stderr.contains("the verdict"));
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
        refused.stderr.contains("fanorona size=3x3 has only 4 different openings: 1 ply"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_file_with_too_few_openings_says_so_before_the_test_starts() {
    let workshop = Workshop::new();
    workshop.run(&["openings", "farook", "--plies", "2", "--count", "6", "-o", "six.txt"]).expect(0);
    let text = file("random", "random", 5).replace(", {game: fanorona, options: {size: 5x5}}", "");
    workshop.write("test.yaml", &format!("{text}openings: {{file: six.txt}}\n"));
    let short = workshop.run(&["run", "test.yaml"]).expect(3);
    assert_eq!(workshop.games("test").len(), 12);
    let told = "farook has only 6 different openings";
    let note = short.stderr.lines().position(|line| line.starts_with(told)).expect("a note");
    let line = short.stderr.lines().nth(note).unwrap_or_default();
    assert!(line.contains("6 pairs of games at most, 12 games in all"), "{line}");
    assert!(line.ends_with("it will probably end without one"), "{line}");
    assert!(short.stderr.contains("add openings to the file, or repeat them"), "{}", short.stderr);
    let planned = workshop.run(&["plan", "test.yaml"]).expect(0);
    assert!(planned.stderr.contains(told), "{}", planned.stderr);
}

#[test]
fn every_form_says_what_was_asked() {
    let workshop = Workshop::new();
    let text = file("greedy", "greedy", 1).replace("elo0: 0, elo1: 1}", "elo0: -300, elo1: 0}");
    workshop.write("smoke.yaml", &text);
    let asked = "Is `new` weaker than `base` by less than 300 normalized Elo, if at all?";
    let limit = "This does not show that `new` is stronger.";
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let passed = workshop.run(&["run", "smoke.yaml"]).expect(0);
    let words = |format: &str| workshop.run(&["report", "test", "--output-format", format]).expect(0).stdout;
    for text in [passed.stdout, words("text"), words("json"), workshop.read("test/report.txt")] {
        assert!(flat(&text).contains(asked) && flat(&text).contains(limit), "{text}");
    }
    let comment = words("markdown");
    assert!(comment.contains(&asked.replace('`', "")), "{comment}");
    let page = workshop.read("test/report.html");
    assert!(flat(&page).contains("by less than 300 normalized Elo"), "the page asks it too");
    let counts = |bounds: [&str; 2], form: &str| {
        let [elo0, elo1] = bounds;
        let words =
            ["sprt", "--counts", "0,20,150,20,1", "--elo0", elo0, "--elo1", elo1, "--output-format", form];
        workshop.run(&words)
    };
    for form in ["text", "json", "markdown", "junit"] {
        let passed = counts(["-100", "0"], form).expect(0).stdout;
        assert!(
            flat(&passed).contains("weaker than the base by less than 100 normalized Elo, if at all?"),
            "{passed}"
        );
        assert!(flat(&passed).contains("does not show that the new version is stronger"), "{passed}");
        counts(["0", "100"], form).expect(1);
        counts(["0", "5"], form).expect(3);
    }
}

#[test]
fn two_commands_are_tested_without_a_file() {
    let workshop = Workshop::new();
    let words =
        ["sprt", "--base", "random", "--game", "fanorona:size=5x5", "--game", "farook", "--elo0", "0"];
    let words = [&words[..], &["--elo1", "100", "--tc", "nodes 100"]].concat();
    let up = [&words[..], &["--new", "greedy", "--out", "up"]].concat();
    let json = |words: &[&str]| workshop.run(&[words, &["--format", "json"]].concat());
    let passed = json(&up).expect(0);
    let figures: serde_json::Value = serde_json::from_str(&passed.stdout).expect("a line of JSON");
    assert_eq!(figures["decision"], "H1", "{figures}");
    assert!(figures["llr"].as_f64() >= figures["upper"].as_f64());
    assert!(passed.stderr.contains("a verdict takes about"), "{}", passed.stderr);
    let text = workshop.run(&up).expect(0);
    for shown in [passed.stderr.as_str(), &text.stdout] {
        assert!(!shown.contains("inf"), "{shown}");
    }
    let again = json(&up).expect(0);
    assert_eq!(again.stdout, passed.stdout, "a finished test says the same again");
    let even =
        [&words[..], &["--new", "random", "--out", "even", "--overshoot", "--max-pairs", "4"]].concat();
    let open = json(&even).expect(3);
    assert!(open.stdout.contains("\"decision\":\"continue\""), "{}", open.stdout);
    let refused = workshop.run(&["sprt", "--new", "random", "--elo0", "0", "--elo1", "5"]).expect(2);
    assert!(refused.stderr.contains("--base"), "{}", refused.stderr);
    let refused = workshop.run(&["sprt", "--elo0", "0", "--elo1", "5"]).expect(2);
    assert!(refused.stderr.contains("there is nothing to judge"), "{}", refused.stderr);
}

/// A test between equals that takes some 600 pairs of games: long enough to be interrupted.
const EVEN: [&str; 15] = [
    "sprt",
    "--new",
    "greedy",
    "--base",
    "greedy",
    "--game",
    "farook",
    "--elo0",
    "0",
    "--elo1",
    "30",
    "--tc",
    "nodes 100",
    "--out",
    "even",
];

/// Waits until the journal in `directory` holds so many games.
fn wait_for_games(workshop: &Workshop, directory: &str, count: usize) {
    let path = workshop.path(directory).join("journal.jsonl");
    let games = || fs::read_to_string(&path).unwrap_or_default().matches("\"type\":\"game\"").count();
    assert!(wait_until(|| games() >= count), "{} games after a minute", games());
}

#[test]
fn an_interrupted_test_says_how_to_go_on_and_ends_as_if_nothing_had_been() {
    let workshop = Workshop::new();
    let whole = workshop.run(&[&EVEN[..14], &["whole", "--format", "text"]].concat());
    assert!(whole.code == 0 || whole.code == 1, "{}", whole.stderr);
    let games = workshop.games("whole").len();
    assert!(games > 60, "a test of {games} games is too short to be interrupted");
    let child = workshop.start(&EVEN);
    wait_for_games(&workshop, "even", 10);
    kill_process(Pid::from_child(&child), Signal::INT).expect("the arena runs");
    let ended = Ended::new(child.wait_with_output().expect("it ends")).expect(130);
    let told = ended.stderr.lines().find(|line| line.starts_with("interrupted with")).expect("how to go on");
    assert!(told.contains("to continue: ") && told.ends_with("'nodes 100' --out even"), "{told}");
    assert!(ended.stdout.contains("No verdict yet"), "{}", ended.stdout);
    for name in ["journal.jsonl", "games.pgn", "standings.csv", "report.txt"] {
        assert!(workshop.path("even").join(name).exists(), "{name}");
    }
    let first = workshop.games("even").len();
    assert!(first >= 10 && first < games, "{first} of {games} games");
    // A kill that nobody is told of, then the end.
    let mut child = workshop.start(&EVEN);
    wait_for_games(&workshop, "even", first + 10);
    child.kill().expect("the arena runs");
    let again = workshop.run(&EVEN).expect(whole.code);
    child.wait().expect("it was killed");
    assert_eq!(test(&again.stdout), test(&whole.stdout));
    assert!(again.stderr.contains("as long as the games so far: a verdict in about"), "{}", again.stderr);
}

#[test]
fn a_test_whose_time_is_over_has_no_verdict_and_is_continued() {
    let workshop = Workshop::new();
    let even = [&EVEN[..10], &["10", "--tc", "nodes 100", "--out", "even", "--max-time", "3s"]].concat();
    let over = workshop.run(&[&even[..], &["--format", "json"]].concat()).expect(3);
    assert!(over.stderr.contains("3s are over without a verdict, at most"), "{}", over.stderr);
    assert!(over.stderr.contains("--max-time 3s"), "{}", over.stderr);
    let told: serde_json::Value = serde_json::from_str(&over.stdout).expect("one line of JSON");
    assert_eq!(told["decision"], "continue", "{told}");
    assert_eq!((&told["new"]["name"], &told["base"]["name"]), (&"new".into(), &"base".into()), "{told}");
    assert!(told["machine"].is_string(), "{told}");
    let first = workshop.games("even").len();
    workshop.run(&even).expect(3);
    assert!(workshop.games("even").len() > first);
    // The same in a file: time is no part of what the results depend on.
    let text = file("greedy", "greedy", 10).replace("elo1: 10}", "elo1: 10, max-time: 3s}");
    workshop.write("test.yaml", &text);
    let over = workshop.run(&["run", "test.yaml"]).expect(3);
    assert!(over.stderr.contains("3s are over without a verdict"), "{}", over.stderr);
    assert!(!workshop.read("test/journal.jsonl").contains("max-time"));
}

#[test]
fn a_preset_in_a_file_is_a_test_and_what_is_written_comes_first() {
    let workshop = Workshop::new();
    let text = file("greedy", "random", 1);
    let text = text.replace("{elo0: 0, elo1: 1}", "{preset: smoke, elo0: -120}");
    workshop.write("test.yaml", &text);
    let passed = workshop.run(&["run", "test.yaml"]).expect(0);
    assert!(passed.stdout.contains("normalized Elo: H0 -120, H1 0"), "{}", passed.stdout);
    assert!(passed.stderr.contains("at most 200 pairs are played"), "{}", passed.stderr);
    workshop.write("test.yaml", &text.replace("smoke", "smok"));
    let refused = workshop.run(&["run", "test.yaml"]).expect(2);
    assert!(refused.stderr.contains("`preset` cannot be `smok`"), "{}", refused.stderr);
    assert!(!refused.stderr.contains("make no test"), "{}", refused.stderr);
}

#[test]
fn what_is_wrong_is_told_in_the_words_that_were_typed() {
    let workshop = Workshop::new();
    let words = ["sprt", "--new", "./nothing", "--base", "greedy", "--game", "farok", "--preset", "smoke"];
    let sprt = workshop.run(&[&words[..], &["--tc", "soon"]].concat()).expect(2);
    for part in ["`--new`: program `./nothing`", "`--game`: unknown game `farok`", "`--tc` cannot be `soon`"]
    {
        assert!(sprt.stderr.contains(part), "{}", sprt.stderr);
    }
    let openings = ["--base", "greedy", "--game", "fanorona:size=3x3", "--preset", "smoke", "--plies", "1"];
    let openings = [&["sprt", "--new", "random"], &openings[..], &["--max-pairs", "9"]].concat();
    let openings = workshop.run(&openings).expect(2);
    assert!(openings.stderr.contains("`--max-pairs`: these are 9 pairs of each game"), "{}", openings.stderr);
    let duel = workshop.run(&["match", "./nothing", "greedy", "--game", "farook"]).expect(2);
    assert!(duel.stderr.contains("`BOT`: program `./nothing` does not exist"), "{}", duel.stderr);
    for told in [sprt.stderr, openings.stderr, duel.stderr] {
        for invented in ["-->", "--games", "rounds", "tournament file", "{"] {
            assert!(!told.contains(invented), "{invented}: {told}");
        }
    }
}
