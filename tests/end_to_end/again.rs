//! Recorded games once more: `arena repro` and `arena verify`.

use std::os::unix::fs::PermissionsExt as _;

use crate::workshop::{Workshop, chaos, chaos_once, chaos_script, unsealed};

/// What allows the commands of a journal to be started as it says.
const ALLOWED: [&str; 3] = ["--yes", "--sandbox", "recorded"];

/// Returns the words of a command that starts what a journal names.
fn allowed<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&words[..1], &ALLOWED, &words[1..]].concat()
}

#[track_caller]
fn holds(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no `{word}` in:\n{text}");
    }
}

/// Plays a bot with a vice; its vice breaks out once, so that it behaves when it is asked again.
fn faulty(vice: &str) -> Workshop {
    let workshop = Workshop::new();
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: honest, builtin: random}}\n  - {{name: bad, cmd: {}}}\n\
         tc: 120+1\nconcurrency: 1\nopenings: {{plies: 0, repeat: true}}\nout: out\ntranscripts: true\n",
        chaos_once(vice)
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    workshop
}

/// Returns the lines to a seat in a text, from the set-up of the game to the last question.
fn sent(text: &str, mark: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.split_once(mark)).map(|(_, line)| line.to_owned());
    let lines: Vec<_> = lines.skip_while(|line| !line.starts_with("game ")).collect();
    let end = lines.iter().rposition(|line| line.starts_with("go ")).expect("a question");
    lines[..=end].to_vec()
}

#[test]
fn a_bot_is_sent_the_same_lines_again_to_the_byte() {
    let workshop = faulty("impossible");
    for (seat, game) in [("p2", "1"), ("p1", "1"), ("p1", "2"), ("p2", "2")] {
        let again = workshop.run(&allowed(&["repro", "out", game, "--seat", seat, "--trace"]));
        let transcript = workshop.read(&format!("out/transcripts/{game}.txt"));
        assert_eq!(sent(&again.stdout, " > "), sent(&transcript, &format!(" {seat} > ")), "{}", again.stdout);
    }
}

#[test]
fn a_fault_that_comes_again_is_told_and_one_that_is_mended_too() {
    let workshop = faulty("impossible");
    // The page of the fault names the command.
    holds(&workshop.read("out/faults/1.txt"), &["arena repro out 1\n"]);
    let mended = workshop.run(&allowed(&["repro", "out/faults/1.txt"])).expect(0);
    holds(&mended.stdout, &["then - in -", "the fault does not come again"]);
    std::fs::remove_file(workshop.path("vice-was-here")).expect("the mark of the vice");
    let again = workshop.run(&allowed(&["repro", "out", "1"])).expect(1);
    holds(&again.stdout, &["fault: illegal ply `", "1 faults"]);
    // Only the question that matters, and another program.
    let script = chaos_script().display().to_string();
    let words = ["repro", "out", "1", "--ply", "4", "--", "python3", &script, "crash"];
    let first = workshop.run(&words).expect(0);
    holds(&first.stdout, &["1 question: 1 same"]);
    workshop.write("mute.py", "import sys\nsys.exit('I do not start')\n");
    let lost = workshop.run(&["repro", "out", "1", "--", "python3", "mute.py"]).expect(1);
    holds(&lost.stderr, &["I do not start", "before `ugiok`"]);
}

#[test]
fn what_cannot_be_repeated_is_refused_with_a_hint() {
    let workshop = faulty("impossible");
    for (words, hint) in [
        (&["repro", "out"][..], "arena repro DIR 17"),
        (&["repro", "out", "7"], "it has 2 games"),
        (&["repro", "out", "2"], "--seat p1"),
        (&["repro", "out", "1", "--ply", "5"], "it was for"),
        (&["repro", "nowhere", "1"], "journal.jsonl"),
        (&["repro", "out", "1", "--", "./no-such-program"], "no-such-program"),
    ] {
        let ended = workshop.run(words);
        assert!([2, 4].contains(&ended.code), "{words:?}: {}", ended.code);
        holds(&ended.stderr, &["error: ", hint]);
    }
}

