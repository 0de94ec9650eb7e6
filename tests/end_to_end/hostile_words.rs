//! Words that are meant to do harm on a terminal, in the place of every name, path and value that a command takes or reads:
//! whatever is said of them is harmless and short.

use std::fs;
use std::time::Duration;

use crate::outputs::faults_of_text;
use crate::workshop::{Ended, Workshop, unsealed};

/// Sets the title of a terminal, clears it, and turns the direction of what follows.
const HOSTILE: &str = "\u{1b}]0;pwned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\rx";

/// Fails where the end of a command is dangerous on a terminal, longer than anybody reads, or no end of its own.
#[track_caller]
fn judge(words: &[&str], ended: &Ended) {
    assert!((0..=5).contains(&ended.code), "{words:?}: {}: {}", ended.code, ended.stderr);
    for (name, text) in [("stdout", &ended.stdout), ("stderr", &ended.stderr)] {
        let faults = faults_of_text(name, text);
        assert!(faults.is_empty(), "{words:?}: {faults:?} in {text:?}");
    }
    assert!(ended.stderr.len() < 60_000, "{words:?}: {} bytes", ended.stderr.len());
}

/// Every command, with a place for each word that comes from elsewhere.
const COMMANDS: &[&[&str]] = &[
    &["WORD"],
    &["run", "WORD"],
    &["run", "cup.yaml", "--games", "WORD"],
    &["run", "cup.yaml", "--tc", "WORD"],
    &["run", "cup.yaml", "--rounds", "WORD"],
    &["run", "cup.yaml", "--openings", "WORD"],
    &["run", "cup.yaml", "--openings", "file=WORD"],
    &["run", "cup.yaml", "--sandbox", "WORD"],
    &["run", "cup.yaml", "--shard", "WORD"],
    &["run", "cup.yaml", "--limits", "memory=WORD"],
    &["run", "cup.yaml", "--match", "WORD,random"],
    &["plan", "WORD"],
    &["plan", "cup.yaml", "--out", "out/WORD"],
    &["plan", "cup.yaml", "--name", "WORD"],
    &["plan", "cup.yaml", "--margin", "WORD"],
    &["plan", "cup.yaml", "--schedule", "WORD"],
    &["schedule", "WORD"],
    &["schedule", "cup.yaml", "--deadline", "WORD"],
    &["init", "none/WORD"],
    &["ctl", "WORD", "status"],
    &["ctl", "out", "WORD"],
    &["match", "random", "WORD", "--game", "farook"],
    &["match", "random", "greedy", "--game", "WORD"],
    &["match", "random", "greedy", "--game", "farook", "--opt", "WORD=1"],
    &["match", "random", "greedy", "--game", "farook", "--tc", "WORD"],
    &["play", "WORD"],
    &["play", "farook", "--p2", "WORD"],
    &["merge", "WORD", "-o", "merged"],
    &["merge", "out", "-o", "cup.yaml/WORD"],
    &["report", "WORD"],
    &["report", "out", "--bot", "WORD"],
    &["serve", "WORD", "--listen", "WORD"],
    &["rate", "WORD"],
    &["rate", "out", "--game", "WORD"],
    &["rate", "out", "--bot", "WORD"],
    &["rate", "out", "--since", "WORD"],
    &["rate", "out", "--anchor", "WORD=1"],
    &["compare", "out", "WORD"],
    &["sprt", "--new", "WORD", "--base", "builtin:random", "--game", "farook"],
    &["sprt", "--counts", "WORD"],
    &["simulate", "--elo", "WORD"],
    &["replay", "WORD"],
    &["check", "--only", "WORD", "--", "WORD"],
    &["check", "--game", "WORD", "--", "cat"],
    &["check", "--script", "WORD", "--", "cat"],
    &["intake", "WORD"],
    &["intake", "entries", "--build-limit", "WORD"],
    &["intake", "entries", "--tc", "WORD"],
    &["repro", "WORD", "1"],
    &["repro", "out", "WORD"],
    &["verify", "WORD"],
    &["position", "WORD"],
    &["position", "farook", "--opt", "WORD=WORD"],
    &["position", "farook", "--plies", "WORD"],
    &["position", "farook", "--fen", "WORD"],
    &["position", "farook", "--svg", "none/WORD"],
    &["openings", "WORD"],
    &["openings", "farook", "--output", "none/WORD"],
    &["perft", "farook", "WORD"],
    &["bench", "WORD"],
    &["schema", "WORD"],
    &["completions", "WORD"],
    &["man", "cup.yaml/WORD"],
    &["new", "bot", "--lang", "WORD", "x"],
    &["new", "bot", "--lang", "python", "cup.yaml/WORD"],
    &["bot", "WORD"],
];

