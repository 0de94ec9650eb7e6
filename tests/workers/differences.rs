//! Workers that differ from their coordinator: in the version of the arena, in its rules, in what is installed, in the time of day.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

use fleet::broker::{BrokerRole, ExpectedEntry};
use fleet::names::{ANY, run_key, signals};
use fleet::wire::{RunNotice, Signal, VERSIONS};

use crate::lies::open;
use crate::{Running, SLOW, Site, told};

#[test]
fn a_worker_of_another_version_or_with_other_rules_says_so_on_both_sides_and_waits_for_other_runs() {
    let site = Site::new();
    let _broker = site.broker();
    let coordinator = open(&site, &BrokerRole::Coordinator);
    let _worker = site.worker("a");
    let last = *VERSIONS.end();
    for (run, versions, rules, told) in [
        ("newer", (last + 1, last + 9), rules::signature(), "its messages have versions"),
        (
            "changed",
            (1, last),
            "0123456789abcdef".to_owned(),
            "its games have other rules than those of this worker",
        ),
    ] {
        let (to, inbox) = channel();
        coordinator.listen(&signals(run, ANY), to).expect("the broker takes it");
        let notice = RunNotice {
            versions,
            run: run.to_owned(),
            name: format!("cup {run}"),
            arena: "9.9.9".to_owned(),
            rules,
            manifest: "0".repeat(32),
            is_stopped: false,
        };
        let body = serde_json::to_vec(&notice).expect("JSON");
        coordinator.write(&run_key(run), &body, ExpectedEntry::Any).expect("the broker takes it");
        let signal = inbox.recv_timeout(Duration::from_secs(60)).expect("the worker says something");
        let Signal::Hello(hello) = serde_json::from_slice(&signal.body).expect("a signal") else {
            panic!("it does not introduce itself");
        };
        let why = hello.declined.expect("it plays nothing");
        assert!(why.contains(told) && why.contains("9.9.9"), "{why}");
        assert!(why.ends_with("install the same arena on both machines"), "{why}");
        site.wait_for("a", &format!("the run `cup {run}` cannot be played here: {told}"));
    }
    // It is there for runs that fit.
    let mut run = site.start("out");
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_whole("out");
}

#[test]
fn a_bot_without_its_interpreter_is_played_by_other_workers() {
    let site = Site::new();
    let _broker = site.broker();
    // A `PATH` in which there is nothing.
    let mut poor = site.arena(&["worker", "--name", "poor", "--concurrency", "1", "--sandbox", "basic"]);
    fs::create_dir(site.path().join("nothing")).expect("a folder");
    poor.env("PATH", site.path().join("nothing")).env("ARENA_BROKER", site.address("p1"));
    let log = fs::File::create(site.path().join("poor.log")).expect("a log");
    let _poor = Running(poor.stderr(log).stdout(Stdio::null()).spawn().expect("a worker"));
    let mut run = site.start("out");
    let told = "bot `slow` does not play there: `python3`, which runs it, is not in `PATH` of this machine";
    site.wait_for("out", &format!("worker poor: {told}"));
    let _rich = site.worker("rich");
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_whole("out");
    for game in site.games("out") {
        let is_poor = game.worker.is_some_and(|worker| worker.name == "poor");
        assert!(!is_poor || game.seats.iter().all(|seat| seat.bot != "slow"), "game {}", game.number);
    }
}

#[test]
fn a_game_whose_rules_need_a_program_that_a_worker_lacks_waits_for_another_one_for_a_while() {
    let site = Site::new();
    let _broker = site.broker();
    fs::write(site.path().join("stones.py"), include_str!("../bots/stones.py")).expect("a file");
    fs::write(
        site.path().join("cup.yaml"),
        "name: cup\ngames: [{rules: [python3, stones.py]}, farook]\n\
         bots: [{name: a, builtin: random}, {name: b, builtin: random}]\nrounds: 5\ntc: nodes 10\n",
    )
    .expect("a file");
    let worker = |name: &str, path: Option<PathBuf>| {
        let mut worker = site.arena(&["worker", "--name", name, "--concurrency", "1", "--sandbox", "none"]);
        if let Some(path) = path {
            worker.env("PATH", path);
        }
        let log = fs::File::create(site.path().join(format!("{name}.log"))).expect("a log");
        worker.env("ARENA_BROKER", site.address("p1")).stderr(log).stdout(Stdio::null());
        Running(worker.spawn().expect("a worker"))
    };
    // A `PATH` in which there is nothing.
    fs::create_dir(site.path().join("nothing")).expect("a folder");
    let _poor = worker("poor", Some(site.path().join("nothing")));
    let mut run = site.start_with("out", &["--silence", "5s"]);
    assert!(!run.0.wait().expect("it ends by itself").success());
    let log = site.log("out");
    let lacks = "worker poor: game `stones` is not played there: `python3`, which runs its rules, is not in `PATH` of this machine: \
                 install it there";
    assert!(log.contains(lacks), "{log}");
    assert!(log.contains("no worker that has come can play the games that are left (`stones`)"), "{log}");
    let games = site.games("out");
    assert!(games.len() == 10 && games.iter().all(|game| game.game.starts_with("farook")), "{log}");
    let _rich = worker("rich", None);
    let mut run = site.start("out");
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_has("out", 20);
    for game in site.games("out") {
        assert!(game.failed.is_none(), "game {}: {:?}", game.number, game.detail);
        let is_poor = game.worker.is_some_and(|worker| worker.name == "poor");
        assert!(!is_poor || game.game.starts_with("farook"), "game {}", game.number);
    }
}

