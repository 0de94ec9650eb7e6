//! The lines of a journal as bytes.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use crate::journal::JournalError;

/// The longest line that is read. The longest game that caps allow stays below it.
const MOST_BYTES: u64 = 256 << 20;

/// The most bytes that are taken for what a loss of power has left of writes that had not reached the disk: far more than is
/// written between two waits for it.
const MOST_LOST: u64 = 16 << 20;

/// Reads line by line; an unfinished last line, left by a crash, is left out.
///
/// So is everything from a line that holds a NUL byte on, which the arena never writes: where a file has grown and the bytes have
/// not reached the disk, a loss of power leaves zeros. Then nothing after them had been waited for either.
#[derive(Debug)]
pub(super) struct Lines<R> {
    source: R,
    path: PathBuf,
    /// The number of the line read last, from 1.
    pub(super) number: usize,
    /// Where the line read last begins, in bytes.
    pub(super) place: u64,
    /// How many bytes of an unfinished last line were left out; known at the end.
    pub(super) torn: u64,
    /// The line read last, with its line feed.
    pub(super) bytes: Vec<u8>,
    /// What goes wrong when the next line is read.
    pub(super) failed: Option<JournalError>,
    /// There is no next line, even if the file has grown since.
    is_done: bool,
}

impl<R: BufRead> Lines<R> {
    /// Starts to read. `path` is for messages only.
    pub(super) fn new(source: R, path: &Path) -> Self {
        Self {
            source,
            path: path.to_owned(),
            number: 0,
            place: 0,
            torn: 0,
            bytes: Vec::new(),
            failed: None,
            is_done: false,
        }
    }

    /// Reads the next line and returns whether there is one.
    ///
    /// # Errors
    /// When the source fails and when the line is too long.
    pub(super) fn advance(&mut self) -> Result<bool, JournalError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.is_done {
            return Ok(false);
        }
        self.place += self.bytes.len() as u64;
        self.bytes.clear();
        let read = self.source.by_ref().take(MOST_BYTES).read_until(b'\n', &mut self.bytes);
        let count = read.map_err(JournalError::io("read", &self.path))? as u64;
        if count == 0 {
            self.is_done = true;
            return Ok(false);
        }
        self.number += 1;
        if self.bytes.contains(&0) {
            return self.end_of_lost(count);
        }
        if self.bytes.last() == Some(&b'\n') {
            return Ok(true);
        }
        if count == MOST_BYTES {
            return Err(self.fault(format!("longer than {MOST_BYTES} bytes")));
        }
        self.torn = count;
        self.is_done = true;
        Ok(false)
    }

    /// Leaves out the line read last, of this many bytes, and all after it, unless that is too much for what a loss of power leaves.
    fn end_of_lost(&mut self, count: u64) -> Result<bool, JournalError> {
        let rest = io::copy(&mut self.source.by_ref().take(MOST_LOST), &mut io::sink());
        let lost = count + rest.map_err(JournalError::io("read", &self.path))?;
        if lost > MOST_LOST {
            return Err(
                self.fault("it holds zeros, which no arena writes, and too much follows it".to_owned())
            );
        }
        self.torn = lost;
        self.is_done = true;
        Ok(false)
    }

    /// Returns what is wrong with the line read last.
    pub(super) fn fault(&self, fault: String) -> JournalError {
        JournalError::Line { path: self.path.clone(), line: self.number, fault }
    }
}