const CUP: &str =
    "games: [farook]\nbots: [{builtin: random}, {builtin: greedy}]\nrounds: 1\ntc: 60+1\nout: out\n";

#[test]
fn hostile_arguments_are_harmless_and_short_in_every_command() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let long = "9".repeat(60_000);
    for word in [HOSTILE, &long] {
        for command in COMMANDS {
            let words: Vec<_> = command.iter().map(|part| part.replace("WORD", word)).collect();
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            judge(command, &workshop.run(&words));
        }
    }
}

#[test]
fn hostile_values_of_files_are_harmless() {
    let workshop = Workshop::new();
    let quoted = serde_json::to_string(HOSTILE).expect("text");
    fs::create_dir_all(workshop.path("entries/one")).expect("a folder");
    workshop.write("entries/one/bot.yaml", &format!("name: one\nrun: [{quoted}, {quoted}]\n"));
    let bots = "bots: [{from: 'entries/*/bot.yaml'}, {builtin: random}]\n";
    for (key, text) in [
        ("run", format!("games: [farook]\n{bots}")),
        ("out", CUP.replace("out: out", &format!("out: {quoted}"))),
        ("tc", CUP.replace("60+1", &quoted)),
        ("tc", CUP.replace("60+1", &"9".repeat(200_000))),
        ("game", CUP.replace("farook", &quoted)),
        ("key", format!("{CUP}{quoted}: 1\n")),
        ("builtin", CUP.replace("random", &quoted)),
        ("cmd", CUP.replace("builtin: random", &format!("name: x, cmd: [{quoted}]"))),
        ("from", format!("games: [farook]\nbots: [{{from: {quoted}}}, {{builtin: random}}]\n")),
    ] {
        workshop.write("hostile.yaml", &text);
        for command in ["plan", "run", "schedule"] {
            judge(&[key, command], &workshop.run(&[command, "hostile.yaml"]));
        }
    }
    judge(&["intake"], &workshop.run(&["intake", "entries", "--game", "farook", "--quick"]));
}

#[test]
fn hostile_journals_are_harmless_and_short() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let journal = unsealed(&workshop.read("out/journal.jsonl"));
    let long = "y".repeat(3_000_000);
    fs::create_dir(workshop.path("hostile")).expect("a folder");
    for word in [HOSTILE, &long] {
        let quoted = serde_json::to_string(word).expect("text");
        for (what, with) in [
            ("\"greedy\"", quoted.clone()),
            ("\"game\":\"farook\"", format!("\"game\":{quoted}")),
            ("\"label\":\"farook\"", format!("\"label\":{quoted}")),
            ("\"wilds\":", format!("{quoted}:")),
            ("\"name\":\"cup\"", format!("\"name\":{quoted}")),
            ("{\"ply\":\"a1\"", format!("{{\"ply\":{quoted}")),
            ("\"tc\":\"60+1\"", format!("\"tc\":{quoted}")),
            ("\"type\":\"game\"", format!("\"type\":{quoted}")),
            ("\"reason\":\"", format!("\"reason\":{quoted},\"x\":\"")),
        ] {
            workshop.write("hostile/journal.jsonl", &journal.replace(what, &with));
            for words in [
                &["replay", "hostile"][..],
                &["replay", "--json", "hostile"],
                &["rate", "hostile"],
                &["compare", "out", "hostile"],
                &["verify", "hostile"],
                &["repro", "hostile", "1", "--seat", "p1"],
                &["run", "cup.yaml", "--out", "hostile"],
                &["merge", "out", "hostile", "-o", "merged"],
            ] {
                let ended = workshop.run(words);
                judge(&[&[what], words].concat(), &ended);
                if word.len() > 1000 && words[0] == "replay" {
                    assert!(ended.stdout.len() < 60_000, "{what}: {words:?}: {}", ended.stdout.len());
                }
            }
        }
    }
}

