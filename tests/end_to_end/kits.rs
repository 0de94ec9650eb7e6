//! `arena new bot`: the kits of the languages that every machine of the first stage has, from the command to a table.

use std::fs;
use std::path::Path;

use crate::workshop::{Ended, Workshop, executable};

/// Writes a kit, does what it says is to be done, and returns the table.
fn from_nothing_to_a_table(language: &str) -> String {
    let workshop = Workshop::new();
    let folder = "my first bot";
    let ended = workshop.run(&["new", "bot", "--lang", language, folder]).expect(0);
    let next: Vec<_> = ended.stdout.lines().collect();
    let [enter, build @ .., play] = next.as_slice() else { panic!("{next:?}") };
    assert_eq!((*enter, *play), ("cd 'my first bot'", "arena run tournament.yaml"));
    for line in build {
        let mut shell = workshop.command("sh", &["-c", line]);
        Ended::new(shell.current_dir(workshop.path(folder)).output().expect("there is a shell")).expect(0);
    }
    let mut arena = workshop.arena(&["run", "tournament.yaml", "--rounds", "1", "--margin", "20s"]);
    let ended = arena.current_dir(workshop.path(folder)).output().expect("the executable starts");
    let games = workshop.games("my first bot/results");
    assert_eq!(games.len(), 6 * 3 * 2);
    assert!(games.iter().all(|game| game.fault().is_none()), "{games:?}");
    Ended::new(ended).expect(0).stdout
}

#[test]
fn a_kit_in_python_plays_as_it_is_written() {
    let table = from_nothing_to_a_table("Python");
    assert!(table.contains("python-random") && table.contains("python-greedy"), "{table}");
}

#[test]
fn a_kit_in_c_plays_once_it_is_built_as_it_says() {
    let table = from_nothing_to_a_table("c");
    assert!(table.contains("c-random") && table.contains("c-greedy"), "{table}");
}

#[test]
fn nothing_is_overwritten() {
    let workshop = Workshop::new();
    fs::create_dir(workshop.path("mine")).expect("a folder");
    workshop.write("mine/greedy_bot.py", "my own\n");
    let ended = workshop.run(&["new", "bot", "--lang", "py", "mine"]).expect(2);
    assert!(ended.stderr.contains("`mine` holds already: greedy_bot.py"), "{}", ended.stderr);
    assert_eq!(workshop.read("mine/greedy_bot.py"), "my own\n");
    assert_eq!(fs::read_dir(workshop.path("mine")).expect("a folder").count(), 1);
}

#[test]
fn an_unknown_language_is_refused_with_the_nearest_known_one() {
    let ended = Workshop::new().run(&["new", "bot", "--lang", "Pyton", "mine"]).expect(2);
    assert!(ended.stderr.contains("did you mean `python`?"), "{}", ended.stderr);
}

#[test]
fn every_language_is_listed_with_what_it_needs() {
    let list = Workshop::new().run(&["new", "bot", "--list"]).expect(0).stdout;
    for words in [["c", "C", "cc"], ["cpp", "C++", "c++"], ["python", "Python", "python3"]] {
        assert!(list.lines().any(|line| line.split_whitespace().eq(words)), "{list}");
    }
    assert!(list.lines().count() >= 12, "{list}");
}

#[test]
fn the_package_for_engines_in_python_holds_what_its_tests_say() {
    let ended = python_in("bots/python", &["-m", "unittest", "discover", "tests"]);
    assert!(ended.stderr.contains("\nOK"), "{}", ended.stderr);
}

#[test]
fn the_kit_for_games_in_python_and_telo_hold_what_their_tests_say() {
    let ended = python_in("arena/games", &["-m", "unittest", "discover", "tests"]);
    assert!(ended.stderr.contains("\nOK"), "{}", ended.stderr);
}

#[test]
fn rules_in_python_answer_whatever_is_asked() {
    let ended = python_in("arena/games", &["tests/hostile.py", "python3", "telo/telo.py"]);
    assert!(ended.stdout.contains("damaged ones are answered"), "{}", ended.stdout);
}

/// Runs Python in a folder of the repository, to a good end.
fn python_in(folder: &str, arguments: &[&str]) -> Ended {
    let workshop = Workshop::new();
    let mut python = workshop.command("python3", arguments);
    python
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    Ended::new(python.output().expect("Python runs")).expect(0)
}

#[test]
fn an_engine_in_python_asks_for_the_rules_thinks_on_the_clock_and_beats_random() {
    let workshop = Workshop::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/python/search_bot.py");
    let text = format!(
        "games: [farook, {{game: fanorona, options: {{size: 5x5}}}}]\nrounds: 1\ntc: 5+0.2\nmargin: 20s\nout: out\nbots:\n  \
         - {{name: search, cmd: [python3, '{}'], options: {{Arena: '{}', MaxDepth: 2}}}}\n  \
         - {{name: random, builtin: random}}\n",
        script.display(),
        executable()
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.fault().is_none()), "{games:?}");
    let is_won = |game: &&record::GameRecord| match game.result {
        record::GameResult::P1Win => game.seats[0].bot == "search",
        record::GameResult::P2Win => game.seats[1].bot == "search",
        record::GameResult::Draw | record::GameResult::None | record::GameResult::Places(_) => false,
    };
    assert!(games.iter().filter(is_won).count() > 2, "{games:?}");
}
