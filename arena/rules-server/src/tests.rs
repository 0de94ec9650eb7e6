//! What the server answers, and that a client needs nothing else.

use std::collections::HashMap;

use rules::{Dice, GAMES, Setup};
use serde_json::{Value, json};

use super::*;

/// Returns the lines that answer these lines.
fn ask(lines: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    serve(BufReader::new(lines), &mut output).expect("memory does not fail");
    let text = String::from_utf8(output).expect("JSON is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_line_has_its_answer_and_blank_lines_and_comments_have_none() {
    let answers = ask(b"\n# words\nabout\r\n  games\nposition faust size=2 startpos\nquit\nabout\n");
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[1].as_array().map(Vec::len), Some(rules::GAMES.len()));
    assert_eq!(answers[2]["legal"], json!(["a1", "a2", "b1", "b2"]));
}

#[test]
fn a_position_is_answered_with_what_follows() {
    let answer = &ask(b"position faust size=2 startpos moves a1 b1")[0];
    let expected = json!({
        "game": "faust size=2", "position": "2/bw p1 c=bw n=2", "seat": "p1", "turn": "p1", "fresh": true,
        "legal": ["a2", "b2"], "next": ["b1/bw p2 c=bw n=3", "1b/bw p2 c=bw n=3"], "ends": {},
        "result": null, "reason": null, "count": [1, 1]
    });
    assert_eq!(answer, &expected);
    let answer = &ask(b"legal farook fen bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=14")[0];
    assert_eq!((answer["legal"].as_array().map(Vec::len), answer.get("next")), (Some(6), None));
    let answer = &ask(b"position farook fen bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=14")[0];
    let win = json!({"a2a1": {"result": "p1win", "reason": "pattern"}});
    assert_eq!(answer["ends"], win);
    assert_eq!((answer.get("key"), answer.get("count"), answer.get("words")), (None, None, None));
}

#[test]
fn what_is_over_has_a_result_and_no_plies() {
    let answer = &ask(b"position farook max-moves=2 startpos moves a1 b2")[0];
    assert_eq!((&answer["result"], &answer["reason"]), (&"draw".into(), &"max-moves".into()));
    assert_eq!((&answer["legal"], &answer["next"]), (&Value::Array(vec![]), &Value::Array(vec![])));
}

#[test]
fn the_history_counts_for_repetition() {
    let line =
        b"legal sophia fen A3/4/4/3B p1 stock=0,0 c=AB n=2 moves a4a3 d1d2 a3a4 d2d1 a4a3 d1d2 a3a4 d2d1";
    assert_eq!(ask(line)[0]["reason"], "repetition");
    assert_eq!(ask(line)[0]["words"], "the same position was reached for the third time");
}

#[test]
fn several_requests_on_a_line_are_one_array() {
    let answers = ask(b"legal faust size=2 startpos; legal chess startpos ;about;\n");
    let array = answers[0].as_array().expect("an array");
    let errors: Vec<_> = array.iter().map(|answer| answer["error"].as_str()).collect();
    assert_eq!(errors, [None, Some("unknown-game"), None, Some("bad-request")]);
}

#[test]
fn an_error_is_an_answer_and_the_server_goes_on() {
    for (line, code, words) in [
        (&b"hello"[..], "bad-request", "`hello` is no request"),
        (b"position", "bad-request", "names no game"),
        (b"position farok startpos", "unknown-game", "did you mean `farook`"),
        (b"position farook wild=strict startpos", "bad-option", "did you mean `wilds`"),
        (b"position farook", "bad-request", "`startpos` or `fen`"),
        (b"position farook here", "bad-request", "`startpos` or `fen`"),
        (b"position farook startpos a1", "bad-request", "`moves`"),
        (b"position farook fen", "bad-position", ""),
        (b"position farook fen 4/4/4/4 p1", "bad-position", ""),
        (b"position farook startpos moves a1 a1", "illegal-ply", "ply 2, `a1`, is refused to p2"),
        (b"position farook startpos moves z9", "bad-ply", "ply 1, `z9`, is refused to p1"),
        (b"\xff\xfe", "bad-request", "is no request"),
        (b"position \x1b[31m startpos", "unknown-game", "\\x1b"),
    ] {
        let answers = ask(&[line, b"\nabout\n"].concat());
        assert_eq!(answers.len(), 2, "{answers:?}");
        assert_eq!(answers[0]["error"], code, "{answers:?}");
        assert!(answers[0]["message"].as_str().expect("text").contains(words), "{answers:?}");
    }
    let long = [&vec![b'x'; 3 << 20][..], b"\nabout\n"].concat();
    assert_eq!(ask(&long).len(), 2);
}

