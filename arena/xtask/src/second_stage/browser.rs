//! The pages of a run in a real browser.

use std::fs;
use std::path::Path;

use crate::shell::{ChoreError, need, root, run};

/// The browsers are packages of Debian, as Node is: they are installed where that is allowed, and nothing is skipped where it
/// is not.
const BROWSERS: [&str; 2] = ["chromium", "firefox-esr"];

/// A bot of these runs: as `slow` it sleeps while it thinks, so that a run lasts and leaves the processors to others.
const BOT: &str = "tests/bots/wordy.py";

/// Every game, some of them in other sizes, with names that a page might take for markup.
const TOURNAMENT: &str = "\
name: browser & co
games:
  - farook
  - faust
  - { game: faust, options: { size: 4 } }
  - frenzy
  - 2-frenzy
  - sophia
  - { game: sophia, options: { size: 6, swap: on } }
  - fanorona
  - { game: fanorona, options: { size: 5x5 } }
rounds: 1
tc: 10+0.1
bots:
  - { name: '<img src=x onerror=alert(1)>', builtin: random }
  - { name: greedy, builtin: greedy }
  - { name: '</script><script>alert(2)</script>', builtin: random }
  - { name: talkative, cmd: [python3, wordy.py, info] }
";

/// A tournament that runs while its live page is open; its bots can be played against.
const LASTING: &str = "\
name: cup
games: [farook, fanorona]
bots:
  - { name: '<img src=x onerror=alert(1)>', builtin: greedy }
  - { name: random, builtin: random }
rounds: 3000
tc: movetime 30ms
concurrency: 1
out: runs/cup
";

/// A run that lasts as long as its page is open.
const WATCHED: &str = "\
name: watch
games:
  - farook
  - 2-frenzy
  - { game: fanorona, options: { size: 5x5 } }
rounds: 1000
tc: movetime 300ms
margin: 5s
concurrency: 2
out: runs/watch
bots:
  - { name: '<img src=x onerror=alert(1)>', builtin: random }
  - { name: thinker, builtin: alphabeta }
";

/// A run whose games take a while and little of the processors, for pages that need a run that goes on.
const SLOW: &str = "\
name: cup
games:
  - farook
  - { game: fanorona, options: { size: 5x5 } }
rounds: 1000
tc: movetime 1s
margin: 5s
concurrency: 1
out: runs/cup
bots:
  - { name: greedy, builtin: greedy }
  - { name: slow, cmd: [python3, wordy.py, slow] }
";

/// A run of games of one's own: one declares a look, the other none.
const OWN: &str = "\
name: cup
rules: {telo: [python3, telo.py], stones: [python3, stones.py]}
games: [telo, stones]
bots:
  - { name: random, builtin: random }
  - { name: slow, cmd: [python3, wordy.py, slow] }
rounds: 3000
tc: movetime 1s
margin: 5s
concurrency: 2
openings: {turns: 1, repeat: true}
out: runs/cup
";

/// The files of its rules.
const OWN_FILES: [&str; 3] =
    ["arena/games/telo/telo.py", "arena/games/python/arena_rules.py", "tests/bots/stones.py"];

/// A run at tables of three.
const TABLES: &str = "\
name: cup
games: [{game: 2-frenzy, options: {players: 3}}]
bots:
  - { name: a, builtin: random }
  - { name: b, builtin: random }
  - { name: c, cmd: [python3, wordy.py, slow] }
  - { name: d, builtin: greedy }
rounds: 3000
tc: movetime 1s
margin: 5s
concurrency: 1
openings: {turns: 2, repeat: true}
out: runs/cup
";

/// axe-core finds what keeps people from using a page. It comes from npm, which is a package of Debian, and stays in the
/// folder where it is used.
const NEED_AXE: &str = "test -f node_modules/axe-core/axe.min.js || \
                        npm install --no-audit --no-fund --no-save --prefix . axe-core@4.14.1 || \
                        { echo 'install the Debian package npm: it fetches axe-core' >&2; exit 1; }";

/// The bots of the runs in every format: two of them are told apart by the ends of their names alone.
const ENTRANTS: &str = "
bots:
  - { name: greedy, builtin: greedy }
  - { name: random-one, builtin: random }
  - { name: random-two-with-a-long-name-of-the-kind-students-give-v17, builtin: random }
  - { name: random-two-with-a-long-name-of-the-kind-students-give-v18, builtin: random }
  - { name: greedy-two, builtin: greedy }
  - { name: '<img src=x onerror=alert(1)>', builtin: random }
