//! Playing the table: attack by attack, several at once, each judged by everything that it left behind.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use record::{GameRecord, GameResult, Termination};
use rules::Seat;

use crate::attacks::{ATTACKS, Attack, End, Kind, Program};
use crate::level::Level;
use crate::outputs::{faults_of_run, faults_of_text};
use crate::programs::Programs;
use crate::site::{Ended, Site};
use crate::user::User;

/// The most memory that the arena may hold in a tournament of two games, whatever the bots write, in KiB. It is that of a
/// build without optimisation.
const MOST_MEMORY_KIB: u64 = 96 * 1024;

/// How many tournaments are played at once: most of them wait for something.
const AT_ONCE: usize = 8;

/// The variable that asks for the whole table at some levels, such as `none,basic`; without it, a third is played.
const LEVELS: &str = "ARENA_CHAOS_LEVELS";

/// The variable that narrows the whole table to names that hold a word.
const ONLY: &str = "ARENA_CHAOS_ONLY";

/// The variable that says how many rounds of two games each tournament of a longer run has; without it, one.
const ROUNDS: &str = "ARENA_CHAOS_ROUNDS";

/// The variable that names the file for the table.
const TABLE: &str = "ARENA_CHAOS_TABLE";

/// What came of one attack at one level.
struct Played {
    attack: &'static Attack,
    level: Level,
    /// In a few words, for the table.
    words: String,
    /// Everything that should not have been.
    faults: Vec<String>,
    peak_kib: u64,
    seconds: f64,
}

/// Plays one attack and judges it.
fn play(programs: &Programs, attack: &'static Attack, level: Level, rounds: u32) -> Played {
    let began = Instant::now();
    let site = Site::new(programs, attack, level, rounds);
    let ended = site.play();
    // First of all: what lives on could still change the files.
    let mut faults = site.left();
    let is_refused = is_refused(level, &site, &ended);
    if !is_refused {
        faults.extend(judge(attack, &site, &ended, rounds));
    }
    let words = match (faults.is_empty(), is_refused) {
        (true, true) => "refused".to_owned(),
        (true, false) => told(attack.end),
        (false, _) => "FAILED".to_owned(),
    };
    if !faults.is_empty() {
        let tail: String = ended.stderr.chars().take(3000).collect();
        faults.push(format!("standard error:\n{tail}"));
    }
    Played { attack, level, words, faults, peak_kib: ended.peak_kib, seconds: began.elapsed().as_secs_f64() }
}

/// Returns whether the system does not let an ordinary user have the namespaces of `strict`: then nothing is played, and what
/// would allow it is told.
fn is_refused(level: Level, site: &Site<'_>, ended: &Ended) -> bool {
    level == Level::Strict
        && ended.code == Some(2)
        && ended.stderr.contains("what would allow it: ")
        && !site.path("out").exists()
}

/// Says in a few words what came of an attack.
fn told(end: End) -> String {
    match end {
        End::PlaysOn => "no effect".to_owned(),
        End::Bounded => "refused or loses: resource".to_owned(),
        End::Loses(reason, _) => format!("loses: {reason}"),
        End::Refuses => "no contest".to_owned(),
        End::NoStart(_) => "is not started".to_owned(),
    }
}

