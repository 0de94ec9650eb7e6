//! What makes setting up a tournament easy: a file to begin with, a trial run, the schema, completions, manual pages.

use std::fs;

use crate::workshop::{Ended, Workshop, chaos};

#[test]
fn a_file_that_was_written_is_tried_and_played() {
    let workshop = Workshop::new();
    let told = workshop.run(&["init", "cup.yaml"]).expect(0).stderr;
    assert!(told.contains("written: cup.yaml, arena.schema.json"), "{told}");
    assert!(workshop.read("cup.yaml").starts_with("# yaml-language-server: $schema=arena.schema.json\n"));
    let tried = workshop.run(&["run", "cup.yaml", "--dry-run"]).expect(0);
    assert!(tried.stdout.contains("2 rounds, 12 games"), "{}", tried.stdout);
    assert!(tried.stderr.contains("3 bots can play"), "{}", tried.stderr);
    assert!(!workshop.path("results").exists());
    workshop.run(&["run", "cup.yaml", "--tc", "nodes 50", "--out", "cup"]).expect(0);
    assert_eq!(workshop.games("cup").len(), 12);
    let other = ["run", "cup.yaml", "--tc", "nodes 60", "--out", "cup", "--dry-run"];
    assert!(workshop.run(&other).expect(2).stderr.contains("`tc` of farook was"));
}

#[test]
fn no_file_is_overwritten() {
    let workshop = Workshop::new();
    workshop.write("tournament.yaml", "mine");
    let told = workshop.run(&["init"]).expect(4).stderr;
    assert!(told.contains("failed to write `tournament.yaml`"), "{told}");
    assert_eq!(workshop.read("tournament.yaml"), "mine");
    assert!(!workshop.path("arena.schema.json").exists());
    workshop.write("arena.schema.json", "{}");
    workshop.run(&["init", "other.yaml"]).expect(0);
    assert_eq!(workshop.read("arena.schema.json"), "{}");
    assert!(workshop.run(&["init", "no/such/folder.yaml"]).expect(4).stderr.contains("no/such/folder.yaml"));
}

#[test]
fn a_trial_run_finds_bots_that_cannot_play() {
    let workshop = Workshop::new();
    let bots = format!("bots: [{{builtin: random}}, {{name: rejects, cmd: {}}}]", chaos("no-start"));
    workshop.write("bad.yaml", &format!("games: [farook]\n{bots}\nout: bad\n"));
    let told = workshop.run(&["run", "bad.yaml", "--dry-run"]).expect(3).stderr;
    assert!(told.contains("bot `rejects` cannot play"), "{told}");
    assert!(!workshop.path("bad").exists());
}

#[test]
fn shells_editors_and_man_know_the_program() {
    let workshop = Workshop::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = workshop.run(&["completions", shell]).expect(0).stdout;
        assert!(text.contains("--think-limit") || text.contains("think-limit"), "{shell}");
    }
    // A shell that takes the completions offers what begins with the letters typed.
    let script = workshop.run(&["completions", "bash"]).expect(0).stdout;
    workshop.write("arena.bash", &script);
    let ask = "source ./arena.bash; COMP_WORDS=(arena sim); COMP_CWORD=1; _arena arena sim arena; echo ${COMPREPLY[@]}";
    let mut bash = workshop.command("bash", &["-c", ask]);
    assert_eq!(Ended::new(bash.output().expect("bash")).expect(0).stdout.trim(), "simulate");
    workshop.run(&["completions", "tcsh"]).expect(2);
    workshop.run(&["man", "man1"]).expect(0);
    let pages: Vec<_> = fs::read_dir(workshop.path("man1"))
        .expect("the pages")
        .map(|entry| entry.expect("a page").file_name().into_string().expect("a name"))
        .collect();
    assert!(pages.contains(&"arena.1".to_owned()) && pages.contains(&"arena-run.1".to_owned()), "{pages:?}");
    assert!(workshop.read("man1/arena-run.1").contains("tournament file"));
    let schema: serde_json::Value =
        serde_json::from_str(&workshop.run(&["schema"]).expect(0).stdout).expect("JSON");
    assert_eq!(schema["properties"]["bots"]["type"][0], "array");
}
