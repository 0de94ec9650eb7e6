//! `arena rate`, as a user or a script meets it: the figures of independent programs, any order of games,
//! journals and game logs together, hostile names. Its messages stand in `rate/*.trycmd`.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json as value};

fn arena(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.arg("rate").args(words).env("LC_ALL", "C");
    command
}

fn stdout(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text is UTF-8")
}

fn run(words: &[&str]) -> String {
    stdout(arena(words).output().expect("the arena runs"))
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&run(&[words, &["--format", "json"]].concat())).expect("one JSON value")
}

/// Rates what is written to standard input.
fn rate(text: &str, words: &[&str]) -> String {
    let mut child = arena(&[&["-"], words].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the arena runs");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("the arena reads");
    stdout(child.wait_with_output().expect("the arena ends"))
}

fn player<'a>(ratings: &'a Value, name: &str) -> &'a Value {
    let mut players = ratings["players"].as_array().expect("a list").iter();
    players.find(|player| player["name"] == name).unwrap_or_else(|| panic!("no {name} in {ratings}"))
}

fn data(name: &str) -> String {
    fs::read_to_string(Path::new("tests/rate").join(name)).expect("test data")
}

fn rows(file: &str) -> Vec<Vec<String>> {
    data(file).lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn assert_close(what: &[String], found: &Value, expected: &str, tolerance: f64) {
    let expected: f64 = expected.parse().expect("a number");
    let found = found.as_f64().unwrap_or_else(|| panic!("{what:?}: no figure"));
    assert!((found - expected).abs() <= tolerance * (1.0 + expected.abs()), "{what:?}: {found}");
}

#[test]
fn what_people_see() {
    trycmd::TestCases::new().env("LC_ALL", "C").case("tests/rate/*.trycmd");
}

/// Ratings, errors and advantages computed by independent programs: see `rate/README.md`. Their sandwich has no correction for
/// small samples: the errors are a little wider, by no more than the last figure, and by nothing under a prior.
#[test]
fn game_logs_give_the_figures_of_independent_programs() {
    for (file, model, prior, widened) in [
        ("t1_rr6_unbalanced", "LH", None, 1.02),
        ("t2_perfect", "LH", Some("none"), 1.2),
        ("t3_disconnected", "LH_ridge", Some("ridge"), 1.0),
        ("t5_drawish_pairs", "LH", None, 1.02),
    ] {
        let path = format!("tests/rate/{file}.pgn");
        let mut words = vec![path.as_str()];
        words.extend(prior.iter().flat_map(|prior| ["--prior", prior]));
        let ratings = json(&words);
        let of_model = |row: &Vec<String>| row[0] == file && row[1] == model;
        let mut checked = 0;
        for row in rows("mle_ratings.csv").into_iter().filter(of_model) {
            let player = player(&ratings, &row[2]);
            assert_close(&row, &player["rating"], &row[3], 1e-5);
            // A cluster is a pair, where games are in pairs, or a game.
            let error = match ratings["errors"].as_str() {
                Some("clusters") => row[5..].iter().rfind(|error| !error.is_empty()).expect("an error"),
                _ => &row[4],
            };
            let error = 1.959_963_984_540_054 * error.parse::<f64>().expect("a number");
            let found = player["error95"].as_f64().expect("an error");
            assert!((error * (1.0 - 1e-5)..=error * (widened + 1e-5)).contains(&found), "{row:?}: {found}");
            checked += 1;
        }
        assert!(checked > 2, "{file} {model}");
        for row in rows("mle_params.csv").into_iter().filter(|row| of_model(row) && row[2] == "H") {
            assert_close(&row, &ratings["first_seat_advantage"]["standard"]["elo"], &row[3], 1e-5);
        }
    }
}

#[test]
fn players_who_lost_or_won_everything_have_bounds_and_no_rating_without_a_prior() {
    let ratings = json(&["tests/rate/t2_perfect.pgn", "--prior", "none"]);
    assert_eq!(ratings["method"], "separate");
    let (best, worst) = (player(&ratings, "God"), player(&ratings, "Null"));
    assert!(best["rating"].is_null() && best["bound"]["above"].as_f64() > Some(0.0), "{best}");
    assert!(worst["rating"].is_null() && worst["bound"]["below"].as_f64() < Some(0.0), "{worst}");
    let tied = json(&["tests/rate/t2_perfect.pgn"]);
    assert_eq!(player(&tied, "God")["regularized"], true);
}

#[test]
fn the_order_of_games_does_not_matter() {
    let text = data("t5_drawish_pairs.pgn");
    let mut games: Vec<&str> = text.split_inclusive("\n\n[Event").collect();
    assert!(games.len() > 100);
    let whole: Vec<String> = games
        .drain(..)
        .enumerate()
        .map(|(i, game)| {
            let game = game.strip_suffix("[Event").unwrap_or(game);
            if i == 0 { game.to_owned() } else { format!("[Event{game}") }
        })
        .collect();
    let expected = rate(&text, &["--format", "json"]);
    // A stride that is prime to any such number of games scatters them, the games of a pair far apart.
    let stride = 7919;
    let shuffled: String =
        (0..whole.len()).map(|i| format!("{}\n", whole[i * stride % whole.len()])).collect();
    assert_ne!(shuffled, text);
    assert_eq!(rate(&shuffled, &["--format", "json"]), expected);
    let backwards: String = whole.iter().rev().map(|game| format!("{game}\n")).collect();
    assert_eq!(rate(&backwards, &["--format", "csv"]), rate(&text, &["--format", "csv"]));
}

#[test]
fn a_journal_and_its_game_log_say_the_same() {
    let (journal, log) = (json(&["results/showcase"]), json(&["results/showcase/games.pgn"]));
    assert_eq!(journal["first_seat_advantage"], log["first_seat_advantage"]);
    assert_eq!(journal["players"][0]["rating"], log["players"][0]["rating"]);
    // Together they are every game twice: each counts once, and nobody is two players.
    let both = json(&["results/showcase", "results/showcase/games.pgn", "tests/rate/t1_rr6_unbalanced.pgn"]);
    assert_eq!(both["players"].as_array().map(Vec::len), Some(4 + 6));
    assert_eq!((&both["games"], &both["left_out"]["copies"]), (&value!(84 + 511), &value!(84)));
    assert_eq!(both["first_seat_advantage"]["fanorona size=5x5"]["pairs"], 6);
    assert_eq!(both["method"], "linked", "the chess players have met nobody else");
    assert_eq!(
        json(&["results/showcase", "results/showcase/games.pgn", "--by", "hash"])["players"][7]["digests"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
}

#[test]
fn digests_of_one_version_are_merged_only_with_a_note() {
    // A journal of format 1, whose lines have no checksums: a test may change it.
    let text = data("format1.jsonl").replacen(
        "\"digest\":\"3f7eee44e1a3d563\",\"tc\"",
        "\"digest\":\"other\",\"tc\"",
        3,
    );
    let merged: Value = serde_json::from_str(&rate(&text, &["--format", "json"])).expect("JSON");
    assert_eq!(merged["players"].as_array().map(Vec::len), Some(4));
    let note = merged["notes"][0].as_str().expect("a note");
    assert!(note.starts_with("`greedy` is 2 digests") && note.contains("`--by hash`"), "{note}");
    let apart: Value =
        serde_json::from_str(&rate(&text, &["--format", "json", "--by", "hash"])).expect("JSON");
    assert_eq!(apart["players"].as_array().map(Vec::len), Some(5));
    assert_eq!(apart["notes"].as_array().map(Vec::len), Some(0));
}

#[test]
fn filters_leave_out_games_and_say_so() {
    let all = json(&["results/showcase"]);
    let one = json(&["results/showcase", "--game", "fanorona size=5x5"]);
    assert_eq!((one["games"].as_u64(), one["left_out"]["filtered"].as_u64()), (Some(12), Some(72)));
    assert_eq!(json(&["results/showcase", "--game", "fanorona"])["games"], 24);
    assert_eq!(json(&["results/showcase", "--bot", "greedy"])["games"], player(&all, "greedy")["games"]);
    assert_eq!(json(&["results/showcase", "--since", "2026-01-01"])["games"], all["games"]);
    let mut nothing = arena(&["results/showcase", "--since", "2099-01-01T00:00:00Z", "--format", "json"]);
    let nothing = nothing.output().expect("the arena runs");
    assert_eq!((nothing.status.code(), nothing.stdout.len()), (Some(3), 0));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("no game counts"));
}

#[test]
fn an_anchor_moves_everybody_alike() {
    let (free, anchored) =
        (json(&["results/showcase"]), json(&["results/showcase", "--anchor", "random=-1000"]));
    let shift = -1000.0 - player(&free, "random")["rating"].as_f64().expect("a rating");
    assert_eq!(player(&anchored, "random")["rating"], -1000.0);
    assert!(player(&anchored, "random")["error95"].is_null());
    let rating = |ratings: &Value| player(ratings, "greedy")["rating"].as_f64().expect("a rating");
    assert!((rating(&anchored) - rating(&free) - shift).abs() < 1e-9);
}

#[test]
fn names_are_harmless_in_every_format() {
    let game = |white: &str, black: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
    };
    let (evil, pipe) = ("=HYPERLINK(\u{1b}[31m\u{9b}2J\u{202e})", "a|b<script>`*");
    let text = game(evil, pipe, "1-0") + &game(pipe, evil, "1-0") + &game(evil, pipe, "1/2-1/2");
    for format in ["text", "csv", "json", "markdown"] {
        let shown = rate(&text, &["--format", format]);
        assert!(!shown.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{format}: {shown:?}");
    }
    assert!(
        rate(&text, &["--format", "csv"]).contains("\n1,'=HYPERLINK(")
            || rate(&text, &["--format", "csv"]).contains("\n2,'=HYPERLINK(")
    );
    assert!(rate(&text, &["--format", "markdown"]).contains(r"| a\|b&lt;script&gt;\`\* |"));
    let ratings: Value = serde_json::from_str(&rate(&text, &["--format", "json"])).expect("JSON");
    assert_eq!(player(&ratings, evil)["games"], 3);
}