";

/// A test of strength.
const TEST: &str = "
format: sprt
games: [farook]
rounds: 40
tc: nodes 100
sprt: { elo0: 0, elo1: 200 }
bots:
  - { name: greedy-new, builtin: greedy }
  - { name: random-base, builtin: random }
";

/// A run in each format, by its name and its file.
fn formats() -> Vec<(&'static str, String)> {
    let kinds = [
        ("round-robin", ""),
        ("gauntlet", "seeds: [greedy]\n"),
        ("swiss", ""),
        ("knockout", ""),
        ("double-knockout", ""),
        ("ladder", ""),
    ];
    let head = "games: [farook, frenzy]\nrounds: 2\ntc: nodes 100\n";
    let file = |(kind, more): (&'static str, &str)| (kind, format!("format: {kind}\n{more}{head}{ENTRANTS}"));
    kinds.into_iter().map(file).chain([("sprt", TEST.to_owned())]).collect()
}

/// Plays a run in each format.
fn play_formats(arena: &str, folder: &Path) -> Result<(), ChoreError> {
    fs::create_dir_all(folder.join("formats"))?;
    for (kind, text) in formats() {
        fs::write(folder.join(format!("{kind}.yaml")), text)?;
        run(&format!("'{arena}' run {kind}.yaml --out formats/{kind}"), folder)?;
    }
    Ok(())
}

/// Plays a small tournament of all games and looks at its page, at the reports of all formats, at a run followed by the files of
/// `arena report --watch`, then at the pages of `arena serve`, where games are played by hand, also on small screens, before
/// axe-core, by rules of one's own and at tables of three; then ends that server, and looks at what its pages do. All that is in Chromium; what must work in every browser is
/// done in Firefox as well. Pictures are left in `browser/pictures`.
pub(crate) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    for browser in BROWSERS {
        need(&[browser], &[browser])?;
    }
    let folder = work.join("browser");
    let reliable = SLOW.replace("concurrency: 1", "concurrency: 2");
    let files = [
        ("watched", "watch.yaml", WATCHED),
        ("served", "cup.yaml", LASTING),
        ("small", "cup.yaml", SLOW),
        ("core", "cup.yaml", SLOW),
        ("reliable", "cup.yaml", &reliable),
        ("own", "cup.yaml", OWN),
        ("tables", "cup.yaml", TABLES),
    ];
    for (name, file, text) in files {
        fs::create_dir_all(folder.join(name))?;
        fs::write(folder.join(name).join(file), text)?;
        fs::copy(root().join(BOT), folder.join(name).join("wordy.py"))?;
    }
    for file in OWN_FILES.map(Path::new) {
        fs::copy(root().join(file), folder.join("own").join(file.file_name().unwrap_or_default()))?;
    }
    fs::write(folder.join("browser.yaml"), TOURNAMENT)?;
    fs::copy(root().join(BOT), folder.join("wordy.py"))?;
    run(NEED_AXE, &folder)?;
    let arena = arena.display();
    run(&format!("'{arena}' run browser.yaml --out run"), &folder)?;
    play_formats(&arena.to_string(), &folder)?;
    let folder = folder.display();
    let look = |script: &str, arguments: &str| {
        let axe = format!("ARENA_AXE='{folder}/node_modules/axe-core/axe.min.js'");
        run(&format!("{axe} node tests/browser/{script}.mjs {arguments} '{folder}/pictures'"), &root())
    };
    look("report", &format!("'{arena}' '{folder}/run'"))?;
    look("formats", &format!("'{folder}/formats'"))?;
    look("watch", &format!("'{arena}' '{folder}/watched'"))?;
    look("serve", &format!("'{arena}' '{folder}/served'"))?;
    look("small", &format!("'{arena}' '{folder}/small'"))?;
    look("own", &format!("'{arena}' '{folder}/own'"))?;
    look("tables", &format!("'{arena}' '{folder}/tables'"))?;
    look("reliable", &format!("'{arena}' '{folder}/reliable'"))?;
    look("core", &format!("firefox '{arena}' '{folder}/core' '{folder}/run'"))
}
