//! Bots that come with their sources: the files that `from` of a tournament file names, one for each entry.
//!
//! An entry's file is written by the author of the bot. It says what is the author's business; what a tournament decides
//! (time controls, built-in bots, sandboxes) it cannot say. Its paths are taken from its own directory, and those of
//! its files do not lead out of it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use diagnostic::Diagnostic;
use glob::{MatchOptions, Pattern};
use settings::ENTRY;

use crate::written::errors::{InputErrors, Spot};
use crate::written::path::Path as KeyPath;
use crate::written::raw::{EntryOrigin, Placed, RawBot, RawEntry, RawFile, RawPatterns};
use crate::written::read::Document;

/// The most bytes of an entry's file.
const MOST_BYTES: u64 = 64 * 1024;

/// The most entries of a tournament.
const MOST_ENTRIES: usize = 10_000;

/// How patterns are read: `*` stands for no slash and for no dot at the start of a name.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// Puts the entries that a tournament file names where the items stand that name them, in the order of their
/// paths; what is wrong is noted.
pub(crate) fn expand(raw: &mut RawFile, base: &Path, errors: &mut InputErrors) {
    let Some(items) = raw.bots.take() else { return };
    let mut seen = BTreeSet::new();
    let mut bots = Vec::new();
    for item in items {
        let Some(bot) = &item.value else {
            bots.push(item);
            continue;
        };
        match &bot.from {
            Some(patterns) => bots.extend(find(bot, patterns, &item.spot, base, &mut seen, errors)),
            None if bot.is_alone => {
                if !errors.has_error_at(&item.spot) {
                    let message = "`bots` is a list of bots, or a map with the key `from`";
                    let hint = "each bot is an item: `bots: [{name: mine, cmd: [python3, mine.py]}]`, or on lines of its own after `- `";
                    errors.add(&item.spot, Diagnostic::new(message).hint(hint));
                }
                bots.push(Placed { spot: item.spot, value: None });
            }
            None => bots.push(item),
        }
    }
    raw.bots = Some(bots);
}

/// Returns the entries that one item names; an empty item where there is none.
fn find(
    bot: &RawBot,
    patterns: &RawPatterns,
    spot: &Spot,
    base: &Path,
    seen: &mut BTreeSet<PathBuf>,
    errors: &mut InputErrors,
) -> Vec<Placed<RawBot>> {
    let from = spot.key("from");
    let nothing = || Placed { spot: spot.clone(), value: None };
    let alone = RawBot { from: bot.from.clone(), is_alone: bot.is_alone, ..RawBot::default() };
    if *bot != alone {
        let message = "`from` stands alone: what else there is to say of an entry stands in its own file";
        errors.add_key(&from, Diagnostic::new(message).hint("remove the other keys of this item"));
    }
    let mut bots = Vec::new();
    for (index, pattern) in patterns.patterns.iter().enumerate() {
        let spot = if patterns.is_list { from.item(index) } else { from.clone() };
        let paths = match paths(pattern, base) {
            Ok(paths) => paths,
            Err(diagnostic) => {
                errors.add(&spot, diagnostic);
                continue;
            }
        };
        if paths.len() > MOST_ENTRIES {
            let message = format!("`{pattern}` names {} files; at most {MOST_ENTRIES} play", paths.len());
            errors.add(&spot, Diagnostic::new(message).hint("name fewer"));
            continue;
        }
        for path in paths.into_iter().filter(|path| seen.insert(path.clone())) {
            let shown = path.strip_prefix(base).unwrap_or(&path).display().to_string();
            match text(&path) {
                Ok(text) => bots.push(bot_of(&shown, &text, &path, errors)),
                Err(diagnostic) => errors.add(&spot, diagnostic.within(&format!("`{shown}`"))),
            }
        }
    }
    if patterns.patterns.is_empty() {
        errors.add(
            &from,
            Diagnostic::new("`from` names no files").hint("for example `from: 'submissions/*/bot.yaml'`"),
        );
    }
    // An item that is empty counts, and its error is noted.
    if bots.is_empty() { vec![nothing()] } else { bots }
}

