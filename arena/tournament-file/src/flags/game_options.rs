//! A game as people name it, with its options: what is wrong with either, and with a position of it.

use std::collections::BTreeMap;
use std::path::Path;

use diagnostic::{Diagnostic, Failure};
use protocol::printable;
use rules::{Catalogue, GameRef, OptionError, RulesFault, Setup, StartError, UnknownGame};

use crate::games::own_rules::{self, RulesPlace};
use crate::written::raw::RawCommand;

pub use crate::game_words::{GameWords, typed};

/// Returns a game as it was typed ([`GameWords::read`]), with further options, `key=value` each.
///
/// # Errors
/// Names the game or option that does not exist, with what does.
pub fn setup(game: &str, options: &[String]) -> Result<Setup, Failure> {
    let words = GameWords::read(game);
    let game = named(&words.game)?;
    let mut pairs = Vec::new();
    for option in words.options.iter().chain(options) {
        let pair = option.split_once('=').ok_or_else(|| {
            Failure::usage(format!("option `{option}` has no value"))
                .hint(format!("options follow the name of the game: `{}:key=value,key=value`", game.id))
        })?;
        pairs.push(pair);
    }
    Ok(game.setup(&pairs).map_err(|error| option_error(game.id, &error))?)
}

/// Returns the game of a name, or of the rules in a file.
fn named(name: &str) -> Result<GameRef, Diagnostic> {
    let mut catalogue = Catalogue::default();
    let here = Path::new(".");
    let path = name.split('#').next().unwrap_or_default();
    if own_games::named_source(path, here).is_some() {
        let place = RulesPlace::of(here);
        return own_rules::add(&RawCommand::Line(name.to_owned()), None, &place, &mut catalogue);
    }
    catalogue.find(name).map_err(|error| unknown_game(&error))
}

/// Loads games of one's own, each written as `GAME=RULES`, and the files of their programs, each as `GAME=FILE,…`.
///
/// # Errors
/// Says what is wrong with one of them.
pub fn catalogue(rules: &[String], files: &[String]) -> Result<Catalogue, Diagnostic> {
    let mut catalogue = Catalogue::default();
    let mut files_of: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for text in files {
        let (name, files) = text.split_once('=').ok_or_else(|| {
            Diagnostic::new(format!("`--rules-files {}` names no game", printable(text)))
                .hint("write `--rules-files GAME=FILE,…`, for example `--rules-files telo=arena_rules.py`")
        })?;
        files_of.entry(name).or_default().extend(files.split(',').map(str::to_owned));
    }
    for text in rules {
        let (name, line) = text.split_once('=').ok_or_else(|| {
            Diagnostic::new(format!("`--rules {}` names no game", printable(text)))
                .hint("write `--rules GAME=RULES`, for example `--rules dao=./dao.wasm`")
        })?;
        let files = files_of.remove(name).unwrap_or_default();
        let place = RulesPlace { files: &files, ..RulesPlace::of(Path::new(".")) };
        own_rules::add(&RawCommand::Line(line.to_owned()), Some(name), &place, &mut catalogue)?;
    }
    if let Some(name) = files_of.keys().next() {
        let name = printable(name);
        return Err(Diagnostic::new(format!(
            "`--rules-files` names the game `{name}`, but no `--rules` does"
        ))
        .hint(format!("add `--rules {name}=RULES`")));
    }
    Ok(catalogue)
}

/// Says that there is no such game.
pub fn unknown_game(error: &UnknownGame) -> Diagnostic {
    let known = &error.known;
    let words: Vec<_> =
        error.id.split(|sign: char| " ,;-".contains(sign)).filter(|word| !word.is_empty()).collect();
    let are_games = words.len() > 1 && words.iter().all(|word| known.contains(word));
    let is_file = |name: &&str| Path::new(name).is_file();
    let with_ending = ["wasm", "py", "mjs", "js"].map(|ending| format!("{}.{ending}", error.id));
    let as_command = error.id.split_whitespace().skip(1);
    let file = [error.id.as_str()].into_iter().chain(with_ending.iter().map(String::as_str)).find(is_file);
    let file = file.or_else(|| as_command.map(|word| word.trim_start_matches("./")).find(is_file));
    Diagnostic::new(format!("unknown game `{}`", error.id)).hint(match (file, error.nearest()) {
        (Some(file), _) => {
            format!("the rules in a file of this directory are named with a `/`: `./{}`", printable(file))
        }
        _ if are_games => format!("several games are a list: `[{}]`", words.join(", ")),
        (_, Some(near)) => format!("did you mean `{near}`?"),
        (_, None) => format!("the games are {}", known.join(", ")),
    })
}

/// Says what is wrong with an option of a game.
pub fn option_error(game: &str, error: &OptionError) -> Diagnostic {
    match error {
        OptionError::Unknown { key, nearest, known } => {
            Diagnostic::new(format!("game `{game}` has no option `{key}`")).hint(match nearest {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "it has no options".to_owned(),
                None => format!("its options are {}", known.join(", ")),
            })
        }
        OptionError::Value { key, value, allowed } => {
            Diagnostic::new(format!("option `{key}` of game `{game}` cannot be `{value}`"))
                .hint(format!("allowed: {}", allowed.replace('|', ", ").replace("..", " to ")))
        }
        OptionError::Twice { key } => Diagnostic::new(format!("option `{key}` is given twice")),
    }
}

/// Says how the rules of a game of one's own failed.
pub fn rules_fault(fault: &RulesFault) -> Diagnostic {
    Diagnostic::new(fault.to_string()).hint("`arena check-game` says more about rules")
}

/// Says what is wrong with a position string, or with the rules that were asked about it.
pub fn position_error(setup: &Setup, error: &StartError) -> Failure {
    if let StartError::Rules(fault) = error {
        return rules_fault(fault).into();
    }
    let failure = Failure::usage(format!("not a position of `{}`: {error}", setup.label()));
    match setup.referee(None) {
        Ok(referee) => failure.hint(format!("the game starts from `{}`", referee.position())),
        Err(_) => failure,
    }
}
