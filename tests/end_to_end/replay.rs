//! `arena replay`: honest records hold, and of a tampered one the first thing that does not is told.

use std::fs;

use record::{PgnForm, Termination};
use serde_json::{Value, json};

use crate::workshop::{Workshop, unsealed};

/// A run of two random bots with clocks, periods and times for turns.
struct Run {
    workshop: Workshop,
    /// The lines of its journal.
    lines: Vec<Value>,
}

impl Run {
    fn new() -> Self {
        let workshop = Workshop::new();
        workshop.write(
            "cup.yaml",
            "games:\n  - farook\n  - frenzy\n  - 2-frenzy\n  - {game: fanorona, options: {size: 3x3}}\n\
             bots:\n  - {builtin: random}\n  - {name: other, builtin: random}\n\
             tc: \"5/10+0.1:3/2:1+0.2, movetime 2s\"\nopenings: {plies: 3}\nout: out\n",
        );
        workshop.run(&["run", "cup.yaml"]).expect(0);
        let lines = unsealed(&workshop.read("out/journal.jsonl"));
        let lines = lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
        Self { workshop, lines }
    }

    /// Returns the index of the first line with a game of this name.
    fn line_of(&self, game: &str) -> usize {
        self.lines.iter().position(|line| line["game"] == game).expect("it was played")
    }

    /// Replays the journal with one game changed and returns what is told, as lines of JSON.
    fn replay_with(&self, index: usize, change: impl FnOnce(&mut Value)) -> Vec<Value> {
        let mut lines = self.lines.clone();
        change(&mut lines[index]);
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.workshop.write("changed.jsonl", &text);
        let ended = self.workshop.run(&["replay", "--json", "changed.jsonl"]);
        let told: Vec<Value> =
            ended.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
        assert_eq!(ended.code, i32::from(told.len() > 1), "{}{}", ended.stdout, ended.stderr);
        told
    }

    /// Changes a game of this name and checks the one problem that is told.
    #[track_caller]
    fn check(
        &self,
        game: &str,
        change: impl FnOnce(&mut Value),
        what: &str,
        ply: Option<usize>,
        rules: &str,
    ) {
        let index = self.line_of(game);
        let told = self.replay_with(index, change);
        let [problem, file] = &told[..] else { panic!("one problem and one file: {told:?}") };
        assert_eq!((&problem["type"], &problem["what"]), (&json!("problem"), &json!(what)), "{problem}");
        assert_eq!(problem["line"], json!(index + 1), "{problem}");
        assert_eq!(problem["number"], self.lines[index]["number"], "{problem}");
        assert_eq!(problem["ply"].as_u64(), ply.map(|ply| ply as u64), "{problem}");
        assert!(problem["rules"].as_str().expect("text").contains(rules), "{problem}");
        assert_eq!((&file["type"], &file["problems"]), (&json!("file"), &json!(1)), "{file}");
    }
}

fn last(game: &Value) -> usize {
    game["plies"].as_array().expect("plies").len() - 1
}

#[test]
fn clocks_of_every_kind_are_kept_the_same_twice() {
    let workshop = Workshop::new();
    // Frenzy has turns of two plies and decisions in the other side's turn; five thousand nodes take a while.
    workshop.write(
        "cup.yaml",
        "games:\n  - {game: fanorona, options: {size: 5x5}}\n  - {game: frenzy, options: {max-turns: 10}}\n\
         bots:\n  - {builtin: alphabeta}\n  - {name: other, builtin: greedy}\n",
    );
    for (i, tc) in [
        "8/10, delay 5ms, nodes 5000",
        "10, bronstein 5ms, nodes 5000",
        "0.02, byoyomi 3x4s, nodes 5000",
        "byoyomi 1x4s, nodes 5000",
        "hourglass 10s, nodes 5000",
        "0.01+5, bank 99x2s, nodes 5000",
        "movetime 1ms, bank 99x4s, nodes 5000",
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("out-{i}");
        workshop.run(&["run", "cup.yaml", "--tc", tc, "--out", &out]).expect(0);
        let told = workshop.run(&["replay", &out]).expect(0).stdout;
        assert!(told.contains("4 games") && told.trim_end().ends_with("all hold"), "{tc}: {told}");
    }
}