/// Returns everything that should not be, of a tournament that has ended.
fn judge(attack: &Attack, site: &Site<'_>, ended: &Ended, rounds: u32) -> Vec<String> {
    let mut faults = Vec::new();
    let expected = match attack.end {
        End::PlaysOn | End::Loses(..) | End::Bounded => 0,
        End::Refuses | End::NoStart(_) => 3,
    };
    if ended.code != Some(expected) {
        faults.push(format!("ended with {:?} in place of {expected}", ended.code));
    }
    if ended.peak_kib > MOST_MEMORY_KIB || ended.peak_kib == 0 {
        faults.push(format!("the arena held {} KiB", ended.peak_kib));
    }
    faults.extend(faults_of_text("standard output", &ended.stdout));
    faults.extend(faults_of_text("standard error", &ended.stderr));
    faults.extend(faults_of_run(&site.path("out")));
    let games = match record::read(&site.path("out")) {
        Ok(contents) if contents.torn == 0 => contents.games,
        Ok(contents) => {
            faults.push(format!("the journal ends in {} bytes of no line", contents.torn));
            contents.games
        }
        Err(error) => {
            faults.push(error.to_string());
            return faults;
        }
    };
    if let End::NoStart(words) = attack.end {
        if !games.is_empty() {
            faults.push(format!("{} games are recorded", games.len()));
        }
        if !ended.stderr.contains(words) {
            faults.push(format!("`{words}` is not told"));
        }
        return faults;
    }
    let numbers: Vec<u64> = games.iter().map(|game| game.number).collect();
    if !numbers.iter().copied().eq(1..=u64::from(rounds) * 2) {
        faults.push(format!("games {numbers:?} are recorded"));
    }
    faults.extend(games.iter().flat_map(|game| faults_of_game(attack, game)));
    let replayed = site.arena(&["replay", "out", "out/games.pgn"]).output().expect("the executable starts");
    if !replayed.status.success() {
        let words = String::from_utf8_lossy(&replayed.stdout).into_owned();
        faults
            .push(format!("the record does not hold: {words}{}", String::from_utf8_lossy(&replayed.stderr)));
    }
    faults
}

/// Returns what is wrong with a game.
fn faults_of_game(attack: &Attack, game: &GameRecord) -> Vec<String> {
    let seat = |bot: &str| if game.seats[0].bot == bot { Seat::P1 } else { Seat::P2 };
    let (honest, attacker) = (seat("honest"), seat("attacker"));
    let mut faults = Vec::new();
    let mut fault = |words: String| faults.push(format!("game {}: {words}", game.number));
    let how = format!("{} ({}), {}", game.result, game.reason, game.detail.as_deref().unwrap_or_default());
    if game.fault() == Some(honest) || game.failed == Some(honest) {
        fault(format!("the honest bot is blamed: {how}"));
    }
    let is_by_rules = matches!(game.reason, Termination::Rules(_));
    if game.result == GameResult::win(attacker) && !is_by_rules {
        fault(format!("the attacker wins: {how}"));
    }
    let is_expected = match attack.end {
        End::PlaysOn => is_by_rules,
        // At its second decision: by its rules nothing has been lost by then.
        End::Bounded => {
            let is_found = game.reason == Termination::Resource && game.result == GameResult::win(honest);
            is_found || is_by_rules
        }
        End::Loses(reason, words) => {
            let has_lost = game.result == GameResult::win(honest);
            // The first silence before anything was decided makes no contest.
            let is_forgiven = reason == Termination::Stall && game.result == GameResult::None;
            let is_told = game.detail.as_deref().unwrap_or_default().contains(words);
            game.reason == reason && is_told && (has_lost || is_forgiven)
        }
        End::Refuses => (game.result, game.reason) == (GameResult::None, Termination::Rejected),
        End::NoStart(_) => false,
    };
    if !is_expected {
        fault(format!("ends with {how}"));
    }
    faults
}

/// Plays attacks at levels, several at once, and returns what came of them in the order of the table.
fn play_all(attacks: &[&'static Attack], levels: &[Level], rounds: u32) -> Vec<Played> {
    let programs = Programs::new();
    let mut order: Vec<_> = levels
        .iter()
        .flat_map(|level| attacks.iter().map(move |attack| (*attack, *level)))
        .filter(|(attack, level)| attack.from <= *level)
        .filter(|(attack, _)| !attack.needs_own_user || User::new().is_own())
        .collect();
    order.reverse();
    let (left, played) = (Mutex::new(order), Mutex::new(Vec::new()));
    let next = || left.lock().ok()?.pop();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((attack, level)) = next() {
                    let one = play(&programs, attack, level, rounds);
                    eprintln!(
                        "{:<44} {:<8} {:<20} {:>6} KiB {:>5.1} s",
                        attack.name, level, one.words, one.peak_kib, one.seconds
                    );
                    played.lock().expect("no thread panics").push(one);
                }
            });
        }
    });
    played.into_inner().expect("no thread panics")
}

