//! The flush doctor: a bot that holds its output back loses, and is told so with the line of code that mends it.

use record::Termination;

use crate::workshop::{Ended, Workshop};

/// Plays Farook twice, against a bot that does nothing wrong.
fn play(workshop: &Workshop, bot: &str, settings: &str) -> Ended {
    let text = format!(
        "games: [farook]\nbots: [{{name: honest, builtin: random}}, {{name: bad, {bot}}}]\nrounds: 1\nconcurrency: 1\n\
         openings: {{plies: 0}}\nout: out\n{settings}"
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"])
}

/// Returns a bot in Python that flushes only while `flushes` holds. The arena has Python flush every write: a buffer
/// of its own defeats that.
fn python(workshop: &Workshop, flushes: &str) -> &'static str {
    workshop.write(
        "bad.py",
        &format!(
            "import os, sys\nout = open(os.dup(1), 'w', buffering=1 << 16)\nfor line in sys.stdin:\n    \
             word, *rest = line.split()\n    if word == 'legal': legal = rest\n    \
             answer = {{'ugi': 'protocol 1\\nwant legal\\nugiok', 'isready': 'readyok'}}.get(word)\n    \
             if word == 'go': answer = 'bestmove ' + legal[0]\n    if word == 'quit': break\n    \
             if answer: out.write(answer + '\\n')\n    if {flushes}: out.flush()\n"
        ),
    );
    "cmd: [python3, bad.py]"
}

/// Returns what is said of a bot that holds `awaited` back.
fn verdict(awaited: &str) -> String {
    format!("`{awaited}` came only when its input closed: flush stdout after every line")
}

#[track_caller]
fn holds(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no `{word}` in:\n{text}");
    }
}

#[test]
fn a_bot_in_python_that_flushes_all_but_its_plies_is_found_out_in_every_game() {
    let workshop = Workshop::new();
    let bot = python(&workshop, "word != 'go'");
    let ended = play(&workshop, bot, "tc: 2+1\n").expect(0);
    let verdict = verdict("bestmove");
    holds(&ended.stderr, &[&verdict]);
    let games = workshop.games("out");
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game.reason, Termination::Timeout, "{}", ended.stderr);
        holds(game.detail.as_deref().unwrap_or_default(), &["overran ", &verdict]);
        let page = workshop.read(&format!("out/faults/{}.txt", game.number));
        holds(&page, &[" < bestmove ", "was ended by the arena", "standard error\n  nothing"]);
        // The page is wrapped.
        let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
        holds(&words, &[&verdict, "Flush stdout after every line; in Python: `print(line, flush=True)`."]);
    }
}

#[test]
fn a_bot_in_python_that_never_flushes_is_found_out_in_the_greeting() {
    let workshop = Workshop::new();
    let bot = python(&workshop, "False");
    let ended = play(&workshop, bot, "tc: 60+1\n").expect(3);
    holds(
        &ended.stderr,
        &[&verdict("ugiok"), "flush stdout after every line in Python: `print(line, flush=True)`"],
    );
}

#[test]
fn a_bot_in_python_that_flushes_its_greeting_only_is_found_out_before_the_first_game() {
    let workshop = Workshop::new();
    let bot = python(&workshop, "word == 'ugi'");
    let ended = play(&workshop, bot, "tc: 60+1\n").expect(3);
    holds(&ended.stderr, &[&verdict("readyok"), "in Python: `print(line, flush=True)`"]);
}

#[test]
fn a_bot_in_c_that_never_flushes_is_found_out() {
    let workshop = Workshop::new();
    workshop.write(
        "bad.c",
        "#include <stdio.h>\n#include <string.h>\nint main(void) {\n    char line[4096];\n    \
         while (fgets(line, sizeof line, stdin)) {\n        \
         if (!strcmp(line, \"ugi\\n\")) puts(\"id lang C\\nprotocol 1\\nugiok\");\n        \
         if (!strcmp(line, \"quit\\n\")) break;\n    }\n    return 0;\n}\n",
    );
    let built = workshop.command("cc", &["-o", "bad", "bad.c"]).output().expect("there is a C compiler");
    Ended::new(built).expect(0);
    let ended = play(&workshop, "cmd: [./bad]", "tc: 60+1\n").expect(3);
    let recipe = r#"in C: `printf("%s\n", line); fflush(stdout);`"#;
    holds(&ended.stderr, &[&verdict("ugiok"), recipe]);
}

#[test]
fn a_bot_that_is_only_slow_or_silent_is_not_told_to_flush() {
    let workshop = Workshop::new();
    let slow = |pause: &str| {
        format!(
            "import sys, time\nfor line in sys.stdin:\n    word, *rest = line.split()\n    \
             if word == 'legal': legal = rest\n    if word == 'ugi': print('protocol 1\\nwant legal\\nugiok', flush=True)\n    \
             if word == 'isready': print('readyok', flush=True)\n    \
             if word == 'go':\n        {pause}\n        print('bestmove', legal[0], flush=True)\n"
        )
    };
    // Late by a moment beyond the margin, long before anybody asks whether it flushes, and never.
    for pause in ["time.sleep(2.06)", "time.sleep(3600)"] {
        workshop.write("bad.py", &slow(pause));
        let ended = play(&workshop, "cmd: [python3, bad.py]", "tc: movetime 2s\n").expect(0);
        let games = workshop.games("out");
        assert_eq!(games[0].reason, Termination::Timeout, "{}", ended.stderr);
        assert!(!ended.stderr.contains("flush stdout"), "{}", ended.stderr);
        std::fs::remove_dir_all(workshop.path("out")).expect("the folder can be removed");
    }
}