#[test]
fn what_ended_a_game_is_told_in_words_and_by_cells() {
    let answer = &ask(b"legal farook fen 4/4/ww2/wwww p2 stock=0,6,2 last=-,- ko=- n=11")[0];
    assert_eq!(answer["words"], "p1 has the row a1 b1 c1 d1 and the square a1 b1 a2 b2");
    let row = json!({"shape": "row", "seat": "p1", "cells": ["a1", "b1", "c1", "d1"]});
    let square = json!({"shape": "square", "seat": "p1", "cells": ["a1", "b1", "a2", "b2"]});
    assert_eq!(answer["proofs"], json!([row, square]));
}

#[test]
fn a_refused_ply_has_its_reason_alone() {
    let answer = &ask(b"legal farook startpos moves a1 a1")[0];
    assert_eq!(answer["why"], "a1 is not empty");
    assert_eq!(ask(b"legal farook startpos moves a1 a1 a1; about")[0][1]["format"], 2);
}

#[test]
fn a_key_leaves_the_counters_out_and_is_null_within_a_turn() {
    let key = |line: &[u8]| ask(line)[0].get("key").cloned();
    assert_eq!(key(b"legal faust startpos"), None);
    assert_eq!(key(b"legal sophia startpos"), Some("4/4/4/4 p1 stock=7,7 c=AB".into()));
    assert_eq!(key(b"legal fanorona size=3x3 startpos"), Some("bbb/b1w/www p1".into()));
    let begun = b"legal 2-frenzy fen ffS5/8/8/8/8/8/8/FFs5 p1 phase=play left=2 used=- n=10 moves a1a2";
    assert_eq!(key(begun), Some(Value::Null));
}

#[test]
fn every_game_is_described() {
    let games = &ask(b"games")[0];
    for (game, told) in GAMES.iter().zip(games.as_array().expect("an array")) {
        let seats = if game.id == "2-frenzy" { json!([2, 4]) } else { json!([2, 2]) };
        assert_eq!((&told["game"], &told["seats"]), (&game.id.into(), &seats));
        assert!(
            told["rules"].as_str().is_some_and(|rules| rules.contains("## The game") || rules.len() > 1000)
        );
        assert!(told["notation"].as_str().is_some_and(|notation| notation.contains('`')), "{told}");
        let look = board::read_look(&told["look"]).expect("a look");
        assert_eq!(Some(&look), game.look());
        assert_eq!(told["caps"].as_array().map(Vec::len), Some(1), "{}", game.id);
    }
    let size = |game: usize, option: usize| games[game]["options"][option].get("derived");
    // The cap of Faust depends on its size.
    assert_eq!((size(1, 3), size(1, 0)), (Some(&Value::Bool(true)), None));
}

/// Referees a game with nothing but the answers about single positions, as a client does.
struct Client {
    game: Value,
    label: String,
    reader: PositionReader,
    seen: HashMap<String, u64>,
    now: Value,
}

impl Client {
    fn new(setup: &Setup, from: Option<&str>) -> Self {
        let games = &ask(b"games")[0];
        let is_it = |game: &&Value| game["game"] == setup.game().id;
        let game = games.as_array().and_then(|games| games.iter().find(is_it)).expect("a game").clone();
        let mut client = Self {
            game,
            label: setup.label(),
            reader: PositionReader::default(),
            seen: HashMap::new(),
            now: Value::Null,
        };
        client.go(&from.map_or_else(|| "startpos".to_owned(), |from| format!("fen {from}")));
        client
    }

    fn go(&mut self, words: &str) {
        let line = answer(&mut self.reader, &format!("legal {} {words}", self.label));
        self.now = serde_json::from_str(&line).expect("JSON");
        let key = self.now.get("key").unwrap_or(&self.now["position"]);
        if let Some(key) = key.as_str() {
            *self.seen.entry(key.to_owned()).or_default() += 1;
        }
    }

    fn play(&mut self, ply: &str) {
        let position = self.now["position"].as_str().expect("a position").to_owned();
        self.go(&format!("fen {position} moves {ply}"));
    }

    /// Returns the result and its reason: by the rules, by repetition, or by a cap, in this order.
    fn end(&self) -> Option<(String, String)> {
        let told = self.now["result"].as_str().zip(self.now["reason"].as_str());
        let is_cap =
            |reason: &str| self.game["caps"].as_array().expect("caps").iter().any(|cap| cap == reason);
        let repetition = self.game["repetition"].as_u64().expect("a number");
        let key = self.now.get("key").unwrap_or(&self.now["position"]).as_str();
        let times = key.map_or(0, |key| self.seen[key]);
        let owned = |(result, reason): (&str, &str)| (result.to_owned(), reason.to_owned());
        match told {
            Some((_, reason)) if !is_cap(reason) => told.map(owned),
            _ if repetition > 0 && times >= repetition => Some(("draw".to_owned(), "repetition".to_owned())),
            other => other.map(owned),
        }
    }
}

