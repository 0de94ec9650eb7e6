//! The second stage of CI: foreign programs read what we write.

mod browser;
mod check_faults;
mod chess_engines;
mod workers;

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::shell::{ChoreError, executable, need, root, run};
use crate::{book, chaos, dist, game_logs, games, kits, shards, statistics};

/// The fuzz targets stand outside the workspace, where nothing else compiles them. Their library is C++.
const CHECK_FUZZ: &str = "command -v g++ > /dev/null || command -v clang++ > /dev/null || \
                          { echo 'install the Debian package g++' >&2; exit 1; }; \
                          cargo check --locked --quiet --manifest-path arena/fuzz/Cargo.toml";

/// One part of the second stage, given the executable and the folder where it works.
type Part = fn(&Path, &Path) -> Result<(), ChoreError>;

/// All parts by name, in their order: a later one may use what an earlier one has installed.
const PARTS: [(&str, Part); 20] = [
    ("game-logs", game_logs::check),
    ("rules", |arena, _| {
        need("node", "nodejs")?;
        run(&format!("node tests/bots/rules_test.mjs '{}'", arena.display()), &root())
    }),
    ("game-programs", |arena, work| {
        need("node", "nodejs")?;
        kits::check_games(arena, work)
    }),
    ("equal-rules", |_, _| test("--test end_to_end equal_rules::")),
    ("interruptions", |_, _| test("--test end_to_end interruptions::")),
    ("intake", |_, _| test("--test end_to_end intake -- --nocapture")),
    ("shards", shards::check),
    ("chaos", |_, _| {
        chaos::check(&["basic".to_owned(), "contest".to_owned()], None, 1)?;
        test("--test chaos limits::")
    }),
    ("games", games::check),
    ("chess-engines", chess_engines::check),
    ("browser", browser::check),
    // After that: it uses the browser.
    ("book", book::check),
    ("types", |_, work| kits::check_types(work)),
    ("statistics", |_, _| statistics::check_shortly()),
    ("fuzz", |_, _| run(CHECK_FUZZ, &root())),
    ("check-faults", |arena, _| check_faults::check(arena)),
    ("kits", |arena, work| {
        kits::check(arena, work)?;
        // The kits have brought the interpreters.
        run("ARENA_BOTS=all cargo test --locked --quiet --test end_to_end dialogues", &root())
    }),
    ("dist", dist::check),
    ("packages", dist::check_packages),
    // Last: it builds the executable with other features.
    ("workers", workers::check),
];

/// Plays a small tournament and lets foreign readers of game logs read it; asks for the rules from JavaScript;
/// plays the built-in games once more as games of one's own, refereed by `arena rules`;
/// builds the games of `arena/games` and holds them to counts and to other implementations; lets engines of chess play by
/// rules of one's own; takes in 80 entries; plays by the
/// recipes for shards; plays every attack of misbehaving bots; looks at pages in a
/// browser; makes the book; plays tournaments by lot and holds intervals to what they promise; compiles the fuzz targets; lets `arena check` find
/// every fault of a broken bot; builds the kits, plays with them and holds the dialogues with all bots; has workers play over a broker, and kills all of them.
///
/// Only the parts that are named, if any are: these work where the last whole run has left its folder.
///
/// # Errors
/// When a part fails, or one is named that there is not.
pub(crate) fn check(only: &[String]) -> Result<(), ChoreError> {
    let names = PARTS.map(|(name, _)| name);
    if let Some(unknown) = only.iter().find(|part| !names.contains(&part.as_str())) {
        return Err(ChoreError(format!("no part is called `{unknown}`: {}", names.join(", "))));
    }
    let root = root();
    let work = root.join("target").join("second-stage");
    if work.exists() && only.is_empty() {
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work)?;
    let arena = executable()?;
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|part| part == name);
    let mut times = Vec::new();
    for (name, part) in PARTS.iter().filter(|(name, _)| is_wanted(name)) {
        println!("\n== {name}");
        let start = Instant::now();
        part(&arena, &work).map_err(|error| ChoreError(format!("{name}: {error}")))?;
        times.push((name, start.elapsed().as_secs()));
    }
    println!();
    for (name, seconds) in times {
        println!("{name:<14} {seconds:>5} s");
    }
    Ok(())
}

/// Runs tests with what only the second stage has.
fn test(words: &str) -> Result<(), ChoreError> {
    run(&format!("ARENA_SECOND_STAGE=1 cargo test --locked --quiet {words}"), &root())
}
