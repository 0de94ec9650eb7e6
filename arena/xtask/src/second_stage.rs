//! The second stage of CI: foreign programs read what we write.

mod browser;
mod check_faults;
mod chess_engines;
mod jit;
mod systems;
mod workers;

use std::env;
use std::fs::{self, File};
use std::iter;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use crate::shell::{ChoreError, SECOND_STAGE, need, optimised, root, run};
use crate::{book, chaos, dist, game_logs, games, kits, shards, statistics};

/// The fuzz targets stand outside the workspace, where nothing else compiles them. The fuzzer, which is C++, is not needed for that.
const CHECK_FUZZ: &str =
    "cargo check --locked --quiet --manifest-path arena/fuzz/Cargo.toml --no-default-features";

/// How much of what a failed part printed is shown once more at the end of a run.
const LAST_LINES: usize = 60;

/// One part of the second stage, given the executable and the folder where it works.
type Part = fn(&Path, &Path) -> Result<(), ChoreError>;

/// The lanes run at the same time: what one waits for leaves the processors to the others. In a lane, a later part may use what an
/// earlier one has installed or built.
const LANES: [&[(&str, Part)]; 4] = [&PLAYING, &LOOKING, &READING, &SHIPPING];

/// What comes before the lanes: attacks that leave nothing of the machine to others.
const ALONE: [(&str, Part); 1] =
    [("chaos", |arena, _| chaos::check(&["basic".to_owned(), "contest".to_owned()], None, 1, Some(arena)))];

/// What builds tests into Cargo's usual folder and plays with them.
const PLAYING: [(&str, Part); 8] = [
    // They build the executable with other features, and wait more than they compute: first, so that the other lanes have work meanwhile.
    ("workers", workers::check),
    ("jit", jit::check),
    ("limits", |arena, _| test(arena, "chaos limits::")),
    ("equal-rules", |arena, _| test(arena, "end_to_end equal_rules::")),
    ("interruptions", |arena, _| test(arena, "end_to_end interruptions::")),
    ("intake", |arena, _| test(arena, "end_to_end intake -- --nocapture")),
    ("games", games::check),
    ("dialogues", |arena, _| {
        kits::install()?;
        test(arena, "end_to_end dialogues")
    }),
];

/// What looks at pages, and plays in other languages.
const LOOKING: [(&str, Part); 2] = [("browser", browser::check), ("kits", kits::check)];

/// What reads logs, and games by the rules of programs: with the same foreign readers.
const READING: [(&str, Part); 5] = [
    ("game-logs", game_logs::check),
    ("rules", |arena, _| {
        need(&["node"], &["nodejs"])?;
        run(&format!("node tests/bots/rules_test.mjs '{}'", arena.display()), &root())
    }),
    ("game-programs", |arena, work| {
        need(&["node"], &["nodejs"])?;
        kits::check_games(arena, work)
    }),
    ("chess-engines", chess_engines::check),
    ("types", |_, work| kits::check_types(work)),
];

/// What is shipped.
const SHIPPING: [(&str, Part); 2] = [("dist", dist::check), ("packages", dist::check_packages)];

/// What needs nothing of the others: the lane that is done first begins with it.
const ANYWHERE: [(&str, Part); 6] = [
    ("systems", |_, _| systems::check()),
    ("book", book::check),
    ("statistics", |_, _| statistics::check_shortly()),
    ("fuzz", |_, _| run(CHECK_FUZZ, &root())),
    ("check-faults", |arena, _| check_faults::check(arena)),
    ("shards", shards::check),
];

