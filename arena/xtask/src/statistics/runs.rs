//! Real runs of built-in bots: how often their intervals hold what one long run comes to, and how many pairs of runs are
//! said to differ.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::Table;
use super::share::{Band, Share};
use crate::shell::{ChoreError, root, run, target};

/// Eight bots of different strength. Random openings of six plies favour one seat, and one bot more than another; the search is
/// deterministic, so that all chance lies in the openings, the worst case for what shares one. `random` is not
/// among them: it loses every game, which leaves it without a rating.
const TOURNAMENT: &str = "\
name: statistics
games: [farook]
tc: nodes 100
bots:
  - {name: greedy, builtin: greedy}
  - {name: nodes10, builtin: alphabeta, tc: nodes 10, options: {Hash: 1}}
  - {name: nodes20, builtin: alphabeta, tc: nodes 20, options: {Hash: 1}}
  - {name: nodes40, builtin: alphabeta, tc: nodes 40, options: {Hash: 1}}
  - {name: nodes80, builtin: alphabeta, tc: nodes 80, options: {Hash: 1}}
  - {name: nodes160, builtin: alphabeta, tc: nodes 160, options: {Hash: 1}}
  - {name: nodes320, builtin: alphabeta, tc: nodes 320, options: {Hash: 1}}
  - {name: nodes640, builtin: alphabeta, tc: nodes 640, options: {Hash: 1}}
";

/// Rounds of a run.
const ROUNDS: u32 = 12;

/// The rounds of the long run for each of the other runs of its kind, [`MOST_ROUNDS`] at most.
const ROUNDS_OF_TRUTH: u32 = 15;

/// Beyond this its own error no longer matters.
const MOST_ROUNDS: u32 = 1200;

const COVERAGE: Band = Band { low: 0.93, high: 0.97 };

const CHANGED: Band = Band { low: 0.0, high: 0.05 };

/// A figure and half the width of its 95 % interval.
type Figure = (f64, f64);

/// The figures of a run.
#[derive(Debug)]
struct Figures {
    ratings: BTreeMap<String, Figure>,
    advantage: Option<Figure>,
}

/// Plays the runs and prints the table.
pub(super) fn measure(table: &mut Table<'_>, runs: u32) -> Result<(), ChoreError> {
    let arena = build()?;
    let folder = root().join("target").join("statistics");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("statistics.yaml"), TOURNAMENT)?;
    let rounds = (ROUNDS_OF_TRUTH * runs).min(MOST_ROUNDS);
    let truth = play(&arena, &folder, "truth", "pair", rounds, 0)?;
    println!("the truth: {rounds} rounds, errors included below");
    for (name, (elo, error)) in &truth.ratings {
        println!("{name:>12} {elo:+7.1} \u{b1} {error:.1}");
    }
    let title = format!("real runs of 8 bots, {ROUNDS} rounds of farook, {runs} of each kind");
    table.head(&title, &["rating", "seat", "changed", "width"]);
    for (place, per) in (1..).zip(["pair", "round"]) {
        let mut names: Vec<String> = Vec::new();
        let (mut ratings, mut advantages, mut changed) =
            (Share::default(), Share::default(), Share::default());
        let mut width = 0.0;
        for number in 0..runs {
            let name = format!("{per}{number}");
            let seed = 1_000_000 * place + u64::from(number);
            let found = play(&arena, &folder, &name, per, ROUNDS, seed)?;
            ratings += Share::of(truth.ratings.iter().filter_map(|(bot, truth)| {
                let figure = *found.ratings.get(bot)?;
                width += figure.1;
                Some(is_held(figure, *truth))
            }));
            let both = found.advantage.zip(truth.advantage);
            advantages += Share::of(both.map(|(figure, truth)| is_held(figure, truth)));
            let before: &[String] = &names;
            let found: Result<Vec<bool>, ChoreError> =
                before.iter().map(|before| is_changed(&arena, &folder, before, &name)).collect();
            changed += Share::of(found?);
            names.push(name);
        }
        let shares = [(ratings, COVERAGE), (advantages, COVERAGE), (changed, CHANGED)];
        table.row(&format!("openings per {per}"), &shares, &[format!("{:7.1} ", width / ratings.all())]);
    }
    Ok(())
}

/// Builds the executable.
fn build() -> Result<PathBuf, ChoreError> {
    run("cargo build --locked --quiet --release --bin arena", &root())?;
    Ok(target().join("release").join("arena"))
}

/// Plays a run and rates it.
fn play(
    arena: &Path,
    folder: &Path,
    name: &str,
    per: &str,
    rounds: u32,
    seed: u64,
) -> Result<Figures, ChoreError> {
    let (openings, rounds, seed) = (format!("turns=6,per={per}"), rounds.to_string(), seed.to_string());
    let words = [
        "run",
        "statistics.yaml",
        "--out",
        name,
        "--openings",
        &openings,
        "--rounds",
        &rounds,
        "--seed",
        &seed,
        "--concurrency",
        "4",
    ];
    tell(arena, folder, words, &[0])?;
    let (_, text) = tell(arena, folder, ["rate", name, "--format", "json"], &[0])?;
    figures(&text).ok_or_else(|| ChoreError(format!("no ratings of `{name}`: {text}")))
}

/// Returns whether two runs are said to differ.
fn is_changed(arena: &Path, folder: &Path, before: &str, after: &str) -> Result<bool, ChoreError> {
    Ok(tell(arena, folder, ["compare", before, after], &[0, 1])?.0 == 1)
}

/// Runs the executable and returns its exit code, one of those expected, and what it prints.
fn tell(
    arena: &Path,
    folder: &Path,
    words: impl IntoIterator<Item = impl AsRef<OsStr>>,
    codes: &[i32],
) -> Result<(i32, String), ChoreError> {
    let mut command = Command::new(arena);
    let output = command.args(words).current_dir(folder).stdin(Stdio::null()).output()?;
    let code = output.status.code().filter(|code| codes.contains(code));
    let code = code.ok_or_else(|| {
        ChoreError(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
    })?;
    Ok((code, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Reads what `arena rate --format json` prints; figures that a prior holds are left out.
fn figures(text: &str) -> Option<Figures> {
    let document: Value = serde_json::from_str(text).ok()?;
    let figure = |of: &Value, value: &str| {
        let is_plain = !of["regularized"].as_bool()?;
        Some((of[value].as_f64()?, of["error95"].as_f64()?)).filter(|_| is_plain)
    };
    let players = document["players"].as_array()?.iter();
    let ratings = players.filter_map(|player| {
        let name = player["name"].as_str()?.to_owned();
        Some((name, figure(player, "rating")?))
    });
    let advantage = document["first_seat_advantage"].as_object()?.values().next();
    Some(Figures {
        ratings: ratings.collect(),
        advantage: advantage.and_then(|advantage| figure(advantage, "elo")),
    })
}

/// Returns whether an interval holds the truth, which has an error of its own.
fn is_held((value, error95): Figure, (truth, its_error): Figure) -> bool {
    (value - truth).abs() <= error95.hypot(its_error)
}
