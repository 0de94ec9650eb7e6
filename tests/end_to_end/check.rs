//! `arena check`: bots that keep to the protocol pass, and of every fault the right test tells.
//!
//! `tests/bots/broken.py` knows the faults. What `arena check` says of each is a page of the documentation,
//! `arena/docs/check-faults.md`, which is written anew by `cargo xtask bless`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use serde_json::Value;

use crate::workshop::{Ended, Workshop, wait_until};

/// How many bots are checked at once: nearly all of the time is spent waiting.
const AT_ONCE: usize = 4;

/// What stands above the table.
const PAGE: &str = "# What `arena check` says of broken bots

A bot that keeps to the whole protocol, `tests/bots/broken.py`, is broken in one place at a time. For each fault: what the bot does, the tests that fail
(those in parentheses cost it a warning only), and the advice of the first of them. *Stops* marks a fault after which the suite ends early, since nothing else could
be told. This page is written by a test (`cargo xtask bless`), which fails when it is not true any more.

| fault | what the bot does | failing tests | advice |
|---|---|---|---|
";

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn broken() -> String {
    root("tests/bots/broken.py").display().to_string()
}

/// Runs the check of a bot and returns its exit code and its document.
fn check(workshop: &Workshop, words: &[&str]) -> (i32, Value) {
    let mut command = workshop.arena(&["check", "--json"]);
    command.args(words).env("ARENA", env!("CARGO_BIN_EXE_arena"));
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
fn of_every_fault_the_right_test_tells() {
    let workshop = Workshop::new();
    let list =
        Ended::new(workshop.command("python3", &[&broken(), "--list"]).output().expect("python3 starts"));
    let faults: Vec<Value> = serde_json::from_str(&list.expect(0).stdout).expect("a list of faults");
    let rows = Mutex::new(vec![String::new(); faults.len()]);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((index, fault)) = {
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    faults.get(index).map(|fault| (index, fault))
                } {
                    let row = row(&workshop, fault);
                    rows.lock().expect("nobody panics with it")[index] = row;
                }
            });
        }
    });
    let page = PAGE.to_owned() + &rows.into_inner().expect("nobody panicked with it").concat();
    let path = root("arena/docs/check-faults.md");
    if env::var_os("ARENA_BLESS").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let known = fs::read_to_string(&path).expect("the page can be read");
    assert_eq!(page, known, "`cargo xtask bless` writes arena/docs/check-faults.md anew");
}

/// Checks a broken bot, sees to it that the right test finds the fault, and returns its row of the table.
fn row(workshop: &Workshop, fault: &Value) -> String {
    let name = text(&fault["fault"]);
    // The faults that are tests of time overrun their limits by more than this margin.
    let (code, document) =
        check(workshop, &["--quick", "--margin", "150ms", "--", "python3", &broken(), name]);
    let mut ids = Vec::new();
    for test in failing(&document) {
        let id = text(&test["id"]);
        ids.push(if test["status"] == "warning" { format!("({id})") } else { id.to_owned() });
    }
    let first = failing(&document).next().unwrap_or_else(|| panic!("`{name}` is not found: {document:#}"));
    assert_eq!(first["id"], fault["test"], "`{name}`: {first:#}");
    let conforms =
        failing(&document).all(|test| test["status"] == "warning") && document["stopped"].is_null();
    assert_eq!(code, i32::from(!conforms), "`{name}`");
    let detail = &first["faults"][0];
    assert!(!detail["lines"].as_array().expect("lines").is_empty(), "`{name}`: {detail:#}");
    let stops = if document["stopped"].is_null() { "" } else { "; stops" };
    let mut row = String::new();
    let advice = text(&detail["advice"]).replace('|', "\\|");
    writeln!(row, "| `{name}` | {} | {}{stops} | {advice} |", text(&fault["does"]), ids.join(" "))
        .expect("it can");
    row
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