/// Plays every attack of misbehaving bots; plays a small tournament and lets foreign readers of game logs read it; asks for the rules from JavaScript;
/// plays the built-in games once more as games of one's own, refereed by `arena rules`;
/// builds the games of `arena/games` and holds them to counts and to other implementations; lets engines of chess play by
/// rules of one's own; takes in 80 entries; plays by the
/// recipes for shards; looks at pages in a
/// browser; makes the book; plays tournaments by lot and holds intervals to what they promise; compiles the executable for other systems, and the fuzz targets; lets `arena check` find
/// every fault of a broken bot; builds the kits, plays with them and holds the dialogues with all bots; has workers play over a broker, and kills all of them; asks compiled
/// modules what interpreted ones are asked.
///
/// Only the parts that are named, if any are, one after the other: these work where the last whole run has left its folder, and with
/// `arena` if it is given.
///
/// # Errors
/// When a part fails, or one is named that there is not. Of a whole run, all parts that failed are named after the last.
pub(crate) fn check(only: &[String], arena: Option<PathBuf>) -> Result<(), ChoreError> {
    let parts: Vec<_> = ALONE.iter().chain(LANES.into_iter().flatten()).chain(&ANYWHERE).collect();
    if let Some(unknown) = only.iter().find(|name| parts.iter().all(|(part, _)| part != name)) {
        let names: Vec<_> = parts.iter().map(|(name, _)| *name).collect();
        return Err(ChoreError(format!("no part is called `{unknown}`: {}", names.join(", "))));
    }
    let work = root().join("target").join("second-stage");
    let given = |path: PathBuf| {
        fs::canonicalize(&path).map_err(|error| ChoreError(format!("`{}`: {error}", path.display())))
    };
    let arena = arena.map_or_else(optimised, given)?;
    if only.is_empty() {
        return check_all(&work, &arena);
    }
    fs::create_dir_all(&work)?;
    parts.iter().filter(|(name, _)| only.iter().any(|part| part == name)).try_for_each(|(name, part)| {
        println!("\n== {name}");
        part(&arena, &work).map_err(|error| ChoreError(format!("{name}: {error}")))
    })
}

/// Runs all parts, each as a process of its own, whose output is shown when it has ended.
fn check_all(work: &Path, built: &Path) -> Result<(), ChoreError> {
    if work.exists() {
        fs::remove_dir_all(work)?;
    }
    fs::create_dir_all(work.join("output"))?;
    // A copy: parts may build another one in its place.
    let arena = work.join("arena");
    fs::copy(built, &arena)?;
    let (start, times) = (Instant::now(), Mutex::new(Vec::new()));
    let one = |name: &'static str| -> Result<(), ChoreError> {
        let began = start.elapsed().as_secs();
        println!("== {name} begins ({began} s)");
        let path = work.join("output").join(name);
        let output = File::create(&path)?;
        let mut command = Command::new(env::current_exe()?);
        command.args(["ci", name, "--arena"]).arg(&arena);
        let status = command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output).status()?;
        let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        let ended = start.elapsed().as_secs();
        println!("{text}== {name} has ended after {} s ({ended} s)\n", ended - began);
        lock(&times).push((name, ended - began, status.success()));
        Ok(())
    };
    ALONE.iter().try_for_each(|(name, _)| one(name))?;
    let (one, anywhere) = (&one, &Mutex::new(ANYWHERE.iter()));
    thread::scope(|scope| {
        let lanes = LANES.map(|lane| {
            let left = iter::from_fn(|| lock(anywhere).next());
            scope.spawn(move || lane.iter().chain(left).try_for_each(|(name, _)| one(name)))
        });
        lanes.into_iter().try_for_each(|lane| {
            lane.join().unwrap_or_else(|_| Err(ChoreError("a lane panicked".to_owned())))
        })
    })?;
    let times = lock(&times);
    for (name, seconds, is_passed) in times.iter() {
        println!("{name:<14} {seconds:>5} s{}", if *is_passed { "" } else { "  failed" });
    }
    let failed: Vec<_> =
        times.iter().filter(|(_, _, is_passed)| !is_passed).map(|(name, ..)| *name).collect();
    if failed.is_empty() {
        return Ok(());
    }
    // Once more, since what a part printed may stand many thousands of lines above.
    for name in &failed {
        let text = String::from_utf8_lossy(&fs::read(work.join("output").join(name))?).into_owned();
        let lines: Vec<_> = text.lines().collect();
        println!("\n== {name} failed; its last lines:");
        println!("{}", lines[lines.len().saturating_sub(LAST_LINES)..].join("\n"));
    }
    Err(ChoreError(format!("these parts failed: {}; their output is above", failed.join(", "))))
}

/// Returns what a lock guards; nothing that holds one panics halfway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs tests with what only the second stage has: more games, all bots, and the executable that users have.
fn test(arena: &Path, words: &str) -> Result<(), ChoreError> {
    let under_test = format!("{SECOND_STAGE} ARENA_UNDER_TEST='{}'", arena.display());
    run(&format!("{under_test} cargo test --locked --quiet --test {words}"), &root())
}
