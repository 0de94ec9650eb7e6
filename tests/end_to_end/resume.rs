//! A run survives anything: it goes on where it stopped, grows, and ends as if nothing had happened.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Child;

use record::GameRecord;
use rustix::process::{Pid, Signal, kill_process};

use crate::workshop::{Ended, Workshop, chaos, wait_until};

/// Bots limited by nodes play the same games whatever happens to the arena.
const CUP: &str = "\
name: cup
games: [farook, {game: fanorona, options: {size: 5x5}}]
bots:
  - {name: ab, builtin: alphabeta}
  - {name: greedy, builtin: greedy}
  - {name: random, builtin: random}
rounds: 4
tc: nodes 400
seed: 5
";

/// What must be equal in two runs: everything but times.
pub(crate) fn timeless(games: &[GameRecord]) -> Vec<String> {
    let line = |game: &GameRecord| {
        let mut game = game.clone();
        game.started.clear();
        (game.seconds, game.gathered) = (0.0, None);
        for seat in &mut game.seats {
            (seat.cpu_ms, seat.peak_kib, seat.exit) = (None, None, None);
        }
        for ply in &mut game.plies {
            // Of search lines that come fast only some are taken.
            (ply.us, ply.used, ply.clock, ply.info) = (None, None, None, None);
        }
        serde_json::to_string(&game).expect("a record is JSON")
    };
    games.iter().map(line).collect()
}

/// Returns the columns of a standings table that times do not touch.
fn standings(text: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let is_time = |name: &String| name.contains("ms");
    let kept: Vec<_> = (0..header.len()).filter(|index| !is_time(&header[*index])).collect();
    lines.map(|line| kept.iter().map(|index| line[*index].clone()).collect()).collect()
}

/// Waits until the journal holds so many games.
pub(crate) fn wait_for_games(workshop: &Workshop, directory: &str, count: usize) {
    let path = workshop.path(directory).join("journal.jsonl");
    let games = || fs::read_to_string(&path).unwrap_or_default().matches("\"type\":\"game\"").count();
    assert!(wait_until(|| games() >= count), "{} games after a minute", games());
}

/// Starts a run and kills it when its journal in `directory` holds so many games and not yet all of them.
#[track_caller]
pub(crate) fn kill_in_the_middle(
    workshop: &Workshop,
    words: &[&str],
    directory: &str,
    count: usize,
    whole: usize,
) {
    // A test that stands still for a moment may find that the run is over.
    for _ in 0..20 {
        let mut child = workshop.start(words);
        wait_for_games(workshop, directory, count);
        child.kill().expect("it has not been waited for");
        child.wait().expect("it ends");
        if workshop.games(directory).len() < whole {
            return;
        }
        fs::remove_dir_all(workshop.path(directory)).expect("the folder can be removed");
    }
    panic!("it was never killed in the middle");
}

pub(crate) fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("the arena runs");
}

#[test]
fn the_same_seed_plays_the_same_games_at_any_concurrency() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    for (concurrency, out) in [("1", "one"), ("4", "four")] {
        workshop.run(&["run", "cup.yaml", "--out", out, "--concurrency", concurrency]).expect(0);
    }
    let one = workshop.games("one");
    assert_eq!(one.len(), 2 * 3 * 4 * 2);
    assert_eq!(timeless(&one), timeless(&workshop.games("four")));
    assert_eq!(
        standings(&workshop.read("one/standings.csv")),
        standings(&workshop.read("four/standings.csv"))
    );
    workshop.run(&["run", "cup.yaml", "--out", "other", "--seed", "6"]).expect(0);
    assert_ne!(timeless(&one), timeless(&workshop.games("other")));
}

