//! Rules of one's own that fail or lie in the middle of a run: it ends with one message, and no bot is blamed.

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
