//! Lines of a journal that another thread than the reader parses together.

use std::io::BufRead;

use crate::journal::JournalError;
use crate::journal::lines::Lines;

/// The size of one read, and the approximate size of a batch, in bytes.
pub(super) const CHUNK: usize = 1 << 18;

/// Consecutive lines of a journal, as bytes.
#[derive(Debug, Default)]
pub(super) struct Batch {
    bytes: Vec<u8>,
    /// The end of each line in `bytes`.
    ends: Vec<usize>,
    /// The offset of the first line in the file.
    place: u64,
}

impl Batch {
    /// Reads about [`CHUNK`] bytes of whole lines; `None` at the end. A batch that nobody needs any more is `used` again: fresh
    /// memory costs more than what is read into it.
    pub(super) fn read(
        lines: &mut Lines<impl BufRead>,
        used: Option<Self>,
    ) -> Result<Option<Self>, JournalError> {
        let mut batch = used.unwrap_or_default();
        batch.bytes.clear();
        batch.ends.clear();
        batch.bytes.reserve(2 * CHUNK);
        while batch.bytes.len() < CHUNK {
            match lines.advance(&mut batch.bytes) {
                Ok(true) => {}
                Ok(false) => break,
                // Errors of earlier lines come first: the next call meets this failure again.
                Err(error) if batch.ends.is_empty() => return Err(error),
                Err(error) => {
                    lines.failed = Some(error);
                    break;
                }
            }
            if batch.ends.is_empty() {
                batch.place = lines.place;
            }
            batch.ends.push(batch.bytes.len());
        }
        Ok((!batch.ends.is_empty()).then_some(batch))
    }

    /// Returns the number of lines.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the lines, each with its offset in the file.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let line = |(start, end): (usize, &usize)| (self.place + start as u64, &self.bytes[start..*end]);
        starts.zip(&self.ends).map(line)
    }
}
