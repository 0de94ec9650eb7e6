//! Loading games of one's own: as somebody names them, and as a run has recorded them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use protocol::printable;
use record::{RulesConfig, RunSummary};
use rules::{Catalogue, Game, GameRef, RulesFault, RulesSource, Setup};
use thiserror::Error;

use crate::carrier::RulesCarrier;
use crate::client::RulesClient;
use crate::facts::check_id;
use crate::game::{Origin, ask_for_game};
use crate::module::{ModuleError, ModuleLimits, RulesModule};

/// The folder of a run's directory with the modules of its games.
pub const RULES: &str = "rules";

/// Why a game of one's own could not be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file is no module of rules.
    #[error("the rules in `{}` {}{error}", .file.display(), error.opening())]
    Module {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: ModuleError,
    },
    /// It does not answer as rules do.
    #[error(transparent)]
    Rules(#[from] RulesFault),
}

/// Returns where the rules are that a game is named by, if it is named by a path: one with a `/`, or a file that ends in `.wasm`.
/// Relative paths count from `base`.
///
/// Files of Python and JavaScript are started by their interpreters, other files by themselves.
///
/// ```
/// use std::path::{Path, PathBuf};
/// use rules::RulesSource;
///
/// let base = Path::new("/cup");
/// assert_eq!(own_games::named_source("dao.wasm", base), Some(RulesSource::Module(PathBuf::from("/cup/dao.wasm"))));
/// assert_eq!(own_games::named_source("farook", base), None);
/// ```
#[must_use]
pub fn named_source(name: &str, base: &Path) -> Option<RulesSource> {
    let path = Path::new(name);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if !name.contains('/') && extension != "wasm" {
        return None;
    }
    // Messages name the file as it was written.
    let file = if base == Path::new(".") { path.to_owned() } else { base.join(path) };
    let started_by = match extension {
        "wasm" => return Some(RulesSource::Module(file)),
        "py" => Some("python3"),
        "js" | "mjs" => Some("node"),
        _ => None,
    };
    let file = fs::canonicalize(&file).unwrap_or(file);
    let command = started_by.into_iter().map(str::to_owned).chain([file.to_string_lossy().into_owned()]);
    Some(RulesSource::Program { command: command.collect(), directory: base.to_owned(), files: Vec::new() })
}

/// Opens a module of rules.
///
/// # Errors
/// When the file is none.
pub fn open_module(file: &Path) -> Result<(Arc<dyn RulesCarrier>, Origin), LoadError> {
    let module = RulesModule::load(file, ModuleLimits::default())
        .map_err(|error| LoadError::Module { file: file.to_owned(), error })?;
    let origin = Origin {
        digest: module.digest().to_owned(),
        source: RulesSource::Module(file.to_owned()),
        module: Some(Arc::clone(module.bytes())),
    };
    Ok((Arc::new(module), origin))
}

/// Loads a game from a module; see [`load()`].
///
/// # Errors
/// When the file is no module of rules, or does not answer as rules do.
pub fn load_module(file: &Path, game: Option<&str>, name: Option<&str>) -> Result<Arc<Game>, LoadError> {
    let (carrier, origin) = open_module(file)?;
    Ok(load(carrier, game, name, origin)?)
}

/// Loads a game from rules that were opened. `game` is the id that they give it, needed where they know several; `name` is the id
/// under which it is played, where that is another one.
///
/// # Errors
/// When they do not answer as rules do.
pub fn load(
    carrier: Arc<dyn RulesCarrier>,
    game: Option<&str>,
    name: Option<&str>,
    origin: Origin,
) -> Result<Arc<Game>, RulesFault> {
    let called = name.map_or_else(|| source_words(&origin.source), str::to_owned);
    ask_for_game(&RulesClient::new(carrier, &called), game, name, origin)
}

fn source_words(source: &RulesSource) -> String {
    match source {
        RulesSource::Module(file) => printable(&file.to_string_lossy().into_owned()).into_owned(),
        RulesSource::Program { command, .. } => printable(&command.join(" ")).into_owned(),
    }
}

