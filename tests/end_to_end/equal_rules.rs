//! The built-in games once more as games of one's own: `arena rules` as a program referees them, and the journal is the same.

use serde_json::{Map, Value};

use crate::workshop::{Workshop, is_second_stage};

/// The games as a tournament file names them, all six, with the options under which they are played. Where an option whose
/// default is derived is left out, only the rules know its value.
const RULESETS: [(&str, &str); 15] = [
    ("farook", ""),
    ("farook", "wilds: pattern, max-moves: 30"),
    ("faust", "size: 4"),
    ("faust", "size: 3, perimeter: walls, swap: off"),
    ("faust", "size: 5, max-moves: 24"),
    ("frenzy", ""),
    ("frenzy", "max-turns: 12"),
    ("2-frenzy", ""),
    ("2-frenzy", "max-turns: 8"),
    ("sophia", ""),
    ("sophia", "size: 5, stones: 6, line: 3, drop: goal, swap: on"),
    ("sophia", "moves: orthogonal, lines: orthogonal, both: opponent, max-moves: 40"),
    ("fanorona", ""),
    ("fanorona", "size: 5x5, quiet-cap: 6"),
    ("fanorona", "size: 3x7"),
];

/// Those at tables of more than two.
const TABLES: [(&str, &str); 3] =
    [("2-frenzy", "players: 3"), ("2-frenzy", "players: 3, max-turns: 12"), ("2-frenzy", "players: 4")];

/// What the ids of the games of one's own begin with: none may be that of a built-in game.
const OWN: &str = "own-";

/// The options whose defaults are derived. The arena records the values that it works out for built-in games, and leaves them out
/// of games of one's own if nobody gave one.
const DERIVED: [(&str, &str); 2] = [("faust", "max-moves"), ("sophia", "stones")];

/// The fields that tell of times and of what the machine did, and the checksum of a line, which covers them.
const TIMES: [&str; 10] =
    ["written", "started", "seconds", "gathered", "us", "used", "clock", "cpu_ms", "peak_kib", "crc"];

/// The fields that tell the rules apart: their digest and command, and the seeds that are made of the game's id.
const IDENTITY: [&str; 2] = ["rules", "seed"];

/// The fields that hold a game's id.
const NAMES: [&str; 2] = ["game", "label"];

/// Plays by what it was told since the game began, save the line with the game's name and seed: two games go the same way as long
/// as the arena says the same. Some answers are wrong: no ply at all, or a legal one of another position.
const BOT: &str = r#"
import sys, zlib
salt, wants = sys.argv[1:]
told, chance, legal, seen = 0, 0, [], ["swap"]
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":       print(f"protocol 1\nplays *\nwant {wants}\ncan nodes\nugiok")
    elif word == "isready": print("readyok")
    elif word == "uginewgame": told, seen = zlib.crc32(salt.encode()), ["swap"]
    elif word == "quit":    break
    if word in ("position", "board", "legal", "after", "rejected", "played"):
        told = zlib.crc32(line.encode(), told)
    if word == "position":
        chance = told % 127
    elif word == "legal":
        legal = rest
        seen = sorted({*seen, *rest})[:50]
    elif word == "go":
        plies = ["a0", "z9z9", "a1-b"] if chance == 0 else seen if chance < 4 else legal
        print("bestmove", plies[told // 127 % len(plies)])
        told = zlib.crc32(b"go", told)
    sys.stdout.flush()
"#;

/// Plays a tournament of these rulesets and bots in a folder of its own, `rules` before the name of each game, and returns the lines
/// of its journal: what is not a game in its order, then the games by number.
fn journal(rulesets: &[(&str, &str)], bots: &[&str], rounds: u32, is_own: bool) -> Vec<Value> {
    let workshop = Workshop::new();
    workshop.write("bot.py", BOT);
    let mut cup = "name: equal\ngames:\n".to_owned();
    for (number, &(game, options)) in rulesets.iter().enumerate() {
        let words = options.replace(": ", "=").replace(", ", ",");
        let name = if words.is_empty() { game.to_owned() } else { format!("{game}:{words}") };
        let openings =
            workshop.run(&["openings", &name, "--turns", "4", "--count", &rounds.to_string()]).expect(0);
        // The first lines name the game.
        let lines: String = openings
            .stdout
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| format!("{line}\n"))
            .collect();
        workshop.write(&format!("openings-{number}.txt"), &lines);
        let named = match is_own {
            true => format!("rules: 'arena rules#{game}', game: {OWN}{game}"),
            false => format!("game: {game}"),
        };
        cup += &format!(
            "  - {{{named}, options: {{{options}}}, openings: {{file: openings-{number}.txt, repeat: true}}}}\n"
        );
    }
    cup += "bots:\n";
    for (name, wants) in bots.iter().zip(["legal board", "legal after"].into_iter().cycle()) {
        cup += &format!("  - {{name: {name}, cmd: [python3, bot.py, {name}, {wants}]}}\n");
    }
    cup += &format!(
        "rounds: {rounds}\ntc: nodes 100\nillegal: retry:1\nadjudicate: {{plies: 150}}\nconcurrency: 2\nout: out\n"
    );
    workshop.write("cup.yaml", &cup);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    workshop.run(&["report", "out"]).expect(0);
    let mut lines: Vec<Value> = workshop
        .read("out/journal.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    lines.sort_by_key(|line| line["number"].as_u64());
    lines
}

/// Takes the fields of times and identity out of a line, and makes the ids of games of one's own those of the built-in ones.
fn normalize(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !TIMES.contains(&key.as_str()) && !IDENTITY.contains(&key.as_str()));
            for name in NAMES {
                if let Some(Value::String(text)) = map.get_mut(name) {
                    *text = text.trim_start_matches(OWN).to_owned();
                }
            }
            drop_derived(map);
            map.values_mut().for_each(normalize);
        }
        Value::Array(values) => values.iter_mut().for_each(normalize),
        _ => {}
    }
}