#[test]
fn a_game_whose_rules_do_not_start_on_a_worker_is_played_by_others_and_the_rest_there_too() {
    let site = Site::new();
    let _broker = site.broker();
    fs::write(site.path().join("stones.py"), include_str!("../bots/stones.py")).expect("a file");
    fs::write(
        site.path().join("cup.yaml"),
        "name: cup\ngames: [{rules: [python3, stones.py]}, farook]\n\
         bots: [{name: a, builtin: random}, {name: b, builtin: random}]\nrounds: 5\ntc: nodes 10\n",
    )
    .expect("a file");
    let worker = |name: &str, path: Option<PathBuf>| {
        let mut worker = site.arena(&["worker", "--name", name, "--concurrency", "1", "--sandbox", "none"]);
        if let Some(path) = path {
            worker.env("PATH", path);
        }
        let log = fs::File::create(site.path().join(format!("{name}.log"))).expect("a log");
        worker.env("ARENA_BROKER", site.address("p1")).stderr(log).stdout(Stdio::null());
        Running(worker.spawn().expect("a worker"))
    };
    // An interpreter is there, and cannot do it.
    let broken = site.path().join("broken");
    fs::create_dir(&broken).expect("a folder");
    fs::write(broken.join("python3"), "#!/bin/sh\necho 'no module named stones' >&2\nexit 3\n")
        .expect("a file");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(broken.join("python3"), mode).expect("a mode");
    let _poor = worker("poor", Some(broken));
    let mut run = site.start_with("out", &["--silence", "5s"]);
    assert!(!run.0.wait().expect("it ends by itself").success());
    let log = site.log("out");
    let lacks = "worker poor: game `stones` is not played there: its rules do not start on this machine";
    assert!(log.contains(lacks) && log.contains("no module named stones"), "{log}");
    assert!(log.contains("no worker that has come can play the games that are left (`stones`)"), "{log}");
    let games = site.games("out");
    assert!(games.len() == 10 && games.iter().all(|game| game.game.starts_with("farook")), "{log}");
    let _rich = worker("rich", None);
    let mut run = site.start("out");
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_has("out", 20);
}

/// Returns the library that shifts the time of day of a process.
fn library() -> PathBuf {
    let places = fs::read_dir("/usr/lib").expect("it is there").flatten();
    let mut found =
        places.map(|place| place.path().join("faketime/libfaketime.so.1")).filter(|path| path.is_file());
    found.next().expect("the Debian package faketime is installed")
}

#[test]
fn a_time_of_day_that_jumps_an_hour_and_back_loses_no_game() {
    let site = Site::new();
    let _broker = site.broker();
    let (shift, library) = (site.path().join("shift"), library());
    let shift_to = |text: &str| {
        // Renamed, so that nobody reads half of it.
        let file = site.path().join("shift.new");
        fs::write(&file, text).expect("a file");
        fs::rename(file, &shift).expect("a file");
    };
    shift_to("+0");
    let shifted = |command: &mut std::process::Command| {
        command.env("LD_PRELOAD", &library).env("FAKETIME_TIMESTAMP_FILE", &shift);
        // What runs on evenly is what no clock on the wall changes.
        command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    };
    let address = site.address("p1");
    let mut worker =
        site.arena(&["worker", &address, "--name", "a", "--concurrency", "1", "--sandbox", "basic"]);
    shifted(&mut worker);
    let _worker = Running(worker.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a worker"));
    let _other = site.worker("b");
    let mut run = site.run_command("out");
    shifted(&mut run);
    let log = fs::File::create(site.path().join("out.log")).expect("a log");
    let mut run = Running(run.stdout(Stdio::null()).stderr(log).spawn().expect("a run"));
    site.wait_for_games("out", 20);
    shift_to("+3600");
    site.wait_for_games("out", 60);
    shift_to("-3600");
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_whole("out");
    assert!(!site.log("out").contains("silent"), "{}", site.log("out"));
    let began = |name: &str| -> Vec<jiff::Timestamp> {
        let games = site
            .games("out")
            .into_iter()
            .filter(|game| game.worker.as_ref().is_some_and(|worker| worker.name == name));
        games.map(|game| game.started.parse().expect("a time")).collect()
    };
    let spread = |times: &[jiff::Timestamp]| {
        let [first, last] =
            [times.iter().min(), times.iter().max()].map(|time| time.expect("it has played").as_second());
        last - first
    };
    // The jumps have come where they were meant to.
    assert!(spread(&began("a")) > 3000, "{:?}", began("a"));
    assert!(spread(&began("b")) < 3000, "{:?}", began("b"));
}

#[test]
fn every_fault_at_a_table_has_the_page_that_it_has_on_one_machine() {
    let site = Site::new();
    fs::write(
        site.path().join("cup.yaml"),
        "name: cup\ngames: [{game: 2-frenzy, options: {players: 3}, openings: {plies: 0}}]\n\
         bots:\n  - {name: a, cmd: [python3, broken.py, a]}\n  - {name: b, cmd: [python3, broken.py, b]}\n  \
         - {builtin: random}\ntc: 60+1\nconcurrency: 1\n",
    )
    .expect("a file");
    fs::write(site.path().join("broken.py"), SLOW.replace("time.sleep(0.02)", "sys.exit(3)"))
        .expect("a file");
    let pages = |out: &str, more: &[&str]| {
        let run = site.run(&[&["run", "cup.yaml", "--out", out], more].concat());
        assert!(run.status.success(), "{}", told(&run));
        let folder = fs::read_dir(site.path().join(out).join("faults")).expect("pages");
        folder.map(|page| page.expect("a page").file_name()).collect::<BTreeSet<_>>()
    };
    let alone = pages("alone", &[]);
    assert!(alone.iter().any(|page| page == "1-p1.txt") && alone.len() > 3, "{alone:?}");
    assert_eq!(pages("fleet", &["--workers", "local:1"]), alone);
}
