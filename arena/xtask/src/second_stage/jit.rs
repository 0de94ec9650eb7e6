//! The feature `jit`: compiled modules answer as interpreted ones do, also in the sandbox of a bot.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::workers::FEATURES;
use crate::games;
use crate::shell::{ChoreError, root, run, target};

/// The modules that both engines are asked.
const MODULES: [&str; 4] = ["dao", "othello", "connect-four", "trails"];

/// A match in which the referee asks compiled rules, and so does a search in its sandbox.
const MATCH: &str = "match mcts greedy --rounds 1 --seed 7 --tc 'nodes 40' --game";

/// How long it may take until the bot and the referee have compiled the rules.
const LIMIT: Duration = Duration::from_secs(300);

/// Asks both engines everything, plays a match with an executable of either kind, and looks whether the bots have compiled rules.
pub(super) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    let modules = root().join("target/games");
    for name in MODULES {
        if !modules.join(format!("{name}.wasm")).is_file() {
            games::build(&[name.to_owned()])?;
        }
    }
    let folder = work.join("jit");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    // A copy: where this part is run alone, the other executable is built in its place.
    let interpreting = folder.join("interpreting");
    fs::copy(arena, &interpreting)?;
    run(&format!("cargo test {FEATURES} --test modules --test engines"), &root())?;
    // With the tests that play with it: what only they depend on asks for more of common packages.
    run(&format!("cargo test {FEATURES} --no-run --test workers"), &root())?;
    let compiling = target().join("debug").join("arena");
    for module in ["dao", "connect-four"] {
        let file = modules.join(format!("{module}.wasm"));
        let games = [("interpreted", interpreting.as_path()), ("compiled", compiling.as_path())].map(
            |(kind, arena)| {
                let out = format!("{module}-{kind}");
                let line =
                    format!("'{}' {MATCH} '{}' --out {out} > {out}.txt", arena.display(), file.display());
                run(&line, &folder).and_then(|()| read_games(&folder.join(out)))
            },
        );
        let [interpreted, compiled] = games;
        let (interpreted, compiled) = (interpreted?, compiled?);
        println!("{module}: {} games", interpreted.len());
        if interpreted.len() != 2 || interpreted != compiled {
            return Err(ChoreError(format!(
                "the games of {module} in {} are not the same",
                folder.display()
            )));
        }
    }
    bots_compile(&compiling, &modules.join("dao.wasm"), &folder)
}

/// Returns what was played in a run, by the numbers of its games.
fn read_games(run: &Path) -> Result<Vec<Value>, ChoreError> {
    let mut games = Vec::new();
    for line in fs::read_to_string(run.join("journal.jsonl"))?.lines() {
        let mut line: Value = serde_json::from_str(line).map_err(|error| ChoreError(error.to_string()))?;
        if line["type"] == "game" {
            // How long it took.
            for ply in line["plies"].as_array_mut().into_iter().flatten() {
                ply.as_object_mut().map(|ply| ply.remove("us"));
            }
            games.push(json!([line["number"], line["result"], line["reason"], line["plies"]]));
        }
    }
    games.sort_by_key(|game| game[0].as_u64());
    Ok(games)
}

/// Holds that a bot in a sandbox has code in memory that comes from no file: else it would only be slower, and nobody would know.
fn bots_compile(arena: &Path, module: &Path, folder: &Path) -> Result<(), ChoreError> {
    let mut command = Command::new(arena);
    command.args(["match", "mcts", "random", "--rounds", "500", "--tc", "nodes 2000", "--game"]).arg(module);
    let mut playing = command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let began = Instant::now();
    let is_found = loop {
        if searches_with_code()? {
            break true;
        }
        if began.elapsed() > LIMIT || playing.try_wait()?.is_some() {
            break false;
        }
        thread::park_timeout(Duration::from_millis(200));
    };
    // Its guards end what it has started.
    playing.kill()?;
    playing.wait()?;
    if is_found { Ok(()) } else { Err(ChoreError("no bot in a sandbox has compiled its rules".to_owned())) }
}

/// Returns whether there is a search that asks rules, with code of its own making.
fn searches_with_code() -> Result<bool, ChoreError> {
    for process in fs::read_dir("/proc")? {
        let process = process?.path();
        // Processes end while they are looked at.
        let read =
            |name| fs::read(process.join(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let (Ok(words), Ok(maps)) = (read("cmdline"), read("maps")) else { continue };
        let words: Vec<_> = words.split('\0').collect();
        let is_bot = words.get(1..4).is_some_and(|words| words == ["bot", "mcts", "--rules"]);
        let is_code = |line: &str| line.contains(" r-xp 00000000 00:00 0") && !line.ends_with(']');
        if is_bot && maps.lines().any(is_code) {
            return Ok(true);
        }
    }
    Ok(false)
}
