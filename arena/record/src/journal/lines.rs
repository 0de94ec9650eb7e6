//! The lines of a journal as bytes.

use std::io::{self, BufRead, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use memchr::memchr;

use crate::journal::JournalError;

/// The longest line that is read, in bytes. The longest game within the caps is shorter.
const MOST_BYTES: usize = 256 << 20;

/// The most bytes that count as remains of writes before a power failure: far more than the arena writes between two syncs.
const MOST_LOST: u64 = 16 << 20;

/// Reads line by line. It leaves out an unfinished last line, which a crash leaves.
///
/// It also leaves out everything from the first line that holds a NUL byte, which the arena never writes. A power failure
/// leaves zeros if the file has grown but the bytes have not reached the disk. Nothing after them was synced either.
#[derive(Debug)]
pub(super) struct Lines<R> {
    source: R,
    pub(super) path: PathBuf,
    /// The number of the line read last, from 1.
    pub(super) number: usize,
    /// The offset of the line read last, in bytes.
    pub(super) place: u64,
    /// The length of an unfinished last line that was left out, in bytes; known at the end.
    pub(super) torn: u64,
    /// The length of the line read last, in bytes.
    length: usize,
    /// The error that the next call returns.
    pub(super) failed: Option<JournalError>,
    /// Whether reading has ended, even if the file has grown since.
    is_done: bool,
}

impl<R: BufRead> Lines<R> {
    /// Starts to read. `path` appears only in messages.
    pub(super) fn new(source: R, path: &Path) -> Self {
        Self {
            source,
            path: path.to_owned(),
            number: 0,
            place: 0,
            torn: 0,
            length: 0,
            failed: None,
            is_done: false,
        }
    }

    /// Appends the next line with its line feed to `bytes`, and returns whether there is one. Without one, what is appended means
    /// nothing.
    ///
    /// # Errors
    /// If the source fails or the line is too long.
    pub(super) fn advance(&mut self, bytes: &mut Vec<u8>) -> Result<bool, JournalError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.is_done {
            return Ok(false);
        }
        self.place += std::mem::take(&mut self.length) as u64;
        let start = bytes.len();
        let read = read_line(&mut self.source, MOST_BYTES, bytes);
        let count = read.map_err(JournalError::io("read", &self.path))?;
        if count == 0 {
            self.is_done = true;
            return Ok(false);
        }
        (self.number, self.length) = (self.number + 1, count);
        if memchr(0, &bytes[start..]).is_some() {
            return self.end_of_lost(count as u64);
        }
        if bytes.last() == Some(&b'\n') {
            return Ok(true);
        }
        if count == MOST_BYTES {
            return Err(self.fault(format!("longer than {MOST_BYTES} bytes")));
        }
        self.torn = count as u64;
        self.is_done = true;
        Ok(false)
    }

    /// Leaves out the line read last, of `count` bytes, and all after it, unless that is more than a power failure can leave.
    fn end_of_lost(&mut self, count: u64) -> Result<bool, JournalError> {
        let rest = io::copy(&mut self.source.by_ref().take(MOST_LOST), &mut io::sink());
        let lost = count + rest.map_err(JournalError::io("read", &self.path))?;
        if lost > MOST_LOST {
            return Err(self.fault("it holds zeros, and more follows than a power failure leaves".to_owned()));
        }
        self.torn = lost;
        self.is_done = true;
        Ok(false)
    }

    /// Returns an error about the line read last.
    pub(super) fn fault(&self, fault: String) -> JournalError {
        JournalError::Line { path: self.path.clone(), line: self.number, fault }
    }
}

/// Appends the rest of a line with its line feed, but no more than `most` bytes, and returns how many that are. The standard
/// library does the same and takes several times as many instructions to find the line feed.
pub(super) fn read_line(source: &mut impl BufRead, most: usize, line: &mut Vec<u8>) -> io::Result<usize> {
    let mut count = 0;
    loop {
        let ready = match source.fill_buf() {
            Ok(ready) => &ready[..ready.len().min(most - count)],
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = memchr(b'\n', ready);
        let used = end.map_or(ready.len(), |place| place + 1);
        line.extend_from_slice(&ready[..used]);
        source.consume(used);
        count += used;
        if end.is_some() || used == 0 {
            return Ok(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_up_to_a_length_whatever_comes_at_once() {
        for at_once in [1, 2, 3, 100] {
            let mut source = io::BufReader::with_capacity(at_once, &b"one\n\ntwo and more\nthe rest"[..]);
            let mut line = Vec::new();
            for (most, expected) in [
                (100, "one\n"),
                (100, "\n"),
                (3, "two"),
                (100, " and more\n"),
                (0, ""),
                (8, "the rest"),
                (1, ""),
            ] {
                line.clear();
                let count = read_line(&mut source, most, &mut line).unwrap();
                assert_eq!((count, &*line), (expected.len(), expected.as_bytes()));
            }
        }
    }
}
