//! Lines of a journal that are parsed together, away from the thread that reads them.

use std::io::BufRead;

use crate::journal::JournalError;
use crate::journal::lines::Lines;

/// How much is read at a time, and about how much is parsed at a time.
pub(super) const CHUNK: usize = 1 << 18;

/// Some lines that follow each other, as they stand in the file.
#[derive(Debug)]
pub(super) struct Batch {
    bytes: Vec<u8>,
    /// Where each line ends.
    ends: Vec<usize>,
    /// Where the first one begins in the file.
    place: u64,
}

impl Batch {
    /// Reads as many lines as about [`CHUNK`] holds; `None` at the end.
    pub(super) fn read(lines: &mut Lines<impl BufRead>) -> Result<Option<Self>, JournalError> {
        let mut batch = Self { bytes: Vec::with_capacity(2 * CHUNK), ends: Vec::new(), place: 0 };
        while batch.bytes.len() < CHUNK {
            match lines.advance() {
                Ok(true) => {}
                Ok(false) => break,
                // What is wrong with a line before it is told first: the next call meets the same failure.
                Err(error) if batch.ends.is_empty() => return Err(error),
                Err(error) => {
                    lines.failed = Some(error);
                    break;
                }
            }
            if batch.ends.is_empty() {
                batch.place = lines.place;
            }
            batch.bytes.extend_from_slice(&lines.bytes);
            batch.ends.push(batch.bytes.len());
        }
        Ok((!batch.ends.is_empty()).then_some(batch))
    }

    /// Returns the lines, each with its place in the file.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let line = |(start, end): (usize, &usize)| (self.place + start as u64, &self.bytes[start..*end]);
        starts.zip(&self.ends).map(line)
    }
}