#[test]
fn honest_records_of_every_form_hold() {
    let run = Run::new();
    let safe = run.workshop.run(&["report", "out", "--pgn", "safe"]).expect(0).stdout;
    run.workshop.write("safe.pgn", &safe);
    let files = ["replay", "out", "out/journal.jsonl", "out/games.pgn", "safe.pgn"];
    let ended = run.workshop.run(&files).expect(0);
    assert_eq!(ended.stdout.matches(": 8 games, ").count(), 4, "{}", ended.stdout);
    assert_eq!(ended.stdout.matches("all hold").count(), 4, "{}", ended.stdout);
    assert!(!ended.stdout.contains("without times"), "{}", ended.stdout);
}

#[test]
fn the_first_ply_that_does_not_hold_is_told() {
    let run = Run::new();
    run.check("farook", |game| game["plies"][4]["ply"] = json!("z9"), "ply", Some(5), "legal at `");
    run.check("farook", |game| game["plies"][4]["seat"] = json!(2), "seat", Some(5), "p1 decides");
    run.check("farook", |game| game["plies"][4]["seat"] = json!(7), "seat", Some(5), "p1 decides");
    run.check("farook", |game| game["plies"][4]["of"] = json!(2), "turn", Some(5), "the turn of p1");
    run.check("2-frenzy", |game| game["plies"][5]["turn"] = json!(9), "turn", Some(6), "turn 3");
    // A ply that is left out is a ply of the wrong seat, one too many comes after the end.
    let leave_out = |game: &mut Value| drop(game["plies"].as_array_mut().expect("plies").remove(0));
    run.check("farook", leave_out, "seat", Some(1), "p1 decides");
    let end = last(&run.lines[run.line_of("fanorona")]);
    let repeat = |game: &mut Value| {
        let plies = game["plies"].as_array_mut().expect("plies");
        plies.push(plies[end].clone());
    };
    run.check("fanorona", repeat, "ply", Some(end + 2), "the game is over");
}

#[test]
fn a_game_that_there_is_not_is_told() {
    let run = Run::new();
    run.check("farook", |game| game["game"] = json!("farok"), "game", None, "did you mean");
    run.check("farook", |game| game["options"]["wilds"] = json!("tame"), "game", None, "allowed");
    run.check("farook", |game| game["label"] = json!("faust"), "game", None, "make it `farook`");
    run.check("farook", |game| game["start"] = json!("4/4/4/4 p1"), "start", None, "not a position of");
    run.check("farook", |game| game["opening"] = json!(999), "count", None, "plies");
}

#[test]
fn a_wrong_result_and_a_wrong_reason_are_told() {
    let run = Run::new();
    let game = &run.lines[run.line_of("fanorona")];
    let (result, reason) = (game["result"].as_str().expect("text"), game["reason"].as_str().expect("text"));
    let truth = format!("{result} ({reason})");
    let other = if result == "p1win" { "p2win" } else { "p1win" };
    run.check("fanorona", |game| game["result"] = json!(other), "result", None, &truth);
    run.check("fanorona", |game| game["reason"] = json!("line"), "reason", None, &truth);
    // Nobody resigns a game that is over, and it does not go uncounted either.
    run.check("fanorona", |game| game["reason"] = json!("resign"), "reason", None, &truth);
    run.check("fanorona", |game| game["result"] = json!("none"), "result", None, &truth);
    let cut = |game: &mut Value| drop(game["plies"].as_array_mut().expect("plies").pop());
    run.check("fanorona", cut, "result", None, "the game is not over");
}