/// Plays a game by the rules and by a client side by side, and returns why it ended.
fn side_by_side(setup: &Setup, from: Option<&str>, mut choose: impl FnMut(&[String]) -> String) -> String {
    let mut referee = setup.referee(from).expect("a position");
    let mut client = Client::new(setup, from);
    loop {
        let end = referee.outcome().map(|end| (end.outcome.to_string(), end.reason.to_string()));
        assert_eq!(client.end(), end, "{} at {}", setup.label(), referee.position());
        assert_eq!(client.now["position"], referee.position());
        if let Some((_, reason)) = end {
            return reason;
        }
        assert_eq!(client.now["legal"], json!(referee.legal()));
        assert_eq!(client.now["seat"], referee.seat().to_string());
        assert_eq!(client.now.get("count").cloned(), referee.count().map(|count| json!(count)));
        assert!(!referee.must_pass() || client.game["pass"] == true);
        let ply = choose(&referee.legal());
        referee.submit(&ply).expect("legal");
        client.play(&ply);
    }
}

#[test]
fn a_client_that_only_asks_referees_every_game_exactly() {
    let mut reasons: HashMap<&str, Vec<String>> = HashMap::new();
    for game in GAMES {
        let setup = game.setup(&[]).expect("defaults");
        for seed in 0..6 {
            let mut dice = Dice::new(seed);
            let mut played: Vec<String> = Vec::new();
            // Seats that take their plies back as often as they can repeat positions.
            let choose = |legal: &[String]| {
                let back = |ply: &String| played.iter().rev().take(4).any(|last| is_back(last, ply));
                let ply = match legal.iter().find(|ply| back(ply)).filter(|_| seed % 2 == 1) {
                    Some(ply) => ply.clone(),
                    None => legal[dice.below(legal.len())].clone(),
                };
                played.push(ply.clone());
                ply
            };
            reasons.entry(game.id).or_default().push(side_by_side(&setup, None, choose));
        }
    }
    for game in ["2-frenzy", "fanorona"] {
        let is_there = reasons[game].iter().any(|reason| reason == "repetition");
        assert!(is_there, "{game}: {:?}", reasons[game]);
    }
}

/// Returns whether a ply leads from where another one went to where it came from.
fn is_back(last: &str, ply: &str) -> bool {
    last.len() == 4 && ply.len() == 4 && last[..2] == ply[2..] && last[2..] == ply[..2]
}

#[test]
fn stones_that_go_back_and_forth_repeat_positions() {
    let setup = rules::find("sophia").expect("a game").setup(&[]).expect("defaults");
    let mut plies = ["a4a3", "d1d2", "a3a4", "d2d1"].into_iter().cycle();
    let choose = |_: &[String]| plies.next().expect("a cycle").to_owned();
    let from = "A3/4/4/3B p1 stock=0,0 c=AB n=2";
    assert_eq!(side_by_side(&setup, Some(from), choose), "repetition");
}

#[test]
fn repetition_goes_before_a_cap_that_is_reached_at_once() {
    let setup = rules::find("fanorona").expect("a game").setup(&[("quiet-cap", "8")]).expect("options");
    let mut plies = ["i1i2", "a5a4", "i2i1", "a4a5"].into_iter().cycle();
    let choose = |_: &[String]| plies.next().expect("a cycle").to_owned();
    assert_eq!(side_by_side(&setup, Some("b8/9/9/9/8w p1 quiet=0"), choose), "repetition");
}

#[test]
fn a_table_of_more_than_two_has_places_and_faults() {
    let start = "fen 7g/8/8/8/2t5/2S5/5T2/F3fsG1 p1 phase=play left=2 used=- out=- n=6";
    let lines = format!(
        "legal 2-frenzy players=4 {start} moves c3c4 fault.p1\n\
         legal 2-frenzy players=4 {start} moves c3c4 fault.p1 fault.p2\n\
         legal 2-frenzy players=4 {start} moves fault.p2\nlegal 2-frenzy players=4 {start} moves fault.p2 fault.p2\n\
         legal 2-frenzy startpos moves fault.p1\nlegal 2-frenzy players=3 startpos moves fault.p4\n\
         legal 2-frenzy players=3 startpos moves fault.p9\n"
    );
    let answers = ask(lines.as_bytes());
    assert_eq!((&answers[0]["out"], &answers[0]["seat"]), (&json!({ "p1": 4, "p4": 3 }), &json!("p2")));
    assert_eq!(answers[0]["exits"], json!({ "p1": "fault", "p4": "no-sharks" }));
    assert_eq!((&answers[0]["result"], answers[0].get("places")), (&Value::Null, None));
    assert_eq!((&answers[1]["places"], &answers[1]["reason"]), (&json!([4, 2, 1, 3]), &json!("fault")));
    // Another seat than the one that decides.
    assert_eq!((&answers[2]["out"], &answers[2]["seat"]), (&json!({ "p2": 4 }), &json!("p1")));
    let errors = answers[3..].iter().map(|answer| answer["error"].as_str());
    assert_eq!(errors.collect::<Vec<_>>(), ["illegal-ply", "bad-ply", "illegal-ply", "bad-ply"].map(Some));
}