/// Adds to a run the rules of its games that are one's own: those that `known` has, and the modules that are kept in the run's
/// directory. Returns it, with what is to be said of rules that are not there.
///
/// A journal never makes the arena start a program: the user has to name programs.
#[must_use]
pub fn with_rules(mut run: RunSummary, directory: &Path, known: &Catalogue) -> (RunSummary, Vec<String>) {
    let mut notes = Vec::new();
    let mut seen = BTreeSet::new();
    let games = run.runs.iter().rev().flat_map(|run| &run.config.games);
    let own: Vec<_> = games.filter_map(|game| Some((game.game.clone(), game.rules.clone()?))).collect();
    for (id, recorded) in own {
        if !seen.insert(id.clone()) {
            continue;
        }
        match recorded_game(&id, &recorded, directory, known) {
            Ok(game) => {
                // It is not there twice, and no built-in game has rules of its own recorded.
                let _ = run.catalogue.add(game);
            }
            Err(why) => notes.push(format!("the rules of `{}` are not known: {why}", printable(&id))),
        }
    }
    (run, notes)
}

fn recorded_game(
    id: &str,
    recorded: &RulesConfig,
    directory: &Path,
    known: &Catalogue,
) -> Result<Arc<Game>, String> {
    if let Ok(GameRef::Own(game)) = known.find(id) {
        let digest = game.own_rules().map(|rules| rules.identity().to_owned()).unwrap_or_default();
        if digest == recorded.digest {
            return Ok(game);
        }
        let mut why = format!(
            "it was played by rules with the digest {}, and these have {}",
            short(&recorded.digest),
            short(&digest)
        );
        if !recorded.files.is_empty() {
            let _ = write!(why, "; the digest covers further files: `{}`", recorded.flags(id));
        } else if recorded.module.is_none() {
            let _ =
                write!(why, "; the digest covers the words of the command, too: `{}`", recorded.flags(id));
        }
        return Err(why);
    }
    if recorded.module.is_none() {
        let command = printable(&recorded.command.join(" ")).into_owned();
        return Err(format!(
            "they are a program, `{command}`, which is started only for those who name it: `{}`",
            recorded.flags(id)
        ));
    }
    check_id(id)?;
    let file = kept_module(directory, id);
    let game = load_module(&file, Some(&recorded.game), Some(id)).map_err(|error| error.to_string())?;
    let digest = game.own_rules().map(|rules| rules.identity().to_owned()).unwrap_or_default();
    if digest == recorded.digest {
        Ok(game)
    } else {
        Err(format!(
            "the module in the directory of the run is not the one that was played: its digest is {}, not {}",
            short(&digest),
            short(&recorded.digest)
        ))
    }
}

fn short(digest: &str) -> String {
    printable(&digest.chars().take(12).collect::<String>()).into_owned()
}

/// Adds to a catalogue the modules that are kept beside a journal or a game log, in the directory of a run.
///
/// What is no module of rules is left out: the games of the file say what they lack.
#[must_use]
pub fn with_modules_beside(path: &Path, mut catalogue: Catalogue) -> Catalogue {
    let directory = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let mut files: Vec<_> = fs::read_dir(directory.join(RULES))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    for file in files {
        let Some(id) = file.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if catalogue.find(id).is_ok() || file.extension().is_none_or(|ending| ending != "wasm") {
            continue;
        }
        // Rules that know several games are kept under the name of the one that was played.
        let game = load_module(&file, None, Some(id)).or_else(|_| load_module(&file, Some(id), Some(id)));
        if let Ok(game) = game {
            let _ = catalogue.add(game);
        }
    }
    catalogue
}

fn kept_module(directory: &Path, id: &str) -> PathBuf {
    directory.join(RULES).join(format!("{id}.wasm"))
}

/// Keeps the modules of these set-ups in the directory of a run, so that what was played can be shown and refereed again later
/// and elsewhere.
///
/// # Errors
/// When a file cannot be written.
pub fn keep_modules<'a>(setups: impl IntoIterator<Item = &'a Setup>, directory: &Path) -> io::Result<()> {
    for game in Catalogue::of(setups).own() {
        let Some(bytes) = game.own_rules().and_then(|rules| rules.module()) else { continue };
        let file = kept_module(directory, game.id);
        if fs::read(&file).is_ok_and(|there| there == bytes) {
            continue;
        }
        fs::create_dir_all(directory.join(RULES))?;
        // Whole or not at all: a run that is killed leaves no half of a module.
        let part = file.with_extension("wasm.part");
        fs::write(&part, bytes)?;
        fs::rename(&part, &file)?;
    }
    Ok(())
}
