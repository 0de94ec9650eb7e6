//! Games of one's own at tables of more than two: played, interrupted, refereed again, shown, and ended by their faults.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use record::{GameResult, Termination};

use crate::resume::{kill_in_the_middle, timeless};
use crate::workshop::{Ended, Workshop, chaos, chaos_script};

/// A game for two to eight, whose rules are a program in Python, and its kit.
const FILES: [&str; 2] = ["tests/candles/candles.py", "python/arena_rules.py"];

/// How a command that reads a run is told of the rules.
const RULES: [&str; 2] = ["--rules", "candles=python3 candles.py"];

const CUP: &str = "\
name: candles
games: [{rules: [python3, candles.py], options: {players: 5}, openings: {plies: 2}}]
bots:
  - {name: a, builtin: random}
  - {name: b, builtin: random}
  - {name: c, builtin: random}
  - {name: d, builtin: random}
  - {name: e, builtin: random}
rounds: 6
tc: nodes 50
seed: 3
out: cup
";

fn with_candles() -> Workshop {
    let workshop = Workshop::new();
    for file in FILES {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("arena/games").join(file);
        let name = from.file_name().expect("a file has a name").to_string_lossy().into_owned();
        fs::copy(&from, workshop.path(&name)).expect("the file can be copied");
    }
    workshop.write("cup.yaml", CUP);
    workshop
}

#[test]
fn a_run_that_is_killed_goes_on_and_its_games_are_refereed_again() {
    let workshop = with_candles();
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("cup");
    assert_eq!(games.len(), 30, "six blocks of five games");
    for game in &games {
        let GameResult::Places(places) = game.result else { panic!("{:?}", game.result) };
        // One after the other goes out.
        let mut all: Vec<_> = places.iter().map(|(_, place)| place).collect();
        all.sort_unstable();
        assert_eq!((all, game.reason.to_string()), (vec![1, 2, 3, 4, 5], "dark".to_owned()));
        let out = game.seats.by_seat().filter(|(_, seat)| seat.out.is_some()).count();
        assert_eq!(out, 3, "the last but one goes out with the game");
    }
    workshop.run(&[&["replay", "cup", "cup/games.pgn"], &RULES[..]].concat()).expect(0);
    let verified = workshop.run(&[&["verify", "cup", "--sample", "3"], &RULES[..]].concat()).expect(0);
    assert!(verified.stdout.contains("3 the same, 0 different"), "{}", verified.stdout);
    workshop.run(&[&["report", "cup"], &RULES[..]].concat()).expect(0);
    assert!(workshop.read("cup/report.html").contains("candle"), "its boards are drawn");

    let words = ["run", "cup.yaml", "--out", "killed"];
    kill_in_the_middle(&workshop, &words, "killed", 3, 30);
    workshop.run(&words).expect(0);
    assert_eq!(timeless(&workshop.games("killed")), timeless(&games));
}

#[test]
fn a_bot_that_commits_a_fault_is_put_out_by_the_rules() {
    let workshop = with_candles();
    let text = format!(
        "games: [{{rules: [python3, candles.py], options: {{players: 4}}, openings: {{plies: 0}}}}]\nbots:\n  \
         - {{name: bad, cmd: {}}}\n  - {{name: one, builtin: random}}\n  - {{name: two, builtin: random}}\n  \
         - {{name: three, builtin: random}}\ntc: 120+1\nseed: 1\nconcurrency: 1\nout: out\n",
        chaos("illegal")
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 4);
    // In some games its candles are out before its first ply.
    let faults: Vec<_> = games.iter().filter_map(|game| Some((game, game.fault()?))).collect();
    assert!(!faults.is_empty());
    for (game, seat) in faults {
        let out = game.seats[seat].out.as_ref().expect("the others play on");
        assert_eq!((out.reason, game.seats[seat].bot.as_str()), (Termination::IllegalMove, "bad"));
        let GameResult::Places(places) = game.result else { panic!("{:?}", game.result) };
        assert!(places.of_seat(seat) >= Some(3) && game.plies.len() >= out.ply as usize, "{places}");
    }
    workshop.run(&[&["replay", "out"], &RULES[..]].concat()).expect(0);
}