#[test]
fn a_run_that_is_killed_goes_on_and_ends_like_one_that_was_not() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    // So many that it is not over before it is killed.
    let rounds = ["--rounds", "16"];
    let run = |words: &[&str]| workshop.run(&[&["run", "cup.yaml"], words, &rounds].concat()).expect(0);
    run(&["--out", "whole"]);
    let whole = workshop.games("whole");
    let mut recorded = Vec::new();
    for count in [1, 7, 20] {
        let words = ["run", "cup.yaml", "--out", "killed", "--concurrency", "2"];
        let mut child = workshop.start(&[&words, &rounds[..]].concat());
        wait_for_games(&workshop, "killed", count);
        child.kill().expect("the arena runs");
        child.wait().expect("it is killed");
        let games = workshop.games("killed");
        assert!(games.len() >= count && games.len() < whole.len(), "{} games", games.len());
        // What was recorded stays, to the byte.
        let lines: Vec<_> = games.iter().map(|game| serde_json::to_string(game).expect("JSON")).collect();
        assert!(recorded.iter().all(|line| lines.contains(line)));
        recorded = lines;
    }
    run(&["--out", "killed"]);
    assert_eq!(timeless(&workshop.games("killed")), timeless(&whole));
    assert_eq!(
        standings(&workshop.read("killed/standings.csv")),
        standings(&workshop.read("whole/standings.csv"))
    );
}

#[test]
fn a_finished_run_says_so_and_writes_the_same_tables() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let words = ["run", "cup.yaml", "--rounds", "1"];
    workshop.run(&words).expect(0);
    let files = ["journal.jsonl", "games.pgn", "games.csv", "standings.csv", "crosstable.csv"];
    let bytes: Vec<_> = files.iter().map(|name| workshop.read(&format!("results/cup/{name}"))).collect();
    for name in &files[1..] {
        fs::remove_file(workshop.path("results/cup").join(name)).expect("the file is there");
    }
    let again = workshop.run(&words).expect(0);
    assert!(again.stderr.contains("nothing is left to play"), "{}", again.stderr);
    let after: Vec<_> = files.iter().map(|name| workshop.read(&format!("results/cup/{name}"))).collect();
    assert_eq!(bytes, after);
    workshop.write("results/cup/standings.csv", "");
    workshop.run(&["report", "results/cup"]).expect(0);
    assert_eq!(workshop.read("results/cup/standings.csv"), bytes[3]);
}

#[test]
fn a_run_grows_by_rounds_bots_and_games_and_keeps_what_it_has() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let small = ["run", "cup.yaml", "--rounds", "1", "--bots", "greedy,random", "--games", "farook"];
    workshop.run(&small).expect(0);
    let first = workshop.games("results/cup");
    assert_eq!(first.len(), 2);
    let grown = workshop.run(&["run", "cup.yaml"]).expect(0);
    for change in ["rounds: 4 instead of 1", "new bot: ab", "new game: fanorona size=5x5"] {
        assert!(grown.stderr.contains(change), "{}", grown.stderr);
    }
    let games = workshop.games("results/cup");
    assert_eq!(games.len(), 2 * 3 * 4 * 2);
    assert_eq!(games[..2], first[..]);
    // Only the order differs from a run that was that large from the start.
    workshop.run(&["run", "cup.yaml", "--out", "whole"]).expect(0);
    let unnumbered = |directory: &str| {
        let mut games = workshop.games(directory);
        for game in &mut games {
            (game.number, game.pair) = (0, 0);
        }
        let mut lines = timeless(&games);
        lines.sort();
        lines
    };
    assert_eq!(unnumbered("results/cup"), unnumbered("whole"));
}

#[test]
fn what_would_make_games_incomparable_is_refused() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    workshop.run(&["run", "cup.yaml", "--rounds", "1"]).expect(0);
    let journal = workshop.read("results/cup/journal.jsonl");
    let refused = workshop.run(&["run", "cup.yaml", "--seed", "6", "--tc", "nodes 500"]).expect(2);
    for word in ["`seed` was `5` and is now `6`", "`tc` of farook", "--out DIR"] {
        assert!(refused.stderr.contains(word), "{}", refused.stderr);
    }
    assert_eq!(workshop.read("results/cup/journal.jsonl"), journal);
}

