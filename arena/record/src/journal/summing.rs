//! Reading a journal without keeping its plies.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use crate::journal::{JOURNAL, JournalError, JournalReader, Line};
use crate::{RunSummary, Summarizer};

/// How much is read at a time.
const CHUNK: usize = 1 << 18;

/// Reads the journal of a run's directory. An unfinished last line is left out.
///
/// Every line is checked as [`crate::read`] checks it.
///
/// # Errors
/// When the file cannot be read or a whole line of it is not valid.
pub fn summarize(directory: &Path) -> Result<RunSummary, JournalError> {
    summarize_start(directory, u64::MAX)
}

/// Reads the first bytes of the journal of a run's directory: the run as it was when the journal was so long. A line that
/// goes beyond them is left out.
///
/// # Errors
/// When it cannot be read, and when a whole line is not valid.
pub fn summarize_start(directory: &Path, length: u64) -> Result<RunSummary, JournalError> {
    let path = directory.join(JOURNAL);
    let file = File::open(&path).map_err(JournalError::io("read", &path))?;
    summarize_file(file.take(length), &path)
}

pub(super) fn summarize_file(file: impl Read, path: &Path) -> Result<RunSummary, JournalError> {
    let mut summarizer = Summarizer::default();
    let mut reader = JournalReader::new(BufReader::with_capacity(CHUNK, file), path);
    while let Some(line) = reader.next() {
        match line?.1 {
            Line::Run(run) => summarizer.configure(*run),
            Line::Game(game) => {
                summarizer.push(&game, reader.place());
            }
            Line::Void(game) => summarizer.push_void(&game, reader.place()),
        }
    }
    let mut run = summarizer.finish();
    run.torn = reader.torn();
    Ok(run)
}