/// Fails if anything was as it should not be.
#[track_caller]
fn expect_none(played: &[Played]) {
    let mut text = String::new();
    for one in played.iter().filter(|one| !one.faults.is_empty()) {
        let _ = writeln!(text, "\n{} at {}:\n  {}", one.attack.name, one.level, one.faults.join("\n  "));
    }
    assert!(text.is_empty(), "{text}");
}

/// Returns the table of what came of the attacks, in Markdown.
fn table(played: &[Played], levels: &[Level]) -> String {
    let heading: String = levels.iter().map(|level| format!(" `{level}` |")).collect();
    let rule = "---|".repeat(levels.len());
    let mut text = String::new();
    for kind in [Kind::Lines, Kind::Faults, Kind::Processes, Kind::Others, Kind::Memory, Kind::Texts] {
        let attacks: Vec<_> = ATTACKS.iter().filter(|attack| attack.kind == kind).collect();
        if !attacks.iter().any(|attack| played.iter().any(|one| one.attack.name == attack.name)) {
            continue;
        }
        let _ = writeln!(text, "### {}\n\n| Attack |{heading}\n|---|{rule}", kind.title());
        for attack in attacks {
            let cell = |level: &Level| {
                let one = played.iter().find(|one| one.attack.name == attack.name && one.level == *level);
                one.map_or("–", |one| &one.words)
            };
            let cells: String = levels.iter().map(|level| format!(" {} |", cell(level))).collect();
            let _ = writeln!(text, "| `{}` |{cells}", attack.name);
        }
        text.push('\n');
    }
    text
}

#[test]
fn a_third_of_the_attacks_comes_to_nothing_or_to_a_loss() {
    if std::env::var_os(LEVELS).is_some() {
        return;
    }
    let promised: Vec<_> = ATTACKS.iter().filter(|attack| attack.from <= Level::DEFAULT).collect();
    let quick: Vec<_> = promised.iter().copied().filter(|attack| attack.is_quick).collect();
    assert!(quick.len() * 3 >= promised.len(), "{} of {}", quick.len(), promised.len());
    expect_none(&play_all(&quick, &[Level::DEFAULT], 1));
}

#[test]
fn the_attacks_of_a_longer_run_come_to_nothing_or_to_a_loss() {
    let Ok(levels) = std::env::var(LEVELS) else { return };
    let levels: Vec<Level> = levels.split(',').map(|word| word.parse().expect("a level")).collect();
    let rounds = std::env::var(ROUNDS).map_or(1, |number| number.parse().expect("a number of rounds"));
    let only = std::env::var(ONLY).unwrap_or_default();
    let attacks: Vec<_> = ATTACKS.iter().filter(|attack| attack.name.contains(&only)).collect();
    let played = play_all(&attacks, &levels, rounds);
    if let Some(path) = std::env::var_os(TABLE) {
        fs::write(path, table(&played, &levels)).expect("the table is written");
    }
    expect_none(&played);
}

#[test]
fn the_table_and_the_attackers_know_the_same_attacks() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chaos/attacker/attacker.py");
    let listed = Command::new("python3").args(["-B", script, "--list"]).output().expect("Python is there");
    let mut listed: Vec<String> = serde_json::from_slice(&listed.stdout).expect("a list");
    let in_table =
        |program| ATTACKS.iter().filter(move |attack| attack.program == program).map(|attack| attack.name);
    let mut python: Vec<String> = in_table(Program::Python).map(str::to_owned).collect();
    python.sort();
    listed.sort();
    assert_eq!(python, listed);
    let source = include_str!("attacker.c");
    for name in in_table(Program::C) {
        assert!(source.contains(&format!("!strcmp(name, \"{name}\")")), "{name}");
    }
    let mut names: Vec<_> = ATTACKS.iter().map(|attack| attack.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
