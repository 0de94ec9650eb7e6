//! What a journal needs from its file. Tests replace it to try every failure of a disk.

use std::fmt::Debug;
use std::fs::File;
use std::io;

/// A file that is written at its end.
pub(super) trait Storage: Debug + Send {
    /// Appends all bytes.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Cuts the file to a length in bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;

    /// Waits until everything written is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

impl Storage for File {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        io::Write::write_all(self, bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::{Arc, Mutex};

    use super::super::tests::{game, run};
    use super::super::{JOURNAL, Journal, JournalLine, read};
    use super::*;

    /// A disk on which one operation fails, and optionally all later ones.
    #[derive(Debug)]
    struct Failing {
        file: File,
        /// How many operations succeed first.
        left: usize,
        /// How many bytes of a failing write reach the file.
        written: usize,
        /// Whether all later operations fail too.
        is_dead: bool,
        has_failed: bool,
    }

    impl Failing {
        fn fails(&mut self) -> bool {
            if self.has_failed {
                return self.is_dead;
            }
            self.has_failed = self.left == 0;
            self.left = self.left.saturating_sub(1);
            self.has_failed
        }

        fn error() -> io::Error {
            // EIO.
            io::Error::from_raw_os_error(5)
        }
    }

    impl Storage for Failing {
        fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
            if self.fails() {
                Storage::write_all(&mut self.file, &bytes[..self.written.min(bytes.len())])?;
                return Err(Self::error());
            }
            Storage::write_all(&mut self.file, bytes)
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            if self.fails() { Err(Self::error()) } else { self.file.cut(length) }
        }

        fn sync(&mut self) -> io::Result<()> {
            if self.fails() { Err(Self::error()) } else { self.file.sync() }
        }
    }

    const GAMES: u64 = 4;

    fn lines() -> Vec<JournalLine> {
        [run()].into_iter().chain((1..=GAMES).map(game)).collect()
    }

    /// Opens a journal whose disk fails at one operation.
    fn failing(directory: &Path, left: usize, written: usize, is_dead: bool) -> Journal {
        let (mut journal, _) = Journal::open(directory).unwrap();
        let file = fs::OpenOptions::new().append(true).open(directory.join(JOURNAL)).unwrap();
        journal.file = Box::new(Failing { file, left, written, is_dead, has_failed: false });
        journal
    }

    /// Writes lines as a run does, each with a sync, up to the first failure. Returns how many were accepted, and whether the
    /// sync failed.
    fn write(journal: &mut Journal) -> Option<(usize, bool)> {
        for (count, line) in lines().iter().enumerate() {
            if journal.append(line).is_err() {
                return Some((count, false));
            }
            if journal.sync().is_err() {
                return Some((count, true));
            }
        }
        None
    }

    #[test]
    fn whichever_write_or_wait_fails_nothing_accepted_is_lost_and_nothing_is_there_twice() {
        let operations = 2 * (GAMES as usize + 1);
        for (left, written, is_dead) in (0..=operations)
            .flat_map(|left| [0, 1, 40, usize::MAX].map(|written| (left, written)))
            .flat_map(|(left, written)| [false, true].map(|is_dead| (left, written, is_dead)))
        {
            let case = format!("operation {left}, {written} bytes, dead: {is_dead}");
            let directory = tempfile::tempdir().unwrap();
            let mut journal = failing(directory.path(), left, written, is_dead);
            let failed = write(&mut journal);
            assert_eq!(failed.is_none(), left == operations, "{case}");
            let (accepted, is_wait) = failed.unwrap_or((GAMES as usize + 1, false));
            if failed.is_some() && (is_dead || is_wait) {
                // A caller that ignores the error writes nothing after the uncertain part.
                let length = fs::metadata(directory.path().join(JOURNAL)).unwrap().len();
                assert!(journal.append(&game(GAMES + 1)).is_err(), "{case}");
                assert_eq!(fs::metadata(directory.path().join(JOURNAL)).unwrap().len(), length, "{case}");
            }
            drop(journal);
            // A new start reads what is there: every accepted line, and at most the line that failed.
            let (mut journal, contents) = Journal::open(directory.path()).unwrap();
            let kept = contents.runs.len() + contents.games.len();
            assert!((accepted..=accepted + 1).contains(&kept), "{case}: {kept} of {accepted}");
            for line in &lines()[kept..] {
                journal.append(line).unwrap();
            }
            journal.sync().unwrap();
            drop(journal);
            let whole = fs::read_to_string(directory.path().join(JOURNAL)).unwrap();
            let expected: String = lines().iter().map(|line| line.to_text().unwrap()).collect();
            assert_eq!(whole, expected, "{case}");
            assert_eq!(read(directory.path()).unwrap().games.len(), GAMES as usize);
        }
    }

    #[test]
    fn a_write_that_was_taken_back_can_be_tried_again() {
        let directory = tempfile::tempdir().unwrap();
        let mut journal = failing(directory.path(), 2, 17, false);
        journal.append(&run()).unwrap();
        journal.append(&game(1)).unwrap();
        assert!(journal.append(&game(2)).unwrap_err().to_string().contains(JOURNAL));
        journal.append(&game(2)).unwrap();
        assert_eq!(read(directory.path()).unwrap().games.len(), 2);
    }

