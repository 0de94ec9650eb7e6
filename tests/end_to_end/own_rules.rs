//! Rules of one's own that fail or lie in the middle of a run: it ends with one message, and no bot is blamed.

use std::fs;

use crate::workshop::Workshop;

/// Seven stones: the truth, where [`LIE`] is not replaced.
pub(crate) const RULES: &str = include_str!("../bots/stones.py");

/// Where a lie is put.
const LIE: &str = "return  # The truth: tests put a lie here.";

/// Plays the first legal ply.
const BOT: &str = r#"
import sys
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":       print("protocol 1\nplays *\nwant legal\nugiok")
    elif word == "isready": print("readyok")
    elif word == "legal":   legal = rest
    elif word == "go":      print("bestmove", legal[0])
    elif word == "quit":    break
    sys.stdout.flush()
"#;

/// Returns a workshop with a tournament of these rules.
fn workshop(lie: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("stones.py", &RULES.replace(LIE, lie));
    workshop.write("bot.py", BOT);
    workshop.write(
        "cup.yaml",
        "games: [{rules: [python3, stones.py]}]\nbots:\n  - {name: one, cmd: [python3, bot.py]}\n  \
         - {name: two, cmd: [python3, bot.py]}\nrounds: 30\ntc: 60+1\nconcurrency: 1\nopenings: {plies: 0, repeat: true}\nout: out\n",
    );
    workshop
}

#[test]
fn rules_that_are_honest_referee_a_run() {
    let workshop = workshop("return");
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 60);
    assert!(games.iter().all(|game| game.reason.to_string() == "last-stone" && game.fault().is_none()));
}

