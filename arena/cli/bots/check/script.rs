//! `arena check --script`: dialogues that somebody has written down, held with the bot.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use conformance::{CheckError, Connector, Script, SuiteSettings, TestVerdict};
use diagnostic::Failure;
use protocol::printable;
use serde_json::{Value, json};

use super::text;

/// The end of the names of dialogues, where a folder is named.
const EXTENSION: &str = "abp";

/// The version of the shape of the document.
const VERSION: u32 = 1;

/// What came of one dialogue.
pub(super) struct Held {
    name: String,
    verdict: TestVerdict,
    took: Duration,
}

/// The most bytes of a dialogue.
const MOST_BYTES: u64 = 16 << 20;

/// Reads dialogues: files, and the `.abp` files of folders in the order of their names.
///
/// # Errors
/// When one cannot be read, or a folder has none.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<Script>, Failure> {
    let mut scripts = Vec::new();
    for path in paths {
        let files = if path.is_dir() { files(path)? } else { vec![path.clone()] };
        for file in files {
            let path = file.display().to_string();
            let name = printable(&path);
            let text = record::read_named(&file, MOST_BYTES)
                .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
                .map_err(|error| Failure::io(format!("failed to read the dialogue `{name}`"), &error))?;
            scripts.push(Script::read(&name, &text).map_err(|error| {
                Failure::usage(error.to_string())
                    .hint("protocol-spec/vectors/README.md describes the format of dialogues")
            })?);
        }
    }
    Ok(scripts)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let name = folder.display();
    let entries = fs::read_dir(folder)
        .map_err(|error| Failure::io(format!("failed to read the folder `{name}`"), &error))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    files.sort();
    if files.is_empty() {
        return Err(Failure::usage(format!("the folder `{name}` has no file that ends in `.{EXTENSION}`")));
    }
    Ok(files)
}

/// Holds the dialogues one after the other and hands what came of each to `tell`, with its number from 1.
///
/// # Errors
/// When the bot cannot be started, the user interrupts, or `tell` fails.
pub(super) fn hold(
    connector: &dyn Connector,
    settings: &SuiteSettings,
    scripts: &[Script],
    mut tell: impl FnMut(usize, &Held) -> Result<(), Failure>,
) -> Result<Result<Vec<Held>, CheckError>, Failure> {
    let mut all = Vec::new();
    for (index, script) in scripts.iter().enumerate() {
        let since = Instant::now();
        let verdict = match conformance::hold(connector, settings, script) {
            Ok(verdict) => verdict,
            Err(error) => return Ok(Err(error)),
        };
        let held = Held { name: script.name.clone(), verdict, took: since.elapsed() };
        tell(index + 1, &held)?;
        all.push(held);
    }
    Ok(Ok(all))
}

/// Returns the lines of one dialogue.
pub(super) fn line(number: usize, held: &Held, width: usize) -> String {
    let name = &held.name;
    match &held.verdict {
        TestVerdict::Passed(_) => format!("ok {number} - {name}\n"),
        TestVerdict::Skipped(why) => format!("ok {number} - {name} # SKIP {why}\n"),
        TestVerdict::Failed(faults) => {
            let advice = faults.first().map_or("", |fault| fault.advice.as_str());
            let details: String = faults.iter().map(|fault| text::detail(fault, width)).collect();
            format!("not ok {number} - {name} # {advice}\n{details}")
        }
    }
}

/// Returns what is to be said at the end.
pub(super) fn summary(all: &[Held]) -> String {
    let [passed, failed, skipped] = counts(all);
    let mut text = format!("# {passed} passed, {failed} failed, {skipped} skipped\n");
    if passed + failed == 0 {
        let _ = writeln!(text, "# no dialogue is meant for this bot");
    }
    text
}

/// Returns whether the bot held every dialogue that is meant for it, and one at least.
pub(super) fn is_held(all: &[Held]) -> bool {
    let [passed, failed, _] = counts(all);
    failed == 0 && passed > 0
}

/// Returns the document of JSON.
pub(super) fn document(all: &[Held], settings: &SuiteSettings) -> String {
    let [passed, failed, skipped] = counts(all);
    let value = json!({
        "version": VERSION,
        "command": settings.command,
        "dialogues": all.iter().map(dialogue).collect::<Vec<_>>(),
        "summary": {"passed": passed, "failed": failed, "skipped": skipped},
        "conforms": is_held(all),
    });
    format!("{value:#}\n")
}

fn dialogue(held: &Held) -> Value {
    let (status, note, faults) = match &held.verdict {
        TestVerdict::Passed(_) => ("ok", None, Vec::new()),
        TestVerdict::Skipped(why) => ("skipped", Some(why), Vec::new()),
        TestVerdict::Failed(faults) => ("failed", None, faults.iter().map(super::json::fault).collect()),
    };
    json!({
        "file": held.name,
        "status": status,
        "note": note,
        "milliseconds": super::json::millis(held.took),
        "faults": faults,
    })
}

/// Returns how many dialogues were held, broken and skipped.
fn counts(all: &[Held]) -> [usize; 3] {
    let count =
        |is_meant: fn(&TestVerdict) -> bool| all.iter().filter(|held| is_meant(&held.verdict)).count();
    [
        count(|verdict| matches!(verdict, TestVerdict::Passed(_))),
        count(|verdict| matches!(verdict, TestVerdict::Failed(_))),
        count(|verdict| matches!(verdict, TestVerdict::Skipped(_))),
    ]
}