#[test]
fn hostile_game_logs_are_harmless_and_short() {
    let workshop = Workshop::new();
    let head = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. ";
    for plies in ["z".repeat(500_000), "( e5 ".repeat(300_000), "{".repeat(500_000), format!("a1 {HOSTILE}")]
    {
        workshop.write("log.pgn", &format!("{head}{plies} 1-0\n"));
        for words in [&["replay", "log.pgn"][..], &["replay", "--json", "log.pgn"], &["rate", "log.pgn"]] {
            let ended = workshop.run(words);
            judge(words, &ended);
            assert!(ended.stdout.len() < 60_000, "{words:?}: {}", ended.stdout.len());
        }
    }
}

/// Runs a command that may wait for ever, for a minute at the most.
#[track_caller]
fn ends(workshop: &Workshop, words: &[&str]) -> Ended {
    let mut child = workshop.start(words);
    let is_done = crate::workshop::wait_until(|| child.try_wait().is_ok_and(|status| status.is_some()));
    if !is_done {
        let _ = child.kill();
    }
    let ended = Ended::new(child.wait_with_output().expect("it ends"));
    assert!(is_done, "{words:?} did not end within {:?}: {}", Duration::from_secs(60), ended.stderr);
    ended
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let pipe = |name: &str| {
        let mode = rustix::fs::Mode::RWXU;
        let path = workshop.path(name);
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).expect("a pipe");
    };
    fs::create_dir(workshop.path("pipe")).expect("a folder");
    pipe("pipe/journal.jsonl");
    pipe("pipe.yaml");
    workshop.write("openings.yaml", &format!("{CUP}openings: {{file: pipe.yaml}}\n"));
    workshop.write("cmd.yaml", &CUP.replace("builtin: random", "name: x, cmd: ./pipe.yaml"));
    for words in [
        &["report", "pipe"][..],
        &["replay", "pipe"],
        &["replay", "pipe/journal.jsonl"],
        &["rate", "pipe"],
        &["rate", "pipe/journal.jsonl"],
        &["compare", "out", "pipe"],
        &["compare", "pipe", "out"],
        &["verify", "pipe"],
        &["repro", "pipe", "1"],
        &["merge", "out", "pipe", "-o", "merged"],
        &["merge", "out", "-o", "pipe"],
        &["run", "cup.yaml", "--out", "pipe"],
        &["schedule", "cup.yaml", "--out", "pipe"],
        &["run", "pipe.yaml"],
        &["plan", "openings.yaml"],
        &["plan", "cmd.yaml"],
        &["check", "--script", "pipe.yaml", "--", "cat"],
    ] {
        let ended = ends(&workshop, words);
        assert_ne!(ended.code, 0, "{words:?}: {}", ended.stderr);
        assert!(ended.stderr.contains("pipe"), "{words:?}: {}", ended.stderr);
    }
    assert!(!workshop.path("merged/journal.jsonl").exists(), "nothing was merged");
}

#[test]
fn a_schedule_without_an_end_is_refused() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let journal = unsealed(&workshop.read("out/journal.jsonl"));
    fs::create_dir(workshop.path("endless")).expect("a folder");
    workshop.write("endless/journal.jsonl", &journal.replacen("\"rounds\":1,", "\"rounds\":4294967295,", 1));
    for words in [
        &["report", "endless"][..],
        &["replay", "endless"],
        &["rate", "endless"],
        &["compare", "out", "endless"],
        &["merge", "endless", "-o", "merged"],
        &["run", "cup.yaml", "--out", "endless"],
        &["schedule", "cup.yaml", "--out", "endless"],
    ] {
        let ended = ends(&workshop, words);
        let told = "line 1: 4294967295 rounds are more than the 100000 that a run can have";
        assert!(ended.stderr.contains(told), "{words:?}: {}", ended.stderr);
    }
}
