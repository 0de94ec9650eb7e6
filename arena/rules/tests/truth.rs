//! Whole games and perft counts computed by an independent implementation of the rules (`tests/data/`).

use rules::{GAMES, Setup, find};
use serde_json::Value;

fn setup(game: &str, options: &[(String, String)]) -> Setup {
    let pairs: Vec<_> = options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    find(game).expect("the game is in the list").setup(&pairs).expect("the options are valid")
}

fn is_known(game: &str) -> bool {
    GAMES.iter().any(|known| known.id == game)
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("an array").iter().map(|item| item.as_str().expect("a string")).collect()
}

#[test]
fn whole_games_replay_to_the_letter() {
    let mut games = 0;
    for line in include_str!("data/games.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a line of JSON");
        let game = row["game"].as_str().expect("a game");
        if !is_known(game) {
            continue;
        }
        let options = row["options"].as_object().expect("options").iter();
        let options: Vec<_> =
            options.map(|(key, value)| (key.clone(), value.as_str().expect("text").to_owned())).collect();
        let setup = setup(game, &options);
        let mut table = setup.referee(None).expect("the start is valid");
        let plies = strings(&row["plies"]);
        for (index, ply) in plies.iter().enumerate() {
            let place = format!("{} ply {} `{ply}`", setup.label(), index + 1);
            assert_eq!(table.outcome(), None, "{place}");
            let legal = table.legal();
            assert_eq!(Some(legal.len() as u64), row["nlegal"][index].as_u64(), "{place}: {legal:?}");
            assert!(legal.iter().any(|other| other == ply), "{place} is not in {legal:?}");
            table.submit(ply).unwrap_or_else(|rejection| panic!("{place}: {rejection}"));
            let position = row["positions"][index].as_str().expect("a position");
            assert_eq!(table.position(), position, "{place}");
            // A loaded position goes on exactly as the one that was reached, repetition aside.
            let loaded = setup.referee(Some(position)).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(loaded.position(), position, "{place}");
            assert_eq!(loaded.legal(), table.legal(), "{place}");
            assert_eq!(loaded.outcome(), table.outcome(), "{place}");
        }
        let verdict = table.outcome().unwrap_or_else(|| panic!("{}: not over", setup.label()));
        let outcome = verdict.outcome.to_string();
        assert_eq!(outcome.strip_suffix("win").unwrap_or(&outcome), row["outcome"], "{}", setup.label());
        assert_eq!(verdict.reason.code(), row["reason"], "{}", setup.label());
        games += 1;
    }
    assert!(games > 0);
}

#[test]
fn perft_counts_agree() {
    let mut rows = 0;
    for line in include_str!("data/perft.csv").lines().skip(1) {
        let fields: Vec<_> = line.split(',').collect();
        let [game, options, position, depth, count] = fields[..] else { panic!("{line}: five fields") };
        if !is_known(game) {
            continue;
        }
        let options: Vec<_> = options
            .split_whitespace()
            .map(|pair| pair.split_once('=').expect("a pair"))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let from = (position != "start").then_some(position);
        let leaves = setup(game, &options).perft(from, depth.parse().expect("a depth"));
        assert_eq!(leaves.expect("the position is valid").to_string(), count, "{line}");
        rows += 1;
    }
    assert!(rows > 0);
}