/// Returns the files that a pattern names, in the order of their paths.
fn paths(pattern: &str, base: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    const EXAMPLE: &str =
        "for example `submissions/*/bot.yaml`: `*` stands for any part of a name, `**` for any folders";
    let above = base.to_str().ok_or_else(|| {
        let message = "`from` cannot be used in a directory whose name is not UTF-8";
        Diagnostic::new(message).hint("rename the directory of the tournament file")
    })?;
    let whole = if Path::new(pattern).is_absolute() {
        pattern.to_owned()
    } else {
        format!("{}/{pattern}", Pattern::escape(above))
    };
    let found = glob::glob_with(&whole, OPTIONS).map_err(|error| {
        Diagnostic::new(format!("`{pattern}` is not a pattern: {}", error.msg)).hint(EXAMPLE)
    })?;
    let mut paths = found.collect::<Result<Vec<_>, _>>().map_err(|error| {
        Diagnostic::new(format!("failed to read `{}`: {}", error.path().display(), error.error()))
    })?;
    paths.sort();
    if paths.is_empty() {
        let message = format!("`{pattern}` names no file");
        return Err(Diagnostic::new(message).hint(crate::bots::program::origin(base)).hint(EXAMPLE));
    }
    Ok(paths)
}

/// Reads an entry's file.
pub(crate) fn text(path: &Path) -> Result<String, Diagnostic> {
    let failed = |error: &io::Error| Diagnostic::new(format!("failed to read the file of an entry: {error}"));
    let meta = fs::metadata(path).map_err(|error| failed(&error))?;
    if meta.is_dir() {
        let hint = "name the file within it, for example `submissions/*/bot.yaml`";
        return Err(Diagnostic::new("this is a directory, not the file of an entry").hint(hint));
    }
    let bytes = record::read_regular(path, MOST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => Diagnostic::new("this is too long for the file of an entry")
            .hint(format!("at most {MOST_BYTES} bytes are read")),
        _ => failed(&error).hint("an entry is a file of text"),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count();
        Diagnostic::new(format!("line {line} is not UTF-8 text")).hint("save the file as UTF-8")
    })?;
    // Some editors begin a file with a byte order mark.
    Ok(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
}

/// Returns the bot that an entry's file describes; an empty item where the file is wrong as a whole.
fn bot_of(name: &str, text: &str, path: &Path, errors: &mut InputErrors) -> Placed<RawBot> {
    let entry = read(name, text, errors);
    let value = entry.raw.map(|raw| into_bot(raw, path.parent().unwrap_or(path), &entry.spot, errors));
    Placed { spot: entry.spot, value }
}

/// What came of reading an entry's file.
pub(crate) struct Read {
    /// What was written, unless nothing can be made of it.
    pub raw: Option<RawEntry>,
    /// Where it was written.
    pub spot: Spot,
}

/// Reads the text of an entry's file; what is wrong is noted.
pub(crate) fn read(name: &str, text: &str, errors: &mut InputErrors) -> Read {
    let number = errors.open(name, text);
    let spot = Spot::Document(number, KeyPath::default());
    let raw = Document { name, text, form: &ENTRY, number: Some(number) }.read::<RawEntry>(errors);
    let raw = match raw {
        Ok(_) if errors.is_wrong(&spot) => None,
        Ok(raw) => Some(raw),
        Err(diagnostic) => {
            errors.add(&spot, diagnostic);
            None
        }
    };
    Read { raw, spot }
}

/// Returns an entry as a bot whose paths are taken from `dir`.
pub(crate) fn into_bot(raw: RawEntry, dir: &Path, spot: &Spot, errors: &mut InputErrors) -> RawBot {
    let keys = [("name", raw.name.is_none()), ("run", raw.run.is_none())];
    let lacking: Vec<_> =
        keys.iter().filter(|(key, lacks)| *lacks && !errors.has_error_at(&spot.key(key))).collect();
    if !lacking.is_empty() {
        let names: Vec<_> = lacking.iter().map(|(key, _)| format!("no `{key}`")).collect();
        let hint = "an entry has at least these keys: `name: mine` and `run: [python3, mine.py]`";
        errors.add(spot, Diagnostic::new(format!("this entry has {}", names.join(" and "))).hint(hint));
    }
    let inside = |path: &str| {
        Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    let mut refuse = |path: &str, spot: &Spot| {
        if !inside(path) {
            let message = format!("`{path}` leads out of the entry's directory");
            errors.add(
                spot,
                Diagnostic::new(message).hint("an entry is complete: its files lie beside `bot.yaml`"),
            );
        }
    };
    if let Some(path) = &raw.dir {
        refuse(path, &spot.key("dir"));
    }
    for (index, path) in raw.files.iter().flatten().enumerate() {
        refuse(path, &spot.key("files").item(index));
    }
    let is_built = raw.build.is_some();
    RawBot { entry: Some(EntryOrigin { dir: dir.to_path_buf(), is_built }), ..raw.into_bot() }
}
