//! What makes setting up a tournament easy: a file to begin with, a trial run, the schema, completions, manual pages.

use std::fs;

use crate::workshop::{Ended, Workshop, chaos};

#[test]
fn a_file_that_was_written_is_tried_and_played() {
    let workshop = Workshop::new();
    let told = workshop.run(&["init", "cup.yaml"]).expect(0).stderr;
    assert!(told.contains("written: cup.yaml, arena.schema.json"), "{told}");
    assert!(workshop.read("cup.yaml").starts_with("# yaml-language-server: $schema=arena.schema.json\n"));
    let tried = workshop.run(&["plan", "cup.yaml", "--try"]).expect(0);
    assert!(tried.stdout.contains("2 rounds, 12 games"), "{}", tried.stdout);
    assert!(tried.stderr.contains("3 bots can play"), "{}", tried.stderr);
    assert!(!workshop.path("results").exists());
    workshop.run(&["run", "cup.yaml", "--tc", "nodes 50", "--out", "cup"]).expect(0);
    assert_eq!(workshop.games("cup").len(), 12);
    let other = ["run", "cup.yaml", "--tc", "nodes 60", "--out", "cup", "--dry-run"];
    let refused = workshop.run(&other).expect(2).stderr;
    assert!(refused.contains("`tc` of farook was"), "{refused}");
    assert!(refused.contains("is called `arena plan FILE --try` now"), "{refused}");
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
    let told = workshop.run(&["plan", "bad.yaml", "--try"]).expect(3).stderr;
    assert!(told.contains("bot `rejects` cannot play"), "{told}");
    assert!(!workshop.path("bad").exists());
}

/// A bot that takes every greeting, refuses one game when it is set up, and ends over another one.
const CHOOSY: &str = "\
import sys
for line in sys.stdin:
    words = line.split()
    if words[:1] == ['ugi']:
        print('protocol 1\\nplays *\\nugiok', flush=True)
    elif words[:1] == ['game']:
        game = words[1]
    elif words[:1] == ['uginewgame'] and game == 'sophia':
        sys.exit('no sophia here')
    elif words[:1] == ['isready']:
        if 'game' in globals() and game == 'farook':
            print('reject game : too round', flush=True)
        print('readyok', flush=True)
    elif words[:1] == ['quit']:
        break
";

#[test]
fn a_trial_run_sets_up_every_game_with_every_bot() {
    let workshop = Workshop::new();
    workshop.write("choosy.py", CHOOSY);
    let bots = "bots: [{builtin: random}, {name: choosy, cmd: [python3, choosy.py]}]";
    workshop.write("cup.yaml", &format!("games: [fanorona, farook, faust]\n{bots}\nout: out\n"));
    let told = workshop.run(&["plan", "cup.yaml", "--try"]).expect(3).stderr;
    assert!(told.contains("bot `choosy` cannot play: set up for farook as p1: refused the game: "), "{told}");
    assert!(!told.contains("fanorona") && !told.contains("faust"), "{told}");
    let told = workshop.run(&["plan", "cup.yaml", "--try", "--games", "farook,sophia"]).expect(3).stderr;
    assert!(told.contains("set up for farook as p1: refused"), "{told}");
    assert!(told.contains("; set up for sophia as p1: process ended (exit 1)"), "{told}");
    assert!(told.contains("no sophia here"), "{told}");
    let told = workshop.run(&["plan", "cup.yaml", "--try", "--games", "fanorona,faust"]).expect(0).stderr;
    assert!(told.contains("2 bots can play"), "{told}");
}

#[test]
fn maps_and_lists_are_typed_as_arguments() {
    let workshop = Workshop::new();
    let bots = "bots: [{builtin: random}, {builtin: greedy}, {builtin: alphabeta}]";
    workshop
        .write("cup.yaml", &format!("games: [farook]\n{bots}\nopenings: {{book: standard}}\ntc: nodes 50\n"));
    let plan = |words: &[&str]| {
        let words = [&["plan", "cup.yaml"], words].concat();
        workshop.run(&words)
    };
    let shown = plan(&["--openings", "turns=3, deepen"]).expect(0).stdout;
    assert!(shown.contains("openings: 3 turns, longer when there are no more"), "{shown}");
    let shown =
        plan(&["--format", "list", "--match", "random,greedy", "--match", "greedy, alphabeta"]).expect(0);
    assert!(
        shown.stdout.contains("match: random against greedy\nmatch: greedy against alphabeta\n"),
        "{}",
        shown.stdout
    );
    let test = ["--format", "sprt", "--bots", "alphabeta,greedy", "--sprt", "elo0=0,elo1=10,alpha=0.1"];
    let shown = plan(&[&test[..], &["--json"]].concat()).expect(0).stdout;
    assert!(shown.contains("\"alpha\":0.1"), "{shown}");
    let wrong = plan(&["--openings", "turns=2,ordr=shuffled"]).expect(2).stderr;
    for part in ["error: unknown key `ordr`", "--openings:1:9", "^^^^", "did you mean `order`?"] {
        assert!(wrong.contains(part), "{part}: {wrong}");
    }
    let wrong = plan(&["--openings", "book=standard,order=backwards"]).expect(2).stderr;
    assert!(wrong.contains("`order` cannot be `backwards`") && wrong.contains("--openings:1:21"), "{wrong}");
    let wrong = plan(&["--openings", "turns=2,plies=4"]).expect(2).stderr;
    assert!(wrong.contains("cannot have both `plies` and `turns`"), "{wrong}");
    let shown = plan(&["--limits", "memory=2GiB,cpu=10m"]).expect(0).stdout;
    assert!(shown.contains("limits: memory 2GiB, cpu 600s"), "{shown}");
    let wrong = plan(&["--limits", "memory=lots"]).expect(2).stderr;
    assert!(wrong.contains("`memory` cannot be `lots`") && wrong.contains("--limits:1:8"), "{wrong}");
    let wrong = plan(&["--limits", ""]).expect(2).stderr;
    assert!(wrong.contains("for example `--limits memory=2GiB,cpu=10m,processes=64`"), "{wrong}");
    let wrong = plan(&["--format", "list", "--match", "random"]).expect(2).stderr;
    assert!(wrong.contains("`--match`: a match is between two bots, not 1"), "{wrong}");
    let wrong = plan(&["--format", "list", "--match", "random,nobody"]).expect(2).stderr;
    assert!(wrong.contains("`--match`: ") && wrong.contains("`nobody`"), "{wrong}");
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
    assert!(schema["properties"]["bots"]["anyOf"].is_array(), "a list, or a map with `from`");
}