    /// A disk that keeps what was synced and any part of the rest.
    #[derive(Clone, Debug, Default)]
    struct Disk {
        /// The bytes that a reader sees.
        bytes: Vec<u8>,
        /// How many of them surely survive a power failure.
        synced: usize,
    }

    /// The unit of reads and writes.
    const SECTOR: usize = 512;

    impl Disk {
        /// Returns what may be there after a power failure. Each unsynced sector is there or holds its earlier content, zeros
        /// beyond the old end. The file has any length that it had in between, or that of whole sectors.
        fn after_loss(&self, chance: &mut u64) -> Vec<u8> {
            let mut next = || {
                // xorshift64 of G. Marsaglia (Journal of Statistical Software 8, 2003).
                *chance ^= *chance << 13;
                *chance ^= *chance >> 7;
                *chance ^= *chance << 17;
                usize::try_from(*chance >> 16).unwrap()
            };
            let length = self.synced + next() % (self.bytes.len() - self.synced + 1);
            let mut left = self.bytes[..length].to_vec();
            let first = self.synced / SECTOR;
            // Some failures lose one sector, others half of them, others nearly all.
            let rarity = [1, 2, 8, 64][next() % 4];
            for sector in first..length.div_ceil(SECTOR) {
                if next() % rarity == 0 {
                    let start = (sector * SECTOR).max(self.synced);
                    left[start..((sector + 1) * SECTOR).min(length)].fill(0);
                }
            }
            left
        }
    }

    /// The storage of a journal on such a disk, which a test inspects.
    #[derive(Clone, Debug, Default)]
    struct Losing(Arc<Mutex<Disk>>);

    impl Storage for Losing {
        fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.0.lock().unwrap().bytes.extend_from_slice(bytes);
            Ok(())
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.0.lock().unwrap().bytes.truncate(usize::try_from(length).unwrap());
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            let mut disk = self.0.lock().unwrap();
            disk.synced = disk.bytes.len();
            Ok(())
        }
    }

    /// How many power failures are tried per state.
    const LOSSES: usize = 60;

    #[test]
    fn a_loss_of_power_takes_nothing_that_was_waited_for_and_the_run_goes_on() {
        let lines: Vec<_> = [run()].into_iter().chain((1..=12).map(game)).collect();
        let expected: Vec<_> = lines.iter().map(|line| line.to_text().unwrap()).collect();
        let (mut chance, mut holes, mut lost) = (0x9e37_79b9_7f4a_7c15, 0, 0);
        for every in [1, 2, 3, 5, 100] {
            let place = tempfile::tempdir().unwrap();
            let (mut journal, _) = Journal::open(place.path()).unwrap();
            let storage = Losing::default();
            journal.file = Box::new(storage.clone());
            let mut synced = 0;
            for (count, line) in (1..).zip(&lines) {
                journal.append(line).unwrap();
                if count % every == 0 {
                    journal.sync().unwrap();
                    synced = count;
                }
                let disk = storage.0.lock().unwrap().clone();
                for _ in 0..LOSSES {
                    let left = disk.after_loss(&mut chance);
                    holes += usize::from(left.contains(&0));
                    let directory = tempfile::tempdir().unwrap();
                    fs::write(directory.path().join(JOURNAL), &left).unwrap();
                    // Every reader finds the same as the writer that continues.
                    let seen = read(directory.path()).unwrap();
                    let (mut journal, contents) = Journal::open(directory.path()).unwrap();
                    let kept = contents.runs.len() + contents.games.len();
                    assert_eq!((seen.runs.len() + seen.games.len(), seen.torn), (kept, contents.torn));
                    assert!((synced..=count).contains(&kept), "{kept} of {synced} to {count}");
                    lost += count - kept;
                    for line in &lines[kept..] {
                        journal.append(line).unwrap();
                    }
                    journal.sync().unwrap();
                    drop(journal);
                    let whole = fs::read_to_string(directory.path().join(JOURNAL)).unwrap();
                    assert_eq!(whole, expected.concat(), "after {count} lines, {synced} of them synced");
                }
            }
        }
        // Otherwise the test has tried nothing.
        assert!(holes > 200 && lost > 1000, "{holes} {lost}");
    }

    #[test]
    fn zeros_in_the_middle_of_a_long_journal_are_no_loss_of_power() {
        let directory = tempfile::tempdir().unwrap();
        let mut text = run().to_text().unwrap() + "\0\0\0\n";
        for number in 1.. {
            text += &game(number).to_text().unwrap();
            if text.len() > 17 << 20 {
                break;
            }
        }
        fs::write(directory.path().join(JOURNAL), &text).unwrap();
        let error = Journal::open(directory.path()).unwrap_err().to_string();
        assert!(error.contains("line 2: it holds zeros"), "{error}");
        assert_eq!(fs::metadata(directory.path().join(JOURNAL)).unwrap().len(), text.len() as u64);
    }

    #[test]
    fn a_line_is_waited_for_though_no_other_one_comes() {
        let place = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(place.path()).unwrap();
        let storage = Losing::default();
        journal.file = Box::new(storage.clone());
        journal.append(&run()).unwrap();
        journal.sync_when_due().unwrap();
        assert_eq!(storage.0.lock().unwrap().synced, 0);
        journal.unsynced = journal.unsynced.map(|since| since - super::super::SYNC_EVERY);
        journal.sync_when_due().unwrap();
        let disk = storage.0.lock().unwrap().clone();
        assert_eq!(disk.synced, disk.bytes.len());
    }
}
