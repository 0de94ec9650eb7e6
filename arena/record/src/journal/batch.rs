//! Lines of a journal that another thread than the reader parses together.

use std::io::BufRead;

use crate::journal::JournalError;
use crate::journal::lines::Lines;

/// The size of one read, and the approximate size of a batch, in bytes.
pub(super) const CHUNK: usize = 1 << 18;

/// The largest memory that is used again, in bytes.
const MOST_KEPT: usize = 4 * CHUNK;

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
        // The room of a line of megabytes is not kept for others.
        let mut batch = used.filter(|used| used.bytes.capacity() <= MOST_KEPT).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::path::Path;

    use super::*;

    fn read(lines: &mut Lines<Cursor<Vec<u8>>>, used: Option<Batch>) -> Batch {
        Batch::read(lines, used).unwrap().expect("there are more lines")
    }

    #[test]
    fn a_batch_that_is_used_again_has_only_the_new_lines_and_no_room_of_long_ones() {
        let long = "x".repeat(2 * MOST_KEPT) + "\n";
        let text = ["one\n".repeat(CHUNK / 4), long, "two\nthree\n".to_owned()].concat();
        let mut lines = Lines::new(Cursor::new(text.into_bytes()), Path::new("journal.jsonl"));
        let first = read(&mut lines, None);
        assert_eq!(first.len(), CHUNK / 4);
        let room = first.bytes.as_ptr();
        let used = Batch { bytes: Vec::with_capacity(2 * CHUNK), ..Batch::default() };
        let second = read(&mut lines, Some(used));
        assert_eq!((second.len(), second.place), (1, CHUNK as u64));
        assert!(second.bytes.capacity() > MOST_KEPT);
        let third = read(&mut lines, Some(first));
        assert_eq!(third.bytes.as_ptr(), room, "it is used again");
        let place = (CHUNK + 2 * MOST_KEPT + 1) as u64;
        assert_eq!(third.lines().collect::<Vec<_>>(), [(place, &b"two\n"[..]), (place + 4, b"three\n")]);
        assert!(Batch::read(&mut lines, Some(second)).unwrap().is_none());
        let mut others = Lines::new(Cursor::new(b"four\n".to_vec()), Path::new("journal.jsonl"));
        let long = Batch { bytes: Vec::with_capacity(MOST_KEPT + 1), ..Batch::default() };
        assert!(read(&mut others, Some(long)).bytes.capacity() <= MOST_KEPT);
    }
}
