//! Games that keep to cores of their own.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::workshop::{Workshop, executable};

/// A bot that writes down on which processors it may run, then plays by chance.
fn noting(name: &str) -> String {
    let arena = executable();
    let script =
        format!("grep Cpus_allowed_list /proc/self/status | cut -f2 >> {name}.cpus; exec {arena} bot random");
    format!("{{name: {name}, cmd: [sh, -c, '{script}'], dir: .}}")
}

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    let bots = [noting("one"), noting("two"), noting("three")].join(", ");
    let text = format!(
        "games: [farook]\nbots: [{bots}]\nrounds: 2\ntc: movetime 20s\nconcurrency: 1\nrestart: always\nsandbox: {{write: [.]}}\n"
    );
    workshop.write("cup.yaml", &text);
    workshop
}

/// Returns the places of games on this machine, as `arena doctor` tells them.
fn places(workshop: &Workshop, pin: &str) -> Vec<String> {
    let told = workshop.run(&["doctor", "--concurrency", "1", "--json"]).stdout;
    let told: Value = serde_json::from_str(&told).expect("one object");
    let list = told["machine"]["pin"][pin].as_array().expect("this system tells its cores");
    list.iter().map(|place| place.as_str().expect("a text").to_owned()).collect()
}

/// Returns on which processors a bot was started.
fn started_on(workshop: &Workshop, bot: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(workshop.path(&format!("{bot}.cpus"))).expect("the bot was started");
    // The first start is the one before the first game, when nothing is pinned.
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn both_bots_of_a_game_keep_to_one_core() {
    let workshop = workshop();
    let place = &places(&workshop, "game")[0];
    let told = workshop.run(&["run", "cup.yaml", "--pin", "game", "--out", "out"]).expect(0).stderr;
    assert!(
        told.contains("pin game: each game keeps to one core: processor")
            && told.contains(&format!(" {place}\n")),
        "{told}"
    );
    for bot in ["one", "two", "three"] {
        assert_eq!(started_on(&workshop, bot), BTreeSet::from([place.clone()]), "{bot}");
    }
    let runs = record::read(&workshop.path("out")).expect("the journal is whole").runs;
    assert_eq!(runs[0].config.settings.pin, settings::Pin::Game);
}

#[test]
fn each_bot_of_a_game_keeps_to_a_core_of_its_own() {
    let workshop = workshop();
    let Some(place) = places(&workshop, "bot").first().cloned() else {
        let told = workshop.run(&["run", "cup.yaml", "--pin", "bot"]).expect(2).stderr;
        return assert!(told.contains("`pin: bot` needs two cores"), "{told}");
    };
    let (one, other) = place.split_once(" and ").expect("two cores");
    // Bots that stay alive between games are moved where they change sides.
    for restart in ["always", "auto"] {
        workshop.run(&["run", "cup.yaml", "--pin", "bot", "--restart", restart, "--out", restart]).expect(0);
        assert_eq!(workshop.games(restart).len(), 12);
    }
    let both = BTreeSet::from([one.to_owned(), other.to_owned()]);
    for bot in ["one", "two", "three"] {
        assert!(started_on(&workshop, bot).is_subset(&both.iter().cloned().chain(all()).collect()), "{bot}");
    }
    assert!(both.is_subset(&started_on(&workshop, "one")), "it sat on both sides");
}

/// Returns the processors that this process may use: those of a bot that is tried before the first game.
fn all() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(line.trim().to_owned())
}

#[test]
fn more_games_than_cores_are_refused() {
    let workshop = workshop();
    let most = places(&workshop, "game").len();
    let refused =
        workshop.run(&["run", "cup.yaml", "--pin", "game", "--concurrency", &(most + 1).to_string()]);
    let told = refused.expect(2).stderr;
    assert!(told.contains(&format!("with `pin: game` there are cores for {most}\n")), "{told}");
    assert!(told.contains(&format!("hint: play fewer games at once (`--concurrency {most}`)")), "{told}");
    assert!(!workshop.path("one.cpus").exists(), "nothing was started");
    let told = workshop.run(&["plan", "cup.yaml", "--pin", "game", "--ponder"]).expect(2).stderr;
    assert!(told.contains("`pin: bot` gives each a core of its own"), "{told}");
}