#[test]
fn results_by_faults_are_taken_on_trust_as_far_as_the_position_allows() {
    let run = Run::new();
    let index = run.line_of("farook");
    // After six plies p1 is to decide.
    let end = |result: &'static str, reason: &'static str| {
        move |game: &mut Value| {
            game["plies"].as_array_mut().expect("plies").truncate(6);
            game["result"] = json!(result);
            game["reason"] = json!(reason);
        }
    };
    for (result, reason) in [
        ("p2win", "timeout"),
        ("p2win", "resign"),
        ("p1win", "crash"),
        ("p2win", "crash"),
        ("none", "aborted"),
    ] {
        let told = run.replay_with(index, end(result, reason));
        let [file] = &told[..] else { panic!("no problem: {told:?}") };
        assert_eq!(file["on_trust"], json!({ reason: 1 }));
    }
    run.check("farook", end("p1win", "timeout"), "result", None, "p1 was to decide");
    run.check("farook", end("p1win", "illegal-move"), "result", None, "p1 was to decide");
    run.check("farook", end("draw", "crash"), "result", None, "one of the two has won");
    run.check("farook", end("p1win", "aborted"), "result", None, "does not count");
    run.check("farook", end("draw", "ply-limit"), "reason", None, "does not end the game here");
    run.check("farook", end("draw", "quiet-cap"), "result", None, "the game is not over");
    run.replay_with(index, end("p1win", "crash"));
    let text = run.workshop.run(&["replay", "changed.jsonl"]).expect(0).stdout;
    assert!(text.contains("1 result taken on trust, no rule can check them: crash 1"), "{text}");
}

#[test]
fn times_and_clocks_that_do_not_add_up_are_told() {
    let run = Run::new();
    let shown = |game: &Value, ply: usize| game["plies"][ply]["clock"].as_u64().expect("a clock");
    let grown = |game: &mut Value| game["plies"][4]["clock"] = json!(shown(game, 4) + 40);
    run.check("farook", grown, "clock", Some(5), "the clock shows ");
    // The clock of a whole second more than there ever was, in the last ply.
    let end = last(&run.lines[run.line_of("fanorona")]);
    let grown = |game: &mut Value| game["plies"][end]["clock"] = json!(60_000);
    run.check("fanorona", grown, "clock", Some(end + 1), "the clock shows ");
    run.check("farook", |game| game["plies"][5]["us"] = json!(700_000), "clock", Some(6), "the clock shows ");
    let late = |game: &mut Value| game["plies"][5]["us"] = json!(2_050_001);
    run.check("farook", late, "time", Some(6), "lost on time after 2050 ms");
    let gone = |game: &mut Value| drop(game["plies"][5].as_object_mut().expect("a ply").remove("clock"));
    run.check("farook", gone, "clock", Some(6), "the clock is shown");
    let gone = |game: &mut Value| drop(game["plies"][5].as_object_mut().expect("a ply").remove("us"));
    run.check("farook", gone, "time", Some(6), "p2 decided");
    run.check("farook", |game| game["plies"][0]["us"] = json!(5), "time", Some(1), "nobody decided");
    run.check("farook", |game| game["plies"][0]["clock"] = json!(5), "clock", Some(1), "no clock is shown");
    run.check(
        "farook",
        |game| game["seats"][0]["tc"] = json!("12+0.1"),
        "clock",
        Some(5),
        "the clock shows ",
    );
    run.check("farook", |game| game["seats"][0]["tc"] = json!("soon"), "clock", None, "time control");
}

#[test]
fn a_record_without_times_is_replayed_without_them() {
    let run = Run::new();
    let told = run.replay_with(run.line_of("farook"), |game| {
        for ply in game["plies"].as_array_mut().expect("plies") {
            let ply = ply.as_object_mut().expect("a ply");
            ply.remove("us");
            ply.remove("clock");
        }
    });
    assert_eq!((told.len(), &told[0]["without_times"]), (1, &json!(1)), "{told:?}");
}