#[test]
fn tables_are_counted_shown_and_played_by_hand() {
    let workshop = with_candles();
    let count = workshop.run(&["perft", "./candles.py:players=3", "4"]).expect(0).stdout;
    // Two candles of one seat and one of each other in 36 orders, two of two seats in 18.
    assert!(count.contains("54"), "{count}");
    let shown = workshop.run(&["position", "./candles.py:players=6"]).expect(0).stdout;
    assert!(shown.contains("222222 000000 p1"), "{shown}");
    let mut command = workshop.arena(&["play", "./candles.py:players=3"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the executable starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"b1\nresign\nquit\n").expect("it reads");
    drop(input);
    let played = Ended::new(child.wait_with_output().expect("it ends")).expect(0).stdout;
    assert!(played.contains("human plays b1"), "{played}");
    // How long the others play on depends on their lots.
    assert!(played.matches("random plays ").count() >= 2, "{played}");
}

#[test]
fn rules_that_put_the_wrong_seat_out_end_the_run_and_say_so() {
    let workshop = with_candles();
    let file = workshop.read("candles.py");
    let broken = file.replace("number = int(seat[1]) - 1", "number = int(seat[1]) % 3");
    assert_ne!(file, broken);
    workshop.write("candles.py", &broken);
    let bot = format!("python3 '{}' illegal", chaos_script().display());
    let words = ["match", &bot, "random", "random", "--game", "./candles.py:players=3", "--sandbox", "none"];
    let told = workshop.run(&words).expect(4).stderr;
    assert!(told.contains("has committed a fault, but"), "{told}");
    assert!(told.contains("fault.p"), "the question is told: {told}");
}

#[test]
fn a_number_of_seats_that_the_game_has_not_is_refused() {
    let workshop = with_candles();
    let told = workshop.run(&["perft", "./candles.py:players=9", "1"]).expect(2).stderr;
    assert!(told.contains("option `players` of game `candles` cannot be `9`"), "{told}");
    workshop.write("cup.yaml", &CUP.replace("  - {name: e, builtin: random}\n", ""));
    let told = workshop.run(&["plan", "cup.yaml"]).expect(2).stderr;
    assert!(told.contains('5') && told.contains("bots"), "{told}");
    // Where a game has no option for it, it says so when it is loaded.
    let file = workshop.read("candles.py");
    workshop.write("candles.py", &file.replace("Option(\"players\"", "Option(\"chairs\""));
    let told = workshop.run(&["games", "./candles.py"]).expect(2).stderr;
    assert!(told.contains("no option `players` says how many seats a table has"), "{told}");
}

/// Nine stones for three seats: the truth, where [`LIE`] is not replaced.
const HEAP: &str = include_str!("../bots/heap.py");

/// Where a lie is put.
const LIE: &str = "return  # The truth: tests put a lie here.";

/// Answers its first question with a ply that is none of the game.
const BAD: &str = r#"
import sys
for line in sys.stdin:
    word = (line.split() or [""])[0]
    if word == "ugi":       print("protocol 1\nplays *\nugiok")
    elif word == "isready": print("readyok")
    elif word == "go":      print("bestmove t3")
    elif word == "quit":    break
    sys.stdout.flush()
"#;

/// Plays tables of three with such rules, at which the bot `bad` fails with its first answer.
fn heap(lie: &str) -> (Workshop, Ended) {
    let workshop = Workshop::new();
    workshop.write("heap.py", &HEAP.replace(LIE, lie));
    workshop.write("bad.py", BAD);
    workshop.write(
        "cup.yaml",
        "games: [{rules: [python3, heap.py]}]\nbots:\n  - {name: bad, cmd: [python3, bad.py]}\n  - {name: one, builtin: random}\n  \
         - {name: two, builtin: random}\nrounds: 2\ntc: 60+1\nseed: 1\nconcurrency: 1\nopenings: {plies: 0, repeat: true}\n\
         out: out\n",
    );
    let ended = workshop.run(&["run", "cup.yaml"]);
    (workshop, ended)
}

#[test]
fn each_fault_at_a_table_is_told_with_its_seat_its_place_and_its_page() {
    let (workshop, ended) = heap("return");
    let ended = ended.expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 6);
    for game in &games {
        let seat = game.seats.by_seat().find(|(_, seat)| seat.bot == "bad").expect("it sat there").0;
        assert_eq!(game.result.place(seat), Some(3), "{:?}", game.result);
        let told = format!("`bad` ({seat}): place 3 of 3; more in out/faults/{}-{seat}.txt", game.number);
        assert!(ended.stderr.contains(&told), "{told}: {}", ended.stderr);
        let page = workshop.read(&format!("out/faults/{}-{seat}.txt", game.number));
        assert!(page.contains(" place 3 of 3."), "{page}");
        assert!(page.contains(&format!("arena repro out {} --seat {seat}\n", game.number)), "{page}");
    }
    assert!(ended.stdout.contains("  3 of 3  illegal-move  "), "{}", ended.stdout);
    workshop.run(&["replay", "out", "--rules", "heap=python3 heap.py"]).expect(0);
}

