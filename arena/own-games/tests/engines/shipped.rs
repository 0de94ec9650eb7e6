//! The modules of `arena/games`, as `cargo xtask games` builds them.

use std::path::Path;

use own_games::{ModuleLimits, RulesModule};
use rules::Dice;
use serde_json::Value;

use crate::ask;

/// The modules, and games of them with options that change what is played.
const MODULES: [(&str, &[&str]); 4] = [
    ("dao", &["dao"]),
    ("othello", &["othello", "othello size=4"]),
    ("connect-four", &["connect-four", "connect-four width=5 height=4 connect=3"]),
    ("trails", &["trails", "trails size=5", "trails players=4 size=5", "trails players=6"]),
];

/// How many random games are played of each.
const GAMES: u64 = 6;

/// After how many plies they are broken off.
const MOST: usize = 120;

/// Questions that no game can answer, or not well.
const ODD: [&str; 14] = [
    ";",
    "legal",
    "position",
    "legal chess startpos",
    "about;games;about",
    "legal {} fen",
    "legal {} fen ",
    "legal {} fen x y z w",
    "legal {} startpos moves",
    "legal {} startpos moves zz9999999999999999999999",
    "legal {} size=-1 startpos",
    "legal {} startpos moves a1 a1 a1 a1 a1 a1 a1 a1",
    "position {} startpos; legal {} startpos; x",
    "\u{e9}\u{1f600} {} \u{7f}",
];

#[test]
fn the_shipped_games_are_the_same_when_compiled() {
    for (name, games) in MODULES {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../target/games/{name}.wasm"));
        let module =
            RulesModule::load(&file, ModuleLimits::default()).expect("`cargo xtask games` builds it");
        for question in ["about", "games"] {
            assert!(ask(&module, question).is_some(), "{name}: {question}");
        }
        for game in games {
            for odd in ODD {
                ask(&module, &odd.replace("{}", game));
            }
            ask(&module, &format!("legal {game} startpos moves {}", "a1 ".repeat(20_000)));
            let plies: usize = (0..GAMES).map(|seed| play(&module, game, seed)).sum();
            assert!(plies > 50, "{game}: {plies} plies");
        }
    }
}

/// Plays a random game, with the questions that the referee and a search ask of every position. Returns its length.
fn play(module: &RulesModule, game: &str, seed: u64) -> usize {
    let mut dice = Dice::new(seed);
    let mut question = format!("legal {game} startpos");
    for number in 0..MOST {
        let answer = ask(module, &question).expect("a position has an answer");
        let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
        let position = answer["position"].as_str().expect("every position has a string");
        ask(module, &format!("position {game} fen {position}"));
        let legal: Vec<_> =
            answer["legal"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if legal.is_empty() {
            return number;
        }
        let after = |ply: &str| format!("legal {game} fen {position} moves {ply}");
        ask(module, &legal.iter().map(|ply| after(ply)).collect::<Vec<_>>().join(";"));
        question = after(legal[dice.below(legal.len())]);
    }
    MOST
}
