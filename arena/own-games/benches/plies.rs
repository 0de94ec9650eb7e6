//! What a ply costs the referee, in microseconds: games of random plies, from the list of legal plies to the result, for the
//! built-in Fanorona and for games of one's own. `cargo xtask games`, then `cargo bench -p own-games --bench plies`; after
//! `--`, rules by their paths, instead of all that are in `arena/games` and `target/games`, or `fanorona` for the built-in one.
//! `--plies N` plays that many plies of each instead of two seconds: the difference of two such runs under `callgrind` is what
//! plies cost in instructions.

use std::error::Error;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs};

use own_games::{Origin, ProgramLimits, RulesProgram, load, load_module, named_source};
use processes::{Direct, ProcessSpec};
use rules::{Dice, Game, GameRef, RulesSource, Setup, find};

/// For how long each game is played.
const SPAN: Duration = Duration::from_secs(2);

/// The built-in game that others are compared with.
const BUILT_IN: &str = "fanorona";

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut named, mut most) = (Vec::new(), None);
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--plies" => most = Some(words.next().ok_or("`--plies` needs a number")?.parse()?),
            // Cargo's own.
            "--bench" => {}
            _ => named.push(PathBuf::from(word)),
        }
    }
    if named.is_empty() {
        named = shipped(&root)?;
        named.insert(0, BUILT_IN.into());
    }
    for path in named {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let setup = if name == BUILT_IN {
            find(BUILT_IN)?.setup(&[])?
        } else {
            GameRef::Own(open(&path)?).setup(&[])?
        };
        tell(&name, &setup, most)?;
    }
    Ok(())
}

/// Returns the rules in `arena/games` that run as they are, and those that were built.
fn shipped(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = vec![root.join("arena/games/telo/telo.py"), root.join("arena/games/hex/hex.mjs")];
    if let Ok(entries) = fs::read_dir(root.join("target/games")) {
        for entry in entries {
            let path = entry?.path();
            let is_module = path.extension().is_some_and(|extension| extension == "wasm");
            if is_module || path.ends_with("chess") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    Ok(paths)
}

/// Opens rules that are named by their path.
fn open(path: &Path) -> Result<Arc<Game>, Box<dyn Error>> {
    let directory = env::current_dir()?;
    match named_source(&path.to_string_lossy(), &directory) {
        Some(RulesSource::Module(file)) => Ok(load_module(&file, None, None)?),
        Some(RulesSource::Program { command, directory, files }) => {
            let args = command[1..].iter().map(Into::into).collect();
            let spec = ProcessSpec { args, ..ProcessSpec::new(&command[0], &directory) };
            let program = RulesProgram::new(spec, &Direct, ProgramLimits::default())?;
            let source = RulesSource::Program { command, directory, files };
            Ok(load(Arc::new(program), None, None, Origin { digest: String::new(), source, module: None })?)
        }
        None => Err(format!("`{}` is not the path of a file of rules", path.display()).into()),
    }
}

/// Plays random games, of so many plies altogether if told, and says what a ply costs.
fn tell(name: &str, setup: &Setup, most: Option<u32>) -> Result<(), Box<dyn Error>> {
    let start = setup.referee(None)?;
    let mut dice = Dice::new(1);
    let (began, mut plies, mut games) = (Instant::now(), 0_u32, 0_u32);
    while most.map_or_else(|| began.elapsed() < SPAN, |most| plies < most) {
        let mut game = start.fork();
        loop {
            let legal = game.legal();
            if legal.is_empty() || most == Some(plies) {
                break;
            }
            let ply = &legal[dice.below(legal.len())];
            game.submit(ply).map_err(|rejection| format!("{name}: {ply}: {rejection}"))?;
            plies += 1;
        }
        games += 1;
    }
    let micros = began.elapsed().as_secs_f64() * 1e6 / f64::from(plies);
    writeln!(stdout(), "{name:24} {micros:8.2} us a ply, {:6} plies a game", plies / games)?;
    Ok(())
}
