//! A run that goes on is watched by `live.json` and steered by `arena ctl`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Child;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::resume::{timeless, wait_for_games};
use crate::workshop::{Ended, Workshop, wait_until};

/// A run that takes some time.
const CUP: &str = "\
name: cup
games: [farook]
bots:
  - {name: ab, builtin: alphabeta}
  - {name: greedy, builtin: greedy}
rounds: 40
tc: nodes 300
seed: 5
concurrency: 2
out: out
";

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    workshop
}

/// Returns the picture of the run in `out`, once it holds for it.
#[track_caller]
fn picture(workshop: &Workshop, holds: impl Fn(&Value) -> bool) -> Value {
    let mut last = None;
    let has_come = wait_until(|| {
        let Ok(text) = fs::read(workshop.path("out/live.json")) else { return false };
        // It is replaced as a whole: what is there can be read.
        let picture = last.insert(serde_json::from_slice(&text).expect("the picture is JSON"));
        holds(picture)
    });
    assert!(has_come, "last: {last:?}");
    last.expect("a picture")
}

fn tell(workshop: &Workshop, order: &str) -> Ended {
    let words: Vec<_> = ["ctl", "out"].into_iter().chain(order.split(' ')).collect();
    workshop.run(&words)
}

fn games(workshop: &Workshop) -> usize {
    workshop.games("out").len()
}

#[track_caller]
fn ends(child: Child, code: i32) -> Ended {
    Ended::new(child.wait_with_output().expect("it ends")).expect(code)
}

#[test]
fn a_pause_stops_new_games_and_the_results_are_those_of_a_run_without() {
    let workshop = workshop();
    // So many that it is not over before it is paused.
    let rounds = ["--rounds", "200"];
    workshop.run(&[&["run", "cup.yaml", "--out", "whole"], &rounds[..]].concat()).expect(0);
    let child = workshop.start(&[&["run", "cup.yaml"], &rounds[..]].concat());
    wait_for_games(&workshop, "out", 3);
    let told = tell(&workshop, "pause").expect(0).stdout;
    assert!(told.starts_with("paused: no new games begin; "), "{told}");
    let paused =
        picture(&workshop, |picture| picture["stage"] == "paused" && picture["counts"]["running"] == 0);
    assert_eq!(paused["games"].as_array().map(Vec::len), Some(0));
    let count = games(&workshop);
    assert!(count < 400, "the run was over before it could be paused");
    assert_eq!(paused["counts"]["done"], count);
    let status = tell(&workshop, "status").expect(0).stdout;
    assert!(status.starts_with(&format!("paused: {count} of 400 games recorded, 0 in progress")), "{status}");
    // More slots change nothing either.
    tell(&workshop, "concurrency 3").expect(0);
    thread::park_timeout(Duration::from_millis(1500));
    assert_eq!(games(&workshop), count);
    assert_eq!(tell(&workshop, "pause").expect(0).stdout, "it is paused already\n");
    assert_eq!(tell(&workshop, "resume").expect(0).stdout, "resumed\n");
    let ended = ends(child, 0);
    for line in ["paused: no new games begin", "concurrency is 3 instead of 2", "resumed: games begin again"]
    {
        assert!(ended.stderr.contains(line), "no `{line}` in\n{}", ended.stderr);
    }
    assert_eq!(timeless(&workshop.games("out")), timeless(&workshop.games("whole")));
    // Nothing of it is left.
    assert!(!workshop.path("out/live.json").exists() && !workshop.path("out/control.sock").exists());
    let refused = tell(&workshop, "status").expect(3).stderr;
    assert!(refused.contains("no arena plays there"), "{refused}");
}

#[test]
fn a_run_that_is_told_to_stop_ends_as_if_interrupted() {
    let workshop = workshop();
    let child = workshop.start(&["run", "cup.yaml", "--rounds", "4000"]);
    wait_for_games(&workshop, "out", 3);
    let mode = fs::metadata(workshop.path("out/control.sock")).expect("a socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    tell(&workshop, "pause").expect(0);
    let told = tell(&workshop, "stop").expect(0).stdout;
    assert!(told.starts_with("stopping: no new games begin"), "{told}");
    let ended = ends(child, 130);
    assert!(ended.stderr.contains("interrupted: running games finish"), "{}", ended.stderr);
    assert!(ended.stderr.contains("to continue:"), "{}", ended.stderr);
}

#[test]
fn the_picture_shows_the_games_in_progress_and_ends_with_the_arena() {
    let workshop = Workshop::new();
    workshop.write("slow.yaml", &CUP.replace("nodes 300", "60+60, movetime 2s").replace("farook", "sophia"));
    let mut child = workshop.start(&["run", "slow.yaml"]);
    let is_shown = |picture: &Value| {
        let games = picture["games"].as_array().cloned().unwrap_or_default();
        // The bots of one game may sit at the board before those of the other.
        games.len() == 2
            && games.iter().all(|game| game["position"].is_string())
            && games.iter().any(|game| game["search"][0]["depth"].is_u64() && game["seat"].is_u64())
    };
    let seen = picture(&workshop, is_shown);
    assert_eq!((seen["version"].clone(), seen["name"].clone()), (1.into(), "cup".into()));
    assert_eq!((seen["counts"]["total"].clone(), seen["concurrency"].clone()), (80.into(), 2.into()));
    assert_eq!(seen["standings"].as_array().map(Vec::len), Some(2));
    let game = &seen["games"][0];
    assert_eq!((game["number"].clone(), game["label"].clone()), (1.into(), "sophia".into()));
    assert_eq!(game["bots"][0]["name"], "ab");
    assert!(game["position"].is_string() && game["clocks"][0].is_u64(), "{game}");
    assert!(
        game["plies"]
            .as_array()
            .is_some_and(|plies| plies.len() as u64 >= game["opening"].as_u64().unwrap_or(9))
    );
    let text = workshop.run(&["ctl", "out", "status", "--json"]).expect(0).stdout;
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON")["process"], child.id());
    child.kill().expect("it can be killed");
    child.wait().expect("it ended");
    // The file is still there, and nobody believes it.
    assert!(workshop.path("out/live.json").exists());
    assert!(wait_until(|| workshop.run(&["ctl", "out", "status", "--json"]).code == 3));
    assert_eq!(tell(&workshop, "pause").code, 3);
}

#[test]
fn orders_that_make_no_sense_are_refused_in_words() {
    let workshop = workshop();
    let refused = |words: &[&str]| workshop.run(words).expect(2).stderr;
    assert!(refused(&["ctl", "out", "halt"]).contains("`halt` is no order for a run: expected `pause`"));
    assert!(refused(&["ctl", "out", "concurrency", "none"]).contains("the number of games at once"));
    assert!(refused(&["ctl", "out", "pause"]).contains("there is no directory `out`"));
    fs::create_dir(workshop.path("out")).expect("a directory");
    assert!(refused(&["ctl", "out", "pause", "--json"]).contains("`--json` goes with `status` only"));
    assert!(workshop.run(&["ctl", "out", "pause"]).expect(3).stderr.contains("no arena plays there"));
}
