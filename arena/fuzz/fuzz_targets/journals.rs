//! Journals with damaged bytes: all readers say the same of them, whatever is damaged.
//!
//! What `report`, `verify` and `merge` read sums a journal up, what `replay` and `compare` read takes whole lines, what
//! `rate` reads takes outcomes. An input that begins with `!` changes a journal of this arena, whose checksums an input by
//! itself would hardly find: each three bytes after it are a place and what stands there then. Any other is a journal itself.

#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use record::{JOURNAL, JournalReader, JournalLine, LoggedGameReader, summarize};

/// A journal of few games, as this arena writes it.
static JOURNAL_OF_TODAY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let kept = include_str!("../../../results/showcase/journal.jsonl");
    let lines = kept.lines().take(4).map(|line| {
        let line: JournalLine = serde_json::from_str(line).expect("a line");
        match line {
            JournalLine::Run(mut run) => {
                run.format = record::FORMAT;
                JournalLine::Run(run)
            }
            line => line,
        }
    });
    lines.map(|line| line.to_text().expect("it can be written")).collect::<String>().into_bytes()
});

fuzz_target!(|data: &[u8]| {
    match data.strip_prefix(b"!") {
        None => drop(agree(data)),
        Some(changes) => {
            let mut journal = JOURNAL_OF_TODAY.clone();
            for change in changes.chunks_exact(3) {
                let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % journal.len();
                journal[place] = change[2];
            }
            let is_changed = journal != *JOURNAL_OF_TODAY;
            let told = agree(&journal);
            // A checksum notices whatever changes few bytes; a line feed that is lost at the end leaves a torn line.
            let has_lost_nothing = told == Ok((3, 0));
            assert!(!has_lost_nothing || !is_changed || changes.len() > 12, "{}", String::from_utf8_lossy(&journal));
        }
    }
});

/// Reads a journal in all ways and returns what they say: how many games there are and how many bytes are left out.
fn agree(bytes: &[u8]) -> Result<(usize, u64), String> {
    let directory = std::env::temp_dir().join(format!("arena-fuzz-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    let path = directory.join(JOURNAL);
    fs::write(&path, bytes).expect("written");
    let summed = summarize(&directory).map(|run| (run.games.len(), run.torn)).map_err(|error| error.to_string());

    let mut reader = JournalReader::new(bytes, Path::new(&path));
    let lines: Result<Vec<_>, _> = reader.by_ref().collect();
    let games = |lines: Vec<(usize, JournalLine)>| lines.iter().filter(|line| matches!(line.1, JournalLine::Game(_))).count();
    let read = lines.map(games).map(|games| (games, reader.torn())).map_err(|error| error.to_string());
    assert_eq!(summed, read);

    let (mut reader, mut count) = (LoggedGameReader::new(bytes, &path), 0);
    let visited = reader.visit(|_| count += 1).map_err(|error| error.to_string());
    assert_eq!(summed, visited.map(|()| (count, reader.torn())));
    summed
}