#[test]
fn a_bot_that_hangs_is_not_waited_for_longer_than_its_clock() {
    let workshop = Workshop::new();
    let text = format!(
        "games: [farook]\nbots: [{{builtin: random}}, {{name: bad, cmd: {}}}]\ntc: movetime 1s\nconcurrency: 1\nout: out\n",
        chaos("hang")
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    std::fs::remove_file(workshop.path("vice-was-here")).expect("the mark of the vice");
    let again = workshop.run(&allowed(&["repro", "out/faults/1.txt"])).expect(1);
    holds(&again.stdout, &["fault: overran the time for its turn of 1000 ms"]);
}

#[test]
fn games_of_reproducible_bots_are_the_same_again() {
    let workshop = Workshop::new();
    workshop.write(
        "cup.yaml",
        "games: [farook, 2-frenzy]\nbots: [{builtin: random}, {builtin: greedy}, {builtin: alphabeta}]\n\
         tc: nodes 200\nsandbox: none\nout: out\n",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let same = workshop.run(&["verify", "out", "--sample", "4"]).expect(0);
    // What holds for all bots is told once.
    assert_eq!(same.stderr.matches("sandbox: none").count(), 1, "{}", same.stderr);
    holds(&same.stdout, &["4 of 12 reproducible games played again: 4 the same, 0 different"]);
    let json = workshop.run(&["verify", "out", "--sample", "100", "--json"]).expect(0);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!((&json["reproducible"], &json["same"]), (&12.into(), &12.into()));
}

#[test]
fn a_game_that_is_not_the_same_again_is_named_with_the_ply() {
    let workshop = Workshop::new();
    // It says that it can be limited by nodes, and plays by the time of day.
    let script = "import random, sys\nfor line in sys.stdin:\n    word, *rest = line.split() or ['']\n    \
                  if word == 'ugi': print('protocol 1\\nwant legal\\ncan nodes\\nugiok')\n    \
                  elif word == 'isready': print('readyok')\n    \
                  elif word == 'legal': legal = rest\n    \
                  elif word == 'go': print('bestmove', random.SystemRandom().choice(legal))\n    \
                  elif word == 'quit': break\n    sys.stdout.flush()\n";
    workshop.write("fickle.py", script);
    workshop.write(
        "cup.yaml",
        "games: [farook]\nbots: [{builtin: random}, {name: fickle, cmd: [python3, fickle.py]}]\ntc: nodes 200\nrounds: 2\nout: out\n",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let ended = workshop.run(&allowed(&["verify", "out"])).expect(1);
    holds(&ended.stdout, &["game 1: ply ", " was `", "4 different"]);
    // A changed program is told, and one that is not there is an error.
    workshop.write("fickle.py", &format!("{script}\n"));
    let ended = workshop.run(&["verify", "out", "--config", "cup.yaml"]).expect(1);
    holds(&ended.stderr, &["`fickle` is not the version that was recorded"]);
    std::fs::remove_file(workshop.path("fickle.py")).expect("the script");
    let ended = workshop.run(&["verify", "out", "--config", "cup.yaml"]);
    assert_ne!(ended.code, 0, "{}", ended.stdout);
}

#[test]
fn games_by_the_clock_are_verified_only_where_the_file_says_that_bots_are_reproducible() {
    let workshop = Workshop::new();
    let text = "games: [farook]\nbots: [{builtin: random}, {builtin: greedy}]\ntc: 60\n";
    workshop.write("cup.yaml", &format!("{text}out: out\n"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let ended = workshop.run(&["verify", "out"]).expect(3);
    holds(&ended.stderr, &["nothing to verify", "reproducible: true"]);
    workshop.write("said.yaml", &format!("{text}out: said\nreproducible: true\n"));
    workshop.run(&["run", "said.yaml"]).expect(0);
    let ended = workshop.run(&["verify", "said"]).expect(0);
    holds(&ended.stdout, &["2 the same"]);
}

/// A bot that plays only where it is allowed what its entry says besides its level.
const DEMANDING: &str = "\
import os, resource, socket, sys
open('../books/book').read()
open('../learned/notes', 'a').write('again\\n')
socket.socket()
assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 99
assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == 3 << 20
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word == 'ugi': print('protocol 1\\nwant legal\\nugiok')
    elif word == 'isready': print('readyok')
    elif word == 'legal': legal = rest
    elif word == 'go': print('bestmove', legal[0])
    elif word == 'quit': break
    sys.stdout.flush()
";

#[test]
fn what_a_sandbox_was_given_stands_in_the_journal() {
    let workshop = Workshop::new();
    for folder in ["cup", "books", "learned"] {
        std::fs::create_dir(workshop.path(folder)).expect("the folder takes another");
    }
    workshop.write("books/book", "e2e4\n");
    workshop.write("cup/demanding.py", DEMANDING);
    let text = "games: [farook]\nbots:\n  - {builtin: random}\n  - name: demanding\n    cmd: [python3, demanding.py]\n    \
                sandbox: {level: basic, read: [../books], write: [../learned], network: true, files: 99, file-size: 3MiB}\n    \
                limits: {memory: 2GiB}\nreproducible: true\nopenings: {plies: 6}\nout: out\n";
    workshop.write("cup/cup.yaml", text);
    workshop.run(&["run", "cup/cup.yaml"]).expect(0);
    let contents = record::read(&workshop.path("out")).expect("the journal is whole");
    let bot = &contents.runs[0].config.bots[1];
    let words = "read ../books, write ../learned, network, files 99, file-size 3MiB";
    assert_eq!(bot.granted.words(), words);
    assert!(bot.sandbox.as_deref().is_some_and(|it| it.starts_with("basic (Landlock")), "{:?}", bot.sandbox);
    assert!(contents.runs[0].config.bots[0].granted.is_empty());
    // Neither needs the tournament file.
    std::fs::remove_file(workshop.path("cup/cup.yaml")).expect("the file was there");
    let again = workshop.run(&allowed(&["repro", "out", "1", "--seat", "p2", "--base", "cup"])).expect(0);
    holds(&again.stdout, &[" same or fixed, 0 different, 0 faults"]);
    let same = workshop.run(&allowed(&["verify", "out", "--base", "cup"])).expect(0);
    holds(&same.stdout, &["2 the same"]);
    let command = "cd cup && exec python3 demanding.py";
    let words = ["repro", "out", "1", "--seat", "p2", "--base", "cup", "--", "sh", "-c", command];
    let other = workshop.run(&words).expect(0);
    holds(&other.stdout, &["0 faults"]);
    // What it was given is gone: that is said, and nothing less is tried.
    std::fs::remove_dir_all(workshop.path("books")).expect("the books were there");
    let lost = workshop.run(&allowed(&["repro", "out", "1", "--seat", "p2", "--base", "cup"])).expect(2);
    holds(&lost.stderr, &["/books` cannot be opened", "--base"]);
}

/// A bot that leaves a mark where it runs, if it may.
const MARKING: &str = "\
import sys
try: open('mark', 'w').write('here')
except OSError: pass
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word == 'ugi': print('protocol 1\\nwant legal\\ncan nodes\\nugiok')
    elif word == 'isready': print('readyok')
    elif word == 'legal': legal = rest
    elif word == 'go': print('bestmove', legal[0])
    elif word == 'quit': break
    sys.stdout.flush()
";

/// Returns a workshop with the journal of somebody who played without a sandbox, in which the commands stand, and who grants
/// the bot everything.
fn strange() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("marking.py", MARKING);
    // As root a bot at `contest` is another user, who has to reach it.
    let everybody = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(workshop.path(""), everybody).expect("it is ours");
    let text = "games: [farook]\nbots:\n  - {builtin: random}\n  - {name: \"marking\", cmd: [/usr/bin/python3, marking.py]}\n\
                tc: nodes 5\nsandbox: none\nout: out\n";
    workshop.write("cup.yaml", text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let journal = workshop.read("out/journal.jsonl");
    assert!(journal.contains("\"marking\""), "{journal}");
    std::fs::remove_file(workshop.path("mark")).expect("the bot was there");
    workshop
}

#[test]
fn the_commands_of_a_journal_are_not_started_where_nobody_can_be_asked() {
    let workshop = strange();
    for words in [
        &["verify", "out"][..],
        &["repro", "out", "1", "--seat", "p2"],
        &["repro", "out", "2", "--seat", "p1"],
    ] {
        let ended = workshop.run(words).expect(2);
        let shown = "  `marking` (sandbox: contest): /usr/bin/python3 marking.py";
        holds(&ended.stderr, &[shown, "nobody has allowed", "`--yes` starts them", "--config FILE"]);
        assert!(!workshop.path("mark").exists(), "{words:?}");
    }
    // Own words and own files need no question, and neither do the arena's own bots.
    workshop.run(&["repro", "out", "1", "--seat", "p2", "--", "python3", "marking.py"]).expect(0);
    workshop.run(&["verify", "out", "--config", "cup.yaml"]).expect(0);
    workshop.run(&["repro", "out", "1", "--seat", "p1"]).expect(0);
}

#[test]
#[cfg(target_os = "linux")]
fn the_commands_of_a_journal_are_confined_whatever_it_says() {
    let workshop = strange();
    let same = workshop.run(&["verify", "out", "--yes"]).expect(0);
    holds(&same.stdout, &["2 the same"]);
    workshop.run(&["repro", "out", "1", "--seat", "p2", "--yes"]).expect(0);
    assert!(!workshop.path("mark").exists(), "the bot was not confined");
    // A journal that grants its bot the folder gets nothing either.
    let journal = unsealed(&workshop.read("out/journal.jsonl"));
    let granted = journal.replace(
        "\"command\":[\"/usr/bin/python3\"",
        "\"granted\":{\"write\":[\".\"]},\"command\":[\"/usr/bin/python3\"",
    );
    assert_ne!(journal, granted);
    workshop.write("out/journal.jsonl", &granted);
    workshop.run(&["verify", "out", "--yes"]).expect(0);
    assert!(!workshop.path("mark").exists(), "the bot was not confined");
    workshop.run(&["verify", "out", "--yes", "--sandbox", "none"]).expect(0);
    assert!(workshop.path("mark").exists());
    workshop.run(&["verify", "out", "--yes", "--sandbox", "nonsense"]).expect(2);
}