#[test]
fn rules_that_lie_end_the_run_and_no_bot_is_blamed() {
    for (lie, words) in [
        (r#"answer["seat"] = "p3""#, "`seat` is neither `p1` nor `p2` but \"p3\""),
        (r#"answer["turn"] = "white""#, "`turn` is neither `p1` nor `p2` but \"white\""),
        (r#"answer["legal"] = ["t2", "t1"]"#, "the legal ply \"t2\" stands before a lesser one"),
        (r#"answer["legal"] = ["t1", "t1"]"#, "the legal ply \"t1\" is listed twice"),
        (r#"answer["legal"] = ["1", "2"]"#, "the legal ply \"1\" is not written as a ply"),
        (r#"answer["legal"] = ["t1\n"]"#, "is not written as a ply"),
        (
            r#"answer["legal"] = []; answer.pop("result", 0); answer.pop("reason", 0)"#,
            "no ply is legal, but the game has no result",
        ),
        (
            r#"answer.update(result="p1win", reason="tired", legal=["t1"])"#,
            "the game is over, but plies are legal",
        ),
        (r#"answer.update(result="p1win", legal=[])"#, "of `result` and `reason`, one alone is given"),
        (r#"answer.update(result="p3win", reason="tired", legal=[])"#, "`result` is none of"),
        (r#"answer.update(result="p1win", reason="timeout", legal=[])"#, "which the arena itself says"),
        (r#"answer["position"] = "n=1;n=2""#, "a position string must not contain ';'"),
        (r#"answer["position"] = "n" * 5000"#, "a position string has 1 to 4096 bytes, not 5000"),
        (r#"return {"error": "illegal-ply", "message": "I changed my mind"}"#, "I changed my mind"),
        (r#"return {"error": "bad-position", "message": "never saw it"}"#, "never saw it"),
        (r#"return {"stones": 7}"#, "the answer is not what was asked for"),
        (r#"return [answer, answer]"#, "the answer is not what was asked for"),
        (r#"print(json.dumps(answer) + "\n{}", flush=True)"#, "wrote what nobody had asked for: `{}"),
        (r#"sys.exit("out of stones")"#, "ended (exit 1) instead of answering"),
        (r#"sys.stdout.close()"#, "instead of answering"),
        (r#"import os; os.kill(os.getpid(), 9)"#, "instead of answering"),
        (r#"print(flush=True); sys.exit()"#, "answered an empty line"),
        (r#"print("x" * 2_000_000, flush=True); sys.exit()"#, "answered with more than 1 MiB"),
        (r#"print("[" * 200_000, flush=True); sys.exit()"#, "the answer is not what was asked for"),
        (
            r#"sys.stdout.buffer.write(b"\xff\xfe\n"); sys.stdout.flush(); sys.exit()"#,
            "answered what is not UTF-8",
        ),
        (r#"answer["legal"] = [f"t{n:04}" for n in range(5000)]"#, "5000 legal plies; there may be 4096"),
        (r#"answer["position"] = 7"#, "the answer is not what was asked for"),
        (r#"answer["key"] = ["n"]"#, "the answer is not what was asked for"),
        (r#"answer["next"] = []"#, "0 positions in `next`"),
    ] {
        let workshop = workshop(lie);
        let told = workshop.run(&["run", "cup.yaml"]).expect(4).stderr;
        assert_eq!(told.matches("error:").count(), 1, "{lie}: {told}");
        assert!(told.contains(words), "{lie}: {told}");
        assert!(told.contains("stones"), "{lie}: {told}");
        // What was played before that stands, and nothing is held against anybody.
        let games = workshop.games("out");
        assert!((1..60).contains(&games.len()), "{lie}: {} games: {told}", games.len());
        for game in &games {
            assert!(game.fault().is_none(), "{lie}: {:?}", game.detail);
            assert_eq!(game.reason.to_string(), "last-stone", "{lie}");
        }
        workshop.run(&["report", "out", "--rules", "stones=python3 stones.py"]).expect(0);
    }
}

/// Plays the first legal ply in its first three games, and the last one from then on.
fn late_bot() -> String {
    let bot = BOT
        .replace("legal[0]", "legal[0 if games < 4 else -1]")
        .replace("import sys", "import sys\ngames = 0");
    bot.replace(
        "    elif word == \"quit\"",
        "    elif word == \"uginewgame\": games += 1\n    elif word == \"quit\"",
    )
}

/// A game for so many seats that `p1` wins with the ply `a1`. After `b2` the rules have a vice instead of an answer.
fn module(seats: usize, vice: &str) -> String {
    let result = if seats == 2 { "p1win".to_owned() } else { format!("1{}", ",2".repeat(seats - 1)) };
    let texts = [
        r#"{"format":2,"name":"loop"}"#.to_owned(),
        format!(
            r#"[{{"game":"loop","title":"Loop","about":"one ply or for ever","seats":[{seats},{seats}]}}]"#
        ),
        r#"{"position":"x p1","seat":"p1","legal":["a1","b2"]}"#.to_owned(),
        format!(r#"{{"position":"y p2","seat":"p2","legal":[],"result":"{result}","reason":"first"}}"#),
    ];
    let data = |(number, text): (usize, &String)| {
        format!("(data (i32.const {}) \"{}\")\n", 1000 * number, text.replace('"', "\\22"))
    };
    let [about, games, start, end] = [0, 1, 2, 3]
        .map(|number| format!("(return (i64.const {}))", (1000 * number) << 32 | texts[number].len()));
    format!(
        r#"(module (memory (export "memory") 1) (func (export "arena_rules_1"))
          {}(data (i32.const 4000) "\ff\ff")
          (func (export "arena_alloc") (param i32) (result i32) (i32.const 8192))
          (func $vice (result i64) {vice})
          (func (export "arena_ask") (param i32 i32) (result i64) (local $last i32)
            (if (i32.eq (i32.load8_u (i32.const 8192)) (i32.const 97)) (then {about}))
            (if (i32.eq (i32.load8_u (i32.const 8192)) (i32.const 103)) (then {games}))
            (local.set $last (i32.load16_u (i32.add (local.get 1) (i32.const 8190))))
            (if (i32.eq (local.get $last) (i32.const 0x3161)) (then {end}))
            (if (i32.eq (local.get $last) (i32.const 0x3262)) (then (return (call $vice))))
            {start}))"#,
        texts.iter().enumerate().map(data).collect::<String>()
    )
}

/// Lets a module of rules with a vice referee a run at a table of so many seats: the fourth game cannot go on.
fn try_module(seats: usize, vice: &str, words: &str) {
    let workshop = Workshop::new();
    workshop.write("bot.py", &late_bot());
    let bots: String =
        (1..=seats).map(|number| format!("  - {{name: bot-{number}, cmd: [python3, bot.py]}}\n")).collect();
    workshop.write(
        "cup.yaml",
        &format!(
            "games: [{{rules: loop.wasm}}]\nbots:\n{bots}rounds: 30\ntc: 60+1\nconcurrency: 1\nopenings: {{plies: 0, repeat: true}}\nout: out\n"
        ),
    );
    fs::write(workshop.path("loop.wasm"), wat::parse_str(module(seats, vice)).expect("a module"))
        .expect("it can be written");
    let told = workshop.run(&["run", "cup.yaml"]).expect(4).stderr;
    assert_eq!(told.matches("error:").count(), 1, "{vice}: {told}");
    assert!(told.contains(words) && told.contains("legal loop fen x p1 moves b2"), "{vice}: {told}");
    let games = workshop.games("out");
    assert_eq!(games.len(), 3, "{vice}: what had ended stays: {told}");
    for game in &games {
        assert!(game.fault().is_none() && game.reason.to_string() == "first", "{vice}: {:?}", game.detail);
    }
    // The run's directory has the module.
    workshop.run(&["replay", "out"]).expect(0);
    workshop.run(&["report", "out"]).expect(0);
}

#[test]
fn modules_that_fail_end_the_run_and_no_bot_is_blamed() {
    for (vice, words) in [
        ("(unreachable)", "stopped at `unreachable`"),
        ("(i64.div_u (i64.const 1) (i64.const 0))", "stopped: "),
        ("(call $vice)", "functions call each other too deeply"),
        (
            "(drop (memory.grow (i32.const 60000))) (i64.const 0)",
            "wanted more memory than the 64 MiB allowed",
        ),
        ("(i64.const 0xfffffff000000010)", "outside of the 65536 bytes of their memory"),
        ("(i64.const 0x0000000000200000)", "answered with more than 1 MiB"),
        ("(i64.const 0x00000fa000000002)", "answered what is not UTF-8"),
        ("(i64.const 0)", "answered an empty line"),
        ("(i64.const 0x000000000000001a)", "the answer is not what was asked for"),
    ] {
        try_module(2, vice, words);
    }
}

#[test]
fn a_module_that_never_ends_ends_the_run_at_tables_of_any_size() {
    // An iteration costs the steps of the whole body, also of what it jumps over, so the limit comes soon.
    let body = "(i32.store (i32.const 8) (i32.const 1))".repeat(10_000);
    let vice = format!("(loop $again (br_if $again (i32.load8_u (i32.const 0))) {body}) (i64.const 0)");
    for seats in [2, 3, 5] {
        try_module(seats, &vice, "took more than 2000000000 steps: perhaps they do not end");
    }
}

#[test]
fn a_bot_of_the_arena_that_would_have_to_start_a_program_is_refused_before_the_run() {
    let workshop = workshop("return");
    for bot in ["greedy", "mcts", "alphabeta"] {
        workshop.write(
            "refused.yaml",
            &format!("games: [{{rules: [python3, stones.py]}}]\nbots: [{{builtin: random}}, {{builtin: {bot}}}]\nout: refused\n"),
        );
        let told = workshop.run(&["run", "refused.yaml"]).expect(2).stderr;
        assert!(told.contains(&format!("the bot `{bot}` cannot play `stones`")), "{told}");
        assert!(told.contains("hint: the arena's bots play by rules in a WebAssembly module"), "{told}");
        assert!(!workshop.path("refused").exists(), "{told}");
        let told = workshop.run(&["play", "./stones.py", "--p1", "random", "--p2", bot]).expect(2).stderr;
        assert!(told.contains(&format!("hint: `--p2 random` instead of `{bot}`")), "{told}");
    }
}

#[test]
fn rules_that_end_outside_of_a_ply_are_told_of_and_nothing_panics() {
    let asks_for_more = BOT.replace("want legal", "want legal after");
    // After how many questions a process of the rules ends, how games begin, what is run, and its exit code.
    let random = "openings: {turns: 2}";
    let fixed = "openings: {plies: 0, repeat: true}";
    for (honest, openings, command, code) in [
        (1, random, "plan cup.yaml", 2),
        (4, random, "run cup.yaml", 2),
        (6, fixed, "run cup.yaml", 4),
        (4, random, "openings ./stones.py --count 5", 2),
        (1, random, "check --quick --game ./stones.py -- python3 bot.py", 4),
        (20, random, "check --quick --game ./stones.py -- python3 bot.py", 4),
        (4, random, "sprt --new random --base random --game ./stones.py --elo0 0 --elo1 50", 2),
    ] {
        let workshop = Workshop::new();
        let lie = RULES.replace(LIE, r#"sys.exit("out of stones")"#);
        workshop.write("stones.py", &lie.replace("HONEST = 60", &format!("HONEST = {honest}")));
        workshop.write("bot.py", &asks_for_more);
        workshop.write(
            "cup.yaml",
            &format!(
                "games: [{{rules: [python3, stones.py]}}]\nbots:\n  - {{name: one, cmd: [python3, bot.py]}}\n  \
                 - {{name: two, cmd: [python3, bot.py]}}\nrounds: 3\ntc: 60+1\n{openings}\nout: out\n"
            ),
        );
        let words: Vec<_> = command.split(' ').collect();
        let told = workshop.run(&words).expect(code).stderr;
        assert!(told.contains("the rules of `stones` failed: ended (exit 1)"), "{command}: {told}");
        assert!(told.contains("stderr: out of stones") && !told.contains("panicked"), "{command}: {told}");
        assert_eq!(told.matches("the rules of").count(), 1, "{command}: {told}");
    }
}

#[test]
fn what_a_journal_says_to_type_names_the_rules_of_a_program() {
    let workshop = workshop("return");
    // A path on the command line, and a command with further files in a file.
    workshop
        .run(&["match", "random", "random", "--game", "./stones.py", "--tc", "nodes 5", "--out", "a"])
        .expect(0);
    workshop.write("kit.py", "");
    let cup = "games: [{rules: [python3, stones.py], files: [kit.py]}]\nbots: [{name: one, builtin: random}, {name: two, builtin: random}]\n";
    workshop.write("own.yaml", &format!("{cup}rounds: 1\ntc: nodes 5\nout: b\n"));
    workshop.run(&["run", "own.yaml"]).expect(0);
    for (run, words, shown) in [
        ("a", &["--rules", "stones=python3 ./stones.py"][..], "--rules stones='python3 ./stones.py'"),
        (
            "b",
            &["--rules", "stones=python3 stones.py", "--rules-files", "stones=kit.py"],
            "--rules stones='python3 stones.py' --rules-files 'stones=kit.py'",
        ),
    ] {
        for command in [vec!["report", run], vec!["replay", run], vec!["verify", run, "--yes"]] {
            let ended = workshop.run(&command);
            let told = format!("{}{}", ended.stdout, ended.stderr);
            assert!(told.contains(shown), "{command:?} {shown}: {told}");
            let ended = workshop.run(&[&command, words].concat()).expect(0);
            assert!(!ended.stderr.contains("not known"), "{command:?}: {}", ended.stderr);
        }
        let told = workshop.run(&["report", run, "--rules", "stones=python3 -B stones.py"]).expect(0).stderr;
        assert!(told.contains("the digest covers") && told.contains(shown), "{told}");
    }
    // Who names the tournament file wants its rules, too.
    let told = workshop.run(&["verify", "b", "--config", "own.yaml"]).expect(0);
    assert!(told.stdout.contains("2 the same, 0 different"), "{}", told.stdout);
}

#[test]
fn chosen_games_of_a_run_are_printed_and_export_says_how() {
    let workshop = workshop("return");
    workshop
        .run(&["match", "random", "random", "--game", "./stones.py", "--rounds", "2", "--out", "a"])
        .expect(0);
    let log =
        workshop.run(&["report", "a", "--pgn", "native", "--game", "4", "--game", "2"]).expect(0).stdout;
    let numbers: Vec<_> = log.lines().filter(|line| line.starts_with("[GameNumber")).collect();
    assert_eq!(numbers, ["[GameNumber \"2\"]", "[GameNumber \"4\"]"], "{log}");
    let told = workshop.run(&["report", "a", "--pgn", "safe", "--game", "5"]).expect(2).stderr;
    assert!(told.contains("the run has no game 5; it has 4 games"), "{told}");
    let told = workshop.run(&["export"]).expect(2).stderr;
    assert!(told.contains("hint: `arena report DIR` writes game logs and tables"), "{told}");
    let told = workshop.run(&["rules", "./stones.py"]).expect(2).stderr;
    assert!(told.contains("your own game is asked by `arena check-game --ask"), "{told}");
    for game in ["stones", "python3 stones.py", "stones.py"] {
        let told = workshop.run(&["perft", game, "2"]).expect(2).stderr;
        assert!(told.contains("are named with a `/`: `./stones.py`"), "{game}: {told}");
    }
}