#[test]
fn rules_that_lie_about_a_table_end_the_run_and_no_bot_is_blamed() {
    // The lies about faults are told only where the last ply is one.
    let of_fault = |lie: &str| format!("if \"fault.\" in words[-1]:\n        {lie}");
    let over = |lie: &str| format!("if \"result\" in answer and \"fault\" not in words[-1]:\n        {lie}");
    for (lie, words) in [
        (r#"answer["seat"] = "p4""#.to_owned(), "`seat` is none of `p1` to `p3` but \"p4\""),
        (r#"answer["turn"] = "p9""#.to_owned(), "`turn` is none of `p1` to `p3` but \"p9\""),
        (r#"answer["out"] = {"p4": 3}"#.to_owned(), "`out` has \"p4\", which is no seat of a table of 3"),
        (r#"answer["out"] = {"p0": 3}"#.to_owned(), "`out` has \"p0\", which is no seat of a table of 3"),
        (r#"answer["out"] = {answer["seat"]: 3}"#.to_owned(), "p1 is to decide, but it is in `out`"),
        (r#"answer["out"] = {"p3": 1}"#.to_owned(), "but 2 seats are left, which come before it"),
        (r#"answer["out"] = {"p3": 300}"#.to_owned(), "the answer is not what was asked for"),
        (
            r#"answer["out"] = {"p2": 3, "p3": 2}"#.to_owned(),
            "the game goes on, but `out` leaves 1 of 3 seats",
        ),
        (r#"answer["exits"] = {"p2": "lost"}"#.to_owned(), "`exits` has \"p2\", which is not in `out`"),
        (r#"answer["out"] = ["p2"]"#.to_owned(), "the answer is not what was asked for"),
        (over(r#"answer["result"] = "1,2""#), "`result` has 2 places for 3 seats"),
        (over(r#"answer["result"] = "1,2,2,2""#), "`result` has 4 places for 3 seats"),
        (over(r#"answer["result"] = "1,1,2""#), "p3 cannot have the place 2"),
        (over(r#"answer["result"] = "p1win""#), "`p1win` is not a list of places"),
        (over(r#"answer["result"] = "draw""#), "`draw` is not a list of places"),
        (over(r#"answer["result"] = "1,1,1""#), "went out with the place 3, but the result is 1,1,1"),
        (
            r#"answer["out"] = {} if "n=1 " in words or "t2" in words else answer.get("out", {})"#.to_owned(),
            "went out with the place 3, but `out` has it otherwise",
        ),
        (of_fault(r#"answer["out"] = {}"#), "has committed a fault, but is not in `out` with the place 3"),
        (
            of_fault(r#"n = int(words[-1][-1]); answer.update(out={f"p{n % 3 + 1}": 3}, seat=f"p{n}")"#),
            "has committed a fault, but is not in `out` with the place 3",
        ),
        (
            of_fault(r#"answer.update(legal=[], result="1,1,1", reason="fault")"#),
            "does not place it behind all that were in",
        ),
        (
            of_fault(r#"return {"error": "illegal-ply", "message": "nobody fails here"}"#),
            "commits a fault: nobody fails here",
        ),
        (of_fault(r#"return {"error": "bad-request"}"#), "commits a fault: bad-request"),
        (of_fault(r#"sys.exit("no faults, please")"#), "ended (exit 1) instead of answering"),
    ] {
        let (workshop, ended) = heap(&lie);
        let told = format!("{}{}", ended.stderr, ended.stdout);
        assert_eq!(ended.stderr.matches("error:").count(), 1, "{lie}: {told}");
        assert!(told.contains(words) && !told.contains("panicked"), "{lie}: {told}");
        let games = if workshop.path("out").exists() { workshop.games("out") } else { Vec::new() };
        for (seat, one) in games.iter().flat_map(|game| game.seats.by_seat()) {
            assert!(one.out.is_none() || one.bot == "bad", "{lie}: {seat} is blamed: {told}");
        }
    }
}