/// Takes out of a game's options those that have their derived default.
fn drop_derived(map: &mut Map<String, Value>) {
    let (game, label) = (map.get("game").cloned(), map.get("label").cloned());
    let (Some(game), Some(label), Some(options)) =
        (text(game.as_ref()), text(label.as_ref()), map.get_mut("options").and_then(Value::as_object_mut))
    else {
        return;
    };
    for (of, option) in DERIVED {
        // A label has the options that are not the defaults.
        if of == game && !label.contains(option) {
            options.remove(option);
        }
    }
}

fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

/// Returns where two values first differ, and what stands there.
fn difference(place: &str, one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => {
            let keys: std::collections::BTreeSet<_> = left.keys().chain(right.keys()).collect();
            keys.into_iter().find_map(|key| {
                let value = |map: &Map<String, Value>| map.get(key).cloned().unwrap_or(Value::Null);
                difference(&format!("{place}.{key}"), &value(left), &value(right))
            })
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => (0..)
            .zip(left.iter().zip(right))
            .find_map(|(number, (left, right))| difference(&format!("{place}[{number}]"), left, right)),
        _ => (one != other).then(|| format!("{place}: {one} built in, {other} as one's own")),
    }
}

/// Plays the rulesets as built-in games and as games of one's own, and returns the lines of the first journal where the other one
/// holds the same.
fn equal_journals(rulesets: &[(&str, &str)], bots: &[&str], rounds: u32) -> Vec<Value> {
    let [mut built_in, mut own] = [false, true].map(|is_own| journal(rulesets, bots, rounds, is_own));
    assert_eq!(built_in.len(), own.len());
    let has_id = |line: &Value| line["game"].as_str().is_none_or(|game| game.starts_with(OWN));
    assert!(own.iter().all(has_id), "each game was refereed by `arena rules`");
    for (built_in, own) in built_in.iter_mut().zip(&mut own) {
        normalize(built_in);
        normalize(own);
        let place = format!("{} {}", own["number"], own["label"]);
        if let Some(difference) = difference("", built_in, own) {
            panic!("game {place}: {difference}");
        }
    }
    built_in
}

#[test]
fn built_in_games_leave_the_same_journal_as_games_of_ones_own() {
    // Each game has two sets of options or more: 200 games of each in the second stage.
    let rounds = if is_second_stage() { 50 } else { 3 };
    let lines = equal_journals(&RULESETS, &["one", "two"], rounds);
    let games = lines.iter().filter(|line| line["type"] == "game");
    assert_eq!(games.count(), RULESETS.len() * rounds as usize * 2);
    // Not only games that end well are compared.
    let has = |is_it: &dyn Fn(&Value) -> bool| lines.iter().any(is_it);
    assert!(has(&|line| line["reason"] == "illegal-move"), "some games are lost by illegal plies");
    assert!(
        has(&|line| line["seats"]
            .as_array()
            .is_some_and(|seats| seats.iter().any(|seat| seat["retries"] != Value::Null))),
        "some plies are refused and others taken in their place"
    );
}

#[test]
fn tables_leave_the_same_journal_as_games_of_ones_own() {
    let rounds = if is_second_stage() { 10 } else { 2 };
    let lines = equal_journals(&TABLES, &["one", "two", "three", "four"], rounds);
    let games: Vec<_> = lines.iter().filter(|line| line["type"] == "game").collect();
    let labels = ["2-frenzy players=3", "2-frenzy players=3 max-turns=12", "2-frenzy players=4"];
    assert!(labels.iter().all(|label| games.iter().any(|game| game["label"] == *label)), "{games:?}");
    let exits = games.iter().flat_map(|game| game["seats"].as_array().expect("seats"));
    let reasons: Vec<_> = exits.filter_map(|seat| seat["out"]["reason"].as_str()).collect();
    assert!(reasons.contains(&"illegal-move"), "some seats go out by faults: {reasons:?}");
    assert!(
        reasons.iter().any(|reason| matches!(*reason, "no-fish" | "no-sharks")),
        "and by the rules: {reasons:?}"
    );
    let ends = |reason: &str| games.iter().any(|game| game["reason"] == reason);
    assert!(ends("max-turns") && ends("no-sharks"), "games end by the rules and at their cap");
}