#[test]
fn a_changed_game_log_is_told_by_its_line() {
    let run = Run::new();
    let contents = record::read(&run.workshop.path("out")).expect("a journal");
    let game = contents.games.iter().find(|game| game.game == "farook").expect("it was played");
    assert!(matches!(game.reason, Termination::Rules(_)));
    for form in [PgnForm::Native, PgnForm::Safe] {
        let log = record::PgnGame::from_record(game, contents.runs.last(), &rules::Catalogue::default())
            .write(form);
        let third = &game.plies[2].ply;
        let text = format!("{log}{}{log}", log.replacen(third.as_str(), "e9", 1));
        run.workshop.write("log.pgn", &text);
        let told = run.workshop.run(&["replay", "log.pgn"]).expect(1).stdout;
        let line = log.lines().count() + 1;
        let place = format!("log.pgn:{line}: game {} (farook), ply 3", game.number);
        assert!(told.contains(&place), "{told}");
        assert!(told.contains("recorded  `e9`") && told.contains("3 games"), "{told}");
    }
    let log = record::PgnGame::from_record(game, None, &rules::Catalogue::default()).write(PgnForm::Native);
    for (from, to, words) in [
        ("[Termination \"normal\"]", "[Termination \"abandoned\"]", "goes with the reason"),
        ("[PlyCount \"", "[PlyCount \"1", "count"),
        ("[Variant \"farook\"]", "[Variant \"chess\"]", "unknown game `chess`"),
        ("[%clk 0:00:", "[%clk 1:00:", "the clock shows "),
    ] {
        run.workshop.write("log.pgn", &log.replacen(from, to, 1));
        let told = run.workshop.run(&["replay", "--json", "log.pgn"]).expect(1).stdout;
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn what_cannot_be_read_ends_with_4_and_the_rest_is_told() {
    let run = Run::new();
    let ended = run.workshop.run(&["replay", "no-such-file", "out"]).expect(4);
    assert!(ended.stderr.contains("cannot read `no-such-file`"), "{}", ended.stderr);
    assert!(ended.stdout.contains("out: 8 games"), "{}", ended.stdout);
    // A torn last line is left out, as everywhere.
    let journal = run.workshop.read("out/journal.jsonl");
    run.workshop.write("torn.jsonl", &journal[..journal.len() - 9]);
    let told = run.workshop.run(&["replay", "torn.jsonl"]).expect(0).stdout;
    assert!(told.contains("7 games") && told.contains("unfinished last line"), "{told}");
    // A broken line is not.
    run.workshop.write("broken.jsonl", &journal.replacen("\"seats\"", "\"seat\"", 1));
    let ended = run.workshop.run(&["replay", "broken.jsonl"]).expect(4);
    assert!(ended.stderr.contains("line 2"), "{}", ended.stderr);
    run.workshop.write("words.txt", "no game at all\n");
    let ended = run.workshop.run(&["replay", "--json", "words.txt"]).expect(4);
    assert!(ended.stdout.contains("\"error\":\"cannot read `words.txt`: line 1"), "{}", ended.stdout);
    fs::create_dir(run.workshop.path("empty")).expect("a folder");
    run.workshop.run(&["replay", "empty"]).expect(4);
    run.workshop.run(&["replay"]).expect(2);
}

/// The delays of the frames of an animated picture, in hundredths of a second, and its width and height.
fn frames(bytes: &[u8]) -> (Vec<u16>, [u16; 2]) {
    let mut decoder = gif::DecodeOptions::new().read_info(bytes).expect("a GIF");
    let size = [decoder.width(), decoder.height()];
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        delays.push(frame.delay);
    }
    (delays, size)
}

#[test]
fn a_game_is_written_as_a_picture_with_a_frame_for_every_position() {
    const HOSTILE: &str = "<img src=x onerror=alert(1)>\"";
    let workshop = Workshop::new();
    let bots = format!("  - {{builtin: random}}\n  - {{name: '{HOSTILE}', builtin: random}}\n");
    workshop.write(
        "cup.yaml",
        &format!(
            "games: [{{game: fanorona, options: {{size: 3x3}}}}]\nbots:\n{bots}tc: nodes 100\nout: out\n"
        ),
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let lines = unsealed(&workshop.read("out/journal.jsonl"));
    let games: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"))
        .filter(|line| line["type"] == "game")
        .collect();
    let [one, two] = &games[..] else { panic!("{} games", games.len()) };
    let number = two["number"].to_string();
    let size = ["--size", "96", "--delay", "120ms", "--hold", "2s"];
    let make = |words: &[&str]| workshop.run(&[&["replay"], words, &size[..]].concat());
    // From the journal and from the game log alike.
    for source in ["out", "out/games.pgn"] {
        make(&[source, "--game", &number, "--gif", "game.gif"]).expect(0);
        let (delays, size) = frames(&fs::read(workshop.path("game.gif")).expect("a file"));
        let plies = two["plies"].as_array().expect("plies").len();
        assert_eq!(delays, [vec![12; plies], vec![200]].concat(), "{source}");
        assert_eq!(size.iter().max(), Some(&96));
    }
    make(&["out", "--game", &number, "--html", "game.html"]).expect(0);
    let html = workshop.read("game.html");
    assert!(
        html.contains("&lt;img src=x onerror=alert(1)&gt;&quot;") && !html.contains("<img src"),
        "{html}"
    );
    assert_eq!((html.matches("<img ").count(), html.matches("<script").count()), (1, 0));
    assert!(html.contains(two["plies"][0]["ply"].as_str().expect("a ply")));
    // What cannot be chosen, and what the rules refuse.
    let refused = |words: &[&str], why: &str| {
        let ended = make(words);
        assert!(ended.code == 2 && ended.stderr.contains(why), "{} {}", ended.code, ended.stderr);
    };
    refused(&["out", "--gif", "x.gif"], "`out` has more than one game");
    refused(&["out", "--game", "99", "--gif", "x.gif"], "`out` has no game 99");
    refused(&["out", "out/games.pgn", "--gif", "x.gif"], "one file");
    let mut broken = one.clone();
    broken["plies"][0]["ply"] = json!("zz9");
    let config = lines.lines().next().expect("a line");
    workshop.write("broken.jsonl", &format!("{config}\n{broken}\n"));
    refused(&["broken.jsonl", "--gif", "x.gif"], "the rules refuse ply 1, `zz9`");
}

#[test]
fn clocks_of_a_worker_of_another_speed_hold_by_its_factor() {
    let run = Run::new();
    // Half of what the games were played by.
    let slow = |factor: f64| {
        move |game: &mut Value| {
            for seat in game["seats"].as_array_mut().expect("seats") {
                seat["tc"] = json!("5/5+0.05:3/1:0.5+0.1, movetime 1s");
            }
            game["worker"] = json!({"name": "w", "factor": factor});
        }
    };
    let told = run.replay_with(run.line_of("farook"), slow(2.0));
    assert_eq!(told.len(), 1, "{told:?}");
    run.check("farook", slow(1.5), "clock", Some(4), "the clock shows ");
    // A game log has the factor too.
    let change = |line: &Value| {
        let mut line = line.clone();
        if line["plies"].is_array() {
            slow(2.0)(&mut line);
        }
        format!("{line}\n")
    };
    fs::create_dir(run.workshop.path("slow")).expect("a folder");
    run.workshop.write("slow/journal.jsonl", &run.lines.iter().map(change).collect::<String>());
    run.workshop.run(&["report", "slow"]).expect(0);
    let ended = run.workshop.run(&["replay", "slow", "slow/games.pgn"]).expect(0);
    assert_eq!(ended.stdout.matches("all hold").count(), 2, "{}", ended.stdout);
    assert_eq!(run.workshop.read("slow/games.pgn").matches("[TimeFactor \"2.00\"]\n").count(), 8);
    let report = run.workshop.read("slow/report.txt");
    assert!(report.contains("times") && report.contains("2.00"), "{report}");
}
