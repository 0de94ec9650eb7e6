//! Journals of every format stay readable.
//!
//! `format-1.jsonl` is the beginning of the first kept run, as an arena of that time wrote it, and `format-3.jsonl` that of today's.
//! Format 2 added void games alone: `format-2.jsonl` holds the lines of format 1 with one of them void. `format-4.jsonl` has a table of
//! three seats; runs without such tables keep format 3.

use std::fs;

use record::{FORMAT, GameResult, TABLES_FORMAT};

/// Each format, with the games and the void games of its journal.
const FORMATS: [(u32, &str, usize, usize); 4] = [
    (1, include_str!("formats/format-1.jsonl"), 4, 0),
    (2, include_str!("formats/format-2.jsonl"), 2, 1),
    (3, include_str!("formats/format-3.jsonl"), 3, 0),
    (4, include_str!("formats/format-4.jsonl"), 1, 0),
];

#[test]
fn journals_of_all_formats_are_read_and_summed_up() {
    assert_eq!(
        FORMATS.map(|format| format.0),
        [1, 2, FORMAT, TABLES_FORMAT],
        "a new format needs a journal here"
    );
    for (format, text, games, void) in FORMATS {
        let folder = tempfile::tempdir().expect("there is room");
        fs::write(folder.path().join(record::JOURNAL), text).expect("there is room");
        let contents = record::read(folder.path()).unwrap_or_else(|error| panic!("format {format}: {error}"));
        let run = contents.runs.first().expect("it begins with a run");
        assert_eq!((run.format, run.config.bots.len()), (format, 4));
        assert_eq!((contents.games.len(), contents.void.len()), (games, void), "format {format}");
        assert!(contents.games.iter().all(|game| game.result != GameResult::None && !game.plies.is_empty()));
        let summary = record::summarize(folder.path()).expect("what can be read can be summed up");
        assert_eq!((summary.games.len(), summary.void.len()), (games, void), "format {format}");
    }
}
