//! `arena check --script`: the dialogues of the specification, and those that users write, held with a bot.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::workshop::{Ended, Workshop};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Holds dialogues with the bot that can be broken.
fn check(workshop: &Workshop, scripts: &Path, words: &[&str], fault: &str) -> Ended {
    let (scripts, bot) = (scripts.display().to_string(), root("tests/bots/broken.py").display().to_string());
    // A busy machine is no fault of the bot.
    let words =
        [&["check", "--margin", "2s", "--script", &scripts], words, &["--", "python3", &bot, fault]].concat();
    Ended::new(workshop.arena(&words).output().expect("the executable starts"))
}

#[test]
fn the_dialogues_of_the_specification_are_held_with_any_command() {
    let workshop = Workshop::new();
    let folder = root("protocol-spec/vectors/dialogues");
    let is_for_bots =
        |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| !text.contains("! arena-only"));
    let files: Vec<_> =
        fs::read_dir(&folder).expect("the folder").flatten().map(|entry| entry.path()).collect();
    let for_bots = files.iter().filter(|path| is_for_bots(path)).count();
    assert!(for_bots >= 16, "{for_bots}");
    let folder = folder.display().to_string();
    let words = ["check", "--margin", "2s", "--script", &folder, "--", "builtin:greedy"];
    let ended = workshop.run(&words).expect(0);
    let skipped = format!("{} skipped", files.len() - for_bots);
    assert!(ended.stdout.contains(&format!("# {for_bots} passed, 0 failed, {skipped}")), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("/clocks.abp\n") && ended.stdout.starts_with("ok 1 - "),
        "{}",
        ended.stdout
    );
    // A bot that plays one game and declares what it can is put to those that are meant for it.
    let ended = check(&workshop, Path::new(&folder), &[], "").expect(0);
    assert!(ended.stdout.contains("/game-farook.abp\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("/game-faust.abp # SKIP the bot does not play faust"), "{}", ended.stdout);
}

#[test]
fn a_broken_dialogue_is_told_with_its_line_and_what_came() {
    let workshop = Workshop::new();
    let script = workshop.write(
        "mine.abp",
        "# My bot is ready, can be stopped, and ends.\n> ugi\n< ugiok\n! needs can stop\n\
         > game farook you=p1\n> uginewgame\n> isready\n< readyok\n> position startpos\n> legal a1 b2\n> go infinite\n\
         ! silence 200ms\n> stop\n! within 1s\n< bestmove %legal\n> quit\n! ends\n",
    );
    check(&workshop, &script, &[], "").expect(0);
    let breaks = |fault: &str, parts: &[&str]| {
        let ended = check(&workshop, &script, &[], fault).expect(1);
        for part in parts {
            assert!(ended.stdout.contains(part), "{fault}: no `{part}` in\n{}", ended.stdout);
        }
    };
    breaks(
        "early",
        &["mine.abp # compare with line 12 of the dialogue: `! silence 200ms`", "\n# `bestmove "],
    );
    breaks("quit", &["with line 17 of", "# the process lives on after 3 s", "#   > quit"]);
    breaks(
        "wrong-word",
        &["with line 15 of", "# no `bestmove` within 3 s", "# 0 passed, 1 failed, 0 skipped"],
    );
    breaks("no-start", &["with line 3 of", "stderr: cannot find the weights"]);
    breaks(
        "no-flush-moves",
        &["not ok 1 - ", "# flush stdout after every line; in Python: `print(line, flush=True)`"],
    );
    let ended = check(&workshop, &script, &["--json"], "early").expect(1);
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    assert_eq!(document["summary"]["failed"], 1);
    assert_eq!(document["dialogues"][0]["status"], "failed");
    assert_eq!(document["conforms"], false);
}

#[test]
fn what_is_wrong_with_a_dialogue_is_told() {
    let workshop = Workshop::new();
    let fails = |name: &str, text: &str, part: &str| {
        let script = workshop.write(name, text);
        let ended = check(&workshop, &script, &[], "").expect(2);
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    };
    fails("a.abp", "> ugi\n< ugiok\n! whitin 1s\n", "a.abp:3: unknown direction `whitin`");
    fails("b.abp", "ugi\n", "b.abp:1: a line begins with");
    fs::create_dir(workshop.path("empty")).expect("the folder takes a folder");
    let ended = workshop.run(&["check", "--script", "empty", "builtin:random"]).expect(2);
    assert!(ended.stderr.contains("the folder `empty` has no file that ends in `.abp`"), "{}", ended.stderr);
    workshop.run(&["check", "--script", "empty", "--quick", "builtin:random"]).expect(2);
}
