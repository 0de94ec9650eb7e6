//! `arena check`: bots that keep to the protocol pass, and what the user gets wrong is told.

use std::path::{Path, PathBuf};
use std::{fs, thread};

use serde_json::Value;

use crate::workshop::{Ended, Workshop, executable, wait_until};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn broken() -> String {
    root("tests/bots/broken.py").display().to_string()
}

/// Runs the check of a bot and returns its exit code and its document.
fn check(workshop: &Workshop, words: &[&str]) -> (i32, Value) {
    let mut command = workshop.arena(&["check", "--json"]);
    command.args(words).env("ABP_ARENA", executable());
    let ended = Ended::new(command.output().expect("the executable starts"));
    let document = serde_json::from_str(&ended.stdout);
    let document =
        document.unwrap_or_else(|error| panic!("{words:?}: {error}\n{}\n{}", ended.stdout, ended.stderr));
    (ended.code, document)
}

fn failing(document: &Value) -> impl Iterator<Item = &Value> {
    let tests = document["tests"].as_array().expect("a list of tests");
    tests.iter().filter(|test| matches!(test["status"].as_str(), Some("failed" | "warning")))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn every_bot_of_the_repository_conforms_without_a_warning() {
    let workshop = Workshop::new();
    let scripts = ["bots/python/random_bot.py", "bots/python/greedy_bot.py", "bots/python/one_ply_bot.py"]
        .map(|script| root(script).display().to_string());
    let mut commands: Vec<Vec<&str>> = kit::BUILTINS.iter().map(|bot| vec![bot.name]).collect();
    let names: Vec<_> = commands.iter().map(|words| format!("builtin:{}", words[0])).collect();
    commands = names.iter().map(|name| vec![name.as_str()]).collect();
    commands.extend(scripts.iter().map(|script| vec!["python3", script.as_str()]));
    let broken = broken();
    commands.push(vec!["python3", &broken]);
    thread::scope(|scope| {
        for command in &commands {
            let workshop = &workshop;
            scope.spawn(move || {
                // A busy machine is no fault of the bot.
                let words: Vec<_> =
                    ["--margin", "2s", "--"].into_iter().chain(command.iter().copied()).collect();
                let (code, document) = check(workshop, &words);
                let failing: Vec<_> = failing(&document).collect();
                assert!(failing.is_empty(), "{command:?}: {failing:#?}");
                assert_eq!((code, document["conforms"].as_bool()), (0, Some(true)), "{command:?}");
                assert!(
                    document["summary"]["passed"].as_u64().is_some_and(|passed| passed >= 28),
                    "{document:#}"
                );
            });
        }
    });
}

#[test]
fn the_documentation_lists_every_test() {
    let page = fs::read_to_string(root("arena/docs/check.md")).expect("the page can be read");
    let workshop = Workshop::new();
    let (_, document) = check(&workshop, &["--quick", "--game", "farook", "builtin:random"]);
    for test in document["tests"].as_array().expect("a list of tests") {
        let level = if test["id"] == "T38" {
            "SHOULD, MUST with `Seed`".to_owned()
        } else {
            text(&test["level"]).to_uppercase()
        };
        let start = format!(
            "| {} | {} | {level} | {} |",
            text(&test["id"]),
            text(&test["title"]),
            text(&test["clause"])
        );
        assert!(page.contains(&start), "{start}");
    }
}

#[test]
fn what_the_user_gets_wrong_is_told() {
    let workshop = Workshop::new();
    let fails = |words: &[&str], part: &str| {
        let ended = workshop.run(words).expect(2);
        // Nobody wrote a file: none is quoted.
        assert!(!ended.stderr.contains("-->"), "{words:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{words:?}: {}", ended.stderr);
    };
    fails(&["check"], "CMD");
    fails(&["check", "no-such-program-here"], "is not in `PATH`");
    fails(&["check", "builtin:rondom"], "did you mean `random`?");
    fails(&["check", "--only", "T99", "builtin:random"], "there is no test `T99`");
    fails(&["check", "--game", "farok", "builtin:random"], "did you mean `farook`?");
    fails(&["check", "--game", "fanorona:size=2x2", "builtin:random"], "cannot be `2x2`");
    fails(&["check", "--margin", "soon", "builtin:random"], "`--margin` cannot be `soon`");
}

#[test]
fn only_what_is_asked_for_is_tested() {
    let workshop = Workshop::new();
    let words = ["check", "--quick", "--only", "T18,7", "--game", "fanorona:size=5x5", "builtin:greedy"];
    let ended = workshop.run(&words).expect(0);
    let lines: Vec<_> = ended.stdout.lines().collect();
    assert_eq!(
        lines[..2],
        ["ok 7 - an unknown line is ignored", "ok 18 - random positions get legal plies (10 positions)"]
    );
    assert_eq!(
        lines[2..],
        ["# 2 passed, 0 failed, 0 warnings, 0 skipped", "# greedy conforms to protocol 1"]
    );
}

#[test]
fn an_interrupted_check_leaves_no_process_behind() {
    let workshop = Workshop::new();
    let mut command = workshop.arena(&["check", "--", "python3", &broken(), "mute"]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().expect("the executable starts");
    let pid = rustix::process::Pid::from_child(&child);
    // The bot has started: it is of the arena's making, in a group of its own.
    assert!(wait_until(|| fs::read_to_string(format!("/proc/{0}/task/{0}/children", pid.as_raw_nonzero()))
        .is_ok_and(|text| !text.trim().is_empty())));
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("the process can be signalled");
    assert_eq!(child.wait().expect("the process ends").code(), Some(130));
    // The workshop itself sees to it that nobody is left.
}
