//! Every dialogue of the specification, held by a `Dialogue`, with a bot that says what it is expected to say.

mod pages;
mod play;
#[path = "../script/mod.rs"]
mod script;

use std::path::{Path, PathBuf};

use protocol::{ArenaMessage, BotMessage};

use crate::script::{Act, Script};

/// Returns the folder of the specification.
fn specification() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol-spec")
}

/// Returns the files of a folder that end in this, by name.
fn files(folder: &Path, end: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten();
    let paths = entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(end));
    let mut files: Vec<_> = paths
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("the file is text"))
        })
        .collect();
    files.sort();
    files
}

fn vectors() -> Vec<Script> {
    let files = files(&specification().join("vectors/dialogues"), ".abp");
    assert!(files.len() > 20);
    files.iter().map(|(name, text)| Script::of_file(name, text)).collect()
}

fn of_pages() -> Vec<Script> {
    let pages = files(&specification(), ".md");
    let scripts: Vec<_> = pages.iter().flat_map(|(name, text)| pages::dialogues(name, text)).collect();
    assert!(scripts.len() > 6);
    scripts
}

#[test]
fn the_dialogues_of_the_vectors_are_held() {
    vectors().iter().filter(|script| !script.has("bot-only")).for_each(play::play);
}

#[test]
fn the_dialogues_of_the_pages_are_held() {
    of_pages().iter().for_each(play::play);
}

#[test]
fn every_line_is_written_as_it_was_read() {
    let mut count = 0;
    for script in of_pages().iter().chain(&vectors()) {
        let is_abp = !script.has("dialect") && !script.has("bot-only");
        for (step, next) in script.steps.iter().zip(script.steps.iter().skip(1).map(Some).chain([None])) {
            let next = next.map(|step| &step.act);
            let is_skipped = matches!(next, Some(Act::Direct(word, _)) if play::is_no_message(word));
            let place = &step.place;
            match &step.act {
                Act::Tell(line) if is_abp && !is_skipped => {
                    let written = ArenaMessage::parse(line).map(|message| message.to_string());
                    assert_eq!(written.as_deref(), Ok(line.as_str()), "{place}");
                }
                Act::Expect(line) if is_abp && !is_skipped && !line.contains('%') => {
                    let message = BotMessage::parse(line);
                    assert!(!matches!(message, Ok(BotMessage::Log(_))), "{place}");
                    let written = message.map(|message| message.to_string());
                    assert_eq!(written.as_deref(), Ok(line.as_str()), "{place}");
                }
                _ => continue,
            }
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}