#[test]
fn an_edited_bot_is_a_new_version_and_plays_anew() {
    let workshop = Workshop::new();
    let bot = include_str!("../../bots/python/random_bot.py");
    workshop.write("bot.py", bot);
    workshop.write(
        "cup.yaml",
        "games: [farook]\nbots: [{builtin: random}, {name: mine, cmd: [python3, bot.py]}]\nout: out\ntc: 10\n",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    workshop.write("bot.py", &bot.replace("PyRandom", "PyRandom two"));
    let again = workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(again.stderr.contains("new version of bot mine"), "{}", again.stderr);
    let games = workshop.games("out");
    assert_eq!(games.len(), 4);
    let digest = |game: &GameRecord| {
        game.seats.iter().find(|seat| seat.bot == "mine").expect("it plays").digest.clone()
    };
    assert_eq!(digest(&games[0]), digest(&games[1]));
    assert_ne!(digest(&games[0]), digest(&games[2]));
}

#[test]
fn two_arenas_on_one_directory_do_not_meet() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let mut first = workshop.start(&["run", "cup.yaml", "--rounds", "200", "--out", "out"]);
    wait_for_games(&workshop, "out", 1);
    let second = workshop.run(&["run", "cup.yaml", "--rounds", "200", "--out", "out"]).expect(4);
    assert!(second.stderr.contains("in use by another arena"), "{}", second.stderr);
    first.kill().expect("the arena runs");
    first.wait().expect("it is killed");
}

#[test]
fn an_interrupt_lets_games_finish_writes_everything_and_says_how_to_go_on() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let child = workshop.start(&["run", "cup.yaml", "--rounds", "200", "--out", "out"]);
    wait_for_games(&workshop, "out", 3);
    signal(&child, Signal::INT);
    let ended = Ended::new(child.wait_with_output().expect("it ends")).expect(130);
    assert!(ended.stderr.contains("interrupted: running games finish"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("to continue:") && ended.stderr.contains("run cup.yaml"),
        "{}",
        ended.stderr
    );
    assert!(ended.stdout.contains("random"), "{}", ended.stdout);
    assert!(workshop.path("out/standings.csv").exists());
    assert!(workshop.games("out").len() >= 3);
}

#[test]
fn a_second_interrupt_abandons_the_games() {
    let workshop = Workshop::new();
    let bad = chaos("hang");
    workshop.write(
        "cup.yaml",
        &format!(
            "games: [farook]\nbots: [{{builtin: random}}, {{name: bad, cmd: {bad}}}]\nout: out\ntc: 3600\n"
        ),
    );
    let mut child = workshop.start(&["run", "cup.yaml"]);
    let stderr = child.stderr.take().expect("standard error is a pipe");
    let mut lines = BufReader::new(stderr).lines();
    // The handlers are there once the journal has its first line.
    let journal = workshop.path("out/journal.jsonl");
    assert!(wait_until(|| journal.metadata().is_ok_and(|file| file.len() > 0)), "no run line after a minute");
    signal(&child, Signal::INT);
    let first =
        lines.by_ref().map_while(std::result::Result::ok).find(|line| line.starts_with("interrupted"));
    assert!(first.is_some());
    signal(&child, Signal::INT);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(workshop.games("out").len(), 0);
}

#[test]
fn an_interrupt_while_the_bots_are_tried_ends_at_once_and_leaves_no_bot() {
    let workshop = Workshop::new();
    workshop.write("silent.py", "open('tried', 'w').close()\nimport time\ntime.sleep(3600)\n");
    workshop.write(
        "cup.yaml",
        "games: [farook]\nbots: [{builtin: random}, {name: silent, cmd: [python3, silent.py], sandbox: none}]\nout: out\ntc: 10\n",
    );
    let child = workshop.start(&["run", "cup.yaml"]);
    assert!(wait_until(|| workshop.path("tried").exists()), "the bot was not started");
    signal(&child, Signal::INT);
    let ended = Ended::new(child.wait_with_output().expect("it ends")).expect(130);
    assert!(ended.stderr.contains("no game was played"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("cannot play"), "{}", ended.stderr);
    assert!(workshop.read("out/journal.jsonl").is_empty());
}
