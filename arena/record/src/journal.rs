//! The journal: append-only JSON lines, one lock, one writer.

mod batch;
mod game_line;
mod games;
mod head;
mod lines;
mod logged_games;
mod numbers;
mod open;
mod reader;
mod seal;
mod sketch;
mod storage;
mod summing;
mod text;
mod whole;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::file::{open_regular, open_regular_with};
use crate::{GameRecord, RunRecord, RunSummary};

use storage::Storage;

pub use games::{GameLines, GameReader, LineGame};
pub use logged_games::LoggedGameReader;
pub use numbers::Numbers;
pub use open::open_games;
pub use reader::JournalReader;
pub use summing::{summarize, summarize_start, summarize_with};
pub use whole::write_whole;

/// The first version in which every line has a checksum.
const SEALED: u32 = 3;

/// The file name of the journal in a run's directory.
pub const JOURNAL: &str = "journal.jsonl";

/// The longest time between a write and its `fdatasync`.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// How long to wait for another writer. The system keeps the lock of a killed arena until it has removed the process. A bot
/// that this arena was just starting also holds the lock until it executes its own program.
const LOCK_GRACE: Duration = Duration::from_secs(1);

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum JournalLine {
    /// The configuration from here on.
    Run(Box<RunRecord>),
    /// A finished game.
    Game(Box<GameRecord>),
    /// A void game: it ended but does not count, and is replayed under its number. Since format 2.
    Void(Box<GameRecord>),
}

/// Everything in a journal, with every ply of every game: for runs that are known to be small. [`summarize`] needs little
/// memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The configurations, in the order in which they were used.
    pub runs: Vec<RunRecord>,
    /// The games, by number.
    pub games: Vec<GameRecord>,
    /// The void games, by number; those with the same number in the order of the file.
    pub void: Vec<GameRecord>,
    /// The length of an unfinished last line, in bytes, which is left out.
    pub torn: u64,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("cannot {action} `{}`", path.display())]
    Io {
        /// The operation that failed.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// Another process holds the journal.
    #[error("`{}` is in use by another arena", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A line is not valid.
    #[error("`{}`, line {line}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// A game is no longer where it was read before: somebody has changed the file.
    #[error("`{}`: game {game} is no longer where it was; the file has changed", path.display())]
    Moved {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        game: u64,
    },
}

impl JournalLine {
    /// Reads a line, whatever its checksum.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(line: &[u8]) -> serde_json::Result<Self> {
        reader::parse_line(line)
    }

    /// Returns the line as the journal holds it, with its checksum and its line feed.
    ///
    /// # Errors
    /// If JSON cannot represent one of its numbers.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(self)?;
        seal::seal(&mut text);
        text.push('\n');
        Ok(text)
    }
}

impl JournalError {
    fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }
}

/// The journal of a run, open for writing. The file stays locked until this is dropped.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Box<dyn Storage>,
    /// The length of the file up to the end of the last whole line.
    length: u64,
    /// When the oldest line that may not be on the disk yet was written.
    unsynced: Option<Instant>,
    /// Whether the file may end in part of a line or hold bytes that never reached the disk. Nothing more may be written then.
    is_broken: bool,
}

impl Journal {
    /// Opens the journal of a run's directory, creating it if necessary, and reads it. It cuts off an unfinished last line,
    /// which a crash leaves, and everything after a hole, which a power failure leaves.
    ///
    /// # Errors
    /// If another arena holds the journal, if the file cannot be read or written, and if a whole line is not valid. It never
    /// repairs a line by guessing.
    pub fn open(directory: &Path) -> Result<(Self, RunSummary), JournalError> {
        std::fs::create_dir_all(directory).map_err(JournalError::io("create", directory))?;
        let path = directory.join(JOURNAL);
        let mut options = OpenOptions::new();
        let file = open_regular_with(options.read(true).append(true).create(true), &path);
        let file = file.map_err(JournalError::io("open", &path))?;
        lock(&file, &path)?;
        let run = summing::summarize_file(&file, u64::MAX, &path)?;
        let end = (&file).seek(SeekFrom::End(0)).map_err(JournalError::io("read", &path))?;
        let length = end - run.torn;
        if run.torn > 0 {
            file.set_len(length).map_err(JournalError::io("cut the unfinished last line of", &path))?;
        }
        if length == 0 {
            // The names must survive a power failure as well as the content. Not every system can promise that for directories.
            for directory in directory.ancestors().take(2) {
                let _ = File::open(directory).and_then(|directory| directory.sync_all());
            }
        }
        Ok((Self { path, file: Box::new(file), length, unsynced: None, is_broken: false }, run))
    }

    /// Appends a line with one write, and from time to time waits until written lines are on the disk. Returns the offset of
    /// the line in bytes.
    ///
    /// # Errors
    /// If the line cannot be written, or if the system reports that earlier lines did not reach the disk. After the first error
    /// the journal is as it was before, if the system allows that. If it does not, and after the second error, every later call
    /// fails. To continue, open the journal again; that reads what is really there.
    pub fn append(&mut self, line: &JournalLine) -> Result<u64, JournalError> {
        self.expect_sound()?;
        let text = line.to_text().map_err(|error| JournalError::io("write", &self.path)(error.into()))?;
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            // Part of the line may be in the file, for example on a full disk: remove it.
            self.is_broken = self.file.cut(self.length).is_err();
            return Err(JournalError::io("write", &self.path)(error));
        }
        let place = self.length;
        self.length += text.len() as u64;
        self.unsynced.get_or_insert_with(Instant::now);
        self.sync_when_due()?;
        Ok(place)
    }

    /// Waits until everything written is on the disk, if some of it has waited long enough. Call it from time to time, because
    /// the next line may take long.
    ///
    /// # Errors
    /// As [`Journal::sync`].
    pub fn sync_when_due(&mut self) -> Result<(), JournalError> {
        match self.unsynced {
            Some(since) if since.elapsed() >= SYNC_EVERY => self.sync(),
            _ => Ok(()),
        }
    }

    fn expect_sound(&self) -> Result<(), JournalError> {
        if self.is_broken {
            let error = io::Error::other("an earlier write failed and left its end uncertain; open it again");
            return Err(JournalError::io("write", &self.path)(error));
        }
        Ok(())
    }

    /// Waits until everything written is on the disk.
    ///
    /// # Errors
    /// If the system reports a failure. It does so only once, and may have dropped the bytes, so nothing more is written and
    /// every later call fails.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.expect_sound()?;
        if self.unsynced.take().is_some()
            && let Err(error) = self.file.sync()
        {
            self.is_broken = true;
            return Err(JournalError::io("write", &self.path)(error));
        }
        Ok(())
    }
}

/// Locks the file of a journal, waiting up to [`LOCK_GRACE`].
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    let deadline = Instant::now() + LOCK_GRACE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::park_timeout(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(JournalError::io("lock", path)(source)),
        }
    }
}

/// Reads the journal of a run's directory with every ply. It leaves out an unfinished last line.
///
/// # Errors
/// If the file cannot be read, or a whole line is not valid.
pub fn read(directory: &Path) -> Result<Contents, JournalError> {
    let path = directory.join(JOURNAL);
    let file = open_regular(&path).map_err(JournalError::io("read", &path))?;
    let mut contents = Contents::default();
    let mut reader = JournalReader::new(BufReader::new(file), &path);
    for line in &mut reader {
        match line?.1 {
            JournalLine::Run(run) => contents.runs.push(*run),
            JournalLine::Game(game) => contents.games.push(*game),
            JournalLine::Void(game) => contents.void.push(*game),
        }
    }
    contents.torn = reader.torn();
    contents.games.sort_by_key(|game| game.number);
    contents.void.sort_by_key(|game| game.number);
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use settings::Conditions;

    use crate::{RunConfig, Uncounted, WorkerRecord};

    pub(super) fn run() -> JournalLine {
        let settings = Conditions::default();
        let config = RunConfig {
            name: "cup".to_owned(),
            format: settings::Format::RoundRobin.into(),
            sprt: None,
            schedule: None,
            pairing: None,
            rounds: 1,
            seed: 1,
            games: Vec::new(),
            bots: Vec::new(),
            adjudicate: settings::Adjudication::default(),
            settings,
        };
        JournalLine::Run(Box::new(RunRecord {
            format: crate::FORMAT,
            arena: "0.1.0".to_owned(),
            rules: "0".to_owned(),
            written: "2026-11-21T00:00:00Z".to_owned(),
            from_pair: None,
            config,
        }))
    }

    pub(super) fn game(number: u64) -> JournalLine {
        let text = format!(
            r#"{{"type":"game","number":{number},"pair":1,"leg":1,"round":1,"game":"farook","options":{{}},
            "label":"farook","seats":[{{"bot":"a","version":"","digest":"","tc":"","seed":1}},
            {{"bot":"b","version":"","digest":"","tc":"","seed":2}}],"opening":0,
            "plies":[{{"ply":"a1","seat":1,"turn":1,"us":12}}],"result":"p1win","reason":"crash",
            "started":"2026-11-21T00:00:00Z","seconds":0.5}}"#
        );
        serde_json::from_str(&text).expect("a game record")
    }

    #[test]
    fn what_is_appended_is_read_back() {
        let directory = tempfile::tempdir().unwrap();
        let (mut journal, contents) = Journal::open(directory.path()).unwrap();
        assert_eq!(contents, RunSummary::default());
        for line in [run(), game(2), game(1)] {
            journal.append(&line).unwrap();
        }
        journal.sync().unwrap();
        let numbers: Vec<_> = read(directory.path()).unwrap().games.iter().map(|game| game.number).collect();
        assert_eq!(numbers, [1, 2]);
    }

    #[test]
    fn a_journal_cut_at_any_byte_loses_only_the_line_that_was_cut() {
        let directory = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(directory.path()).unwrap();
        journal.append(&run()).unwrap();
        journal.append(&game(1)).unwrap();
        let whole = journal.length;
        journal.append(&game(2)).unwrap();
        drop(journal);
        let bytes = fs::read(directory.path().join(JOURNAL)).unwrap();
        for end in whole as usize..bytes.len() {
            fs::write(directory.path().join(JOURNAL), &bytes[..end]).unwrap();
            let (mut journal, contents) = Journal::open(directory.path()).unwrap();
            assert_eq!((contents.games.len(), contents.torn), (1, end as u64 - whole));
            journal.append(&game(2)).unwrap();
            drop(journal);
            assert_eq!(fs::read(directory.path().join(JOURNAL)).unwrap(), bytes);
            // A limit of the whole file's length gives the same result.
            assert_eq!(summarize_start(directory.path(), end as u64).unwrap(), contents);
        }
    }

    fn void(number: u64) -> JournalLine {
        match game(number) {
            JournalLine::Game(game) => JournalLine::Void(game),
            line => line,
        }
    }

    #[test]
    fn void_games_stand_apart_from_those_that_count() {
        let directory = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(directory.path()).unwrap();
        // Two shards may have played the same game and one attempt was void: the order of the lines does not matter.
        for line in [run(), void(2), game(1), void(2), game(2), void(1)] {
            journal.append(&line).unwrap();
        }
        drop(journal);
        let contents = read(directory.path()).unwrap();
        let numbers = |games: &[GameRecord]| games.iter().map(|game| game.number).collect::<Vec<_>>();
        assert_eq!((numbers(&contents.games), numbers(&contents.void)), (vec![1, 2], vec![1, 2, 2]));
    }

    #[test]
    fn what_workers_report_in_vain_stands_apart_from_void_games() {
        let directory = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(directory.path()).unwrap();
        let JournalLine::Game(game) = game(3) else { panic!("a game") };
        let uncounted = |word: &str, set_aside: Option<&str>| {
            let mut game = game.clone();
            let (uncounted, set_aside) = (Some(word.to_owned()), set_aside.map(str::to_owned));
            game.worker = Some(WorkerRecord { uncounted, set_aside, ..WorkerRecord::named("w") });
            JournalLine::Void(game)
        };
        for line in [run(), void(3), uncounted("late", None), uncounted("failed", Some("it lies"))] {
            journal.append(&line).unwrap();
        }
        journal.append(&uncounted("of a newer version", None)).unwrap();
        drop(journal);
        let summary = summarize(directory.path()).unwrap();
        let told =
            summary.uncounted.iter().map(|game| (game.cause, game.set_aside.as_deref(), game.game.worker()));
        let expected =
            [(Some(Uncounted::Late), None), (Some(Uncounted::Failed), Some("it lies")), (None, None)];
        assert_eq!(told.collect::<Vec<_>>(), expected.map(|(cause, aside)| (cause, aside, Some("w"))));
        assert_eq!((summary.games.len(), summary.void.len()), (0, 1));
        // All of them are void lines to readers that know no more.
        assert_eq!(read(directory.path()).unwrap().void.len(), 4);
        let place = summary.uncounted[1].game.place as usize;
        let text = fs::read_to_string(directory.path().join(JOURNAL)).unwrap();
        assert!(
            text[place..]
                .contains(r#""worker":{"name":"w","uncounted":"failed","set_aside":"it lies"},"plies""#)
        );
    }

    #[test]
    fn a_void_line_cut_at_any_byte_is_as_if_the_game_had_not_ended() {
        let directory = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(directory.path()).unwrap();
        journal.append(&run()).unwrap();
        let whole = journal.length;
        journal.append(&void(1)).unwrap();
        drop(journal);
        let bytes = fs::read(directory.path().join(JOURNAL)).unwrap();
        for end in whole as usize..=bytes.len() {
            fs::write(directory.path().join(JOURNAL), &bytes[..end]).unwrap();
            let (mut journal, contents) = Journal::open(directory.path()).unwrap();
            assert_eq!((contents.games.len(), contents.void.len()), (0, usize::from(end == bytes.len())));
            journal.append(&game(1)).unwrap();
            drop(journal);
            assert_eq!(read(directory.path()).unwrap().games.len(), 1);
        }
    }

    #[test]
    fn a_second_writer_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let _first = Journal::open(directory.path()).unwrap();
        assert!(matches!(Journal::open(directory.path()), Err(JournalError::InUse { .. })));
    }

    #[test]
    fn a_writer_that_is_about_to_end_is_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        drop(Journal::open(directory.path()).unwrap());
        let file = File::open(directory.path().join(JOURNAL)).unwrap();
        file.lock().unwrap();
        let ending = thread::spawn(move || {
            thread::park_timeout(Duration::from_millis(100));
            drop(file);
        });
        let second = Journal::open(directory.path());
        ending.join().unwrap();
        assert!(second.is_ok());
    }

    fn fault_of(lines: &[String]) -> String {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(JOURNAL), lines.concat()).unwrap();
        read(directory.path()).unwrap_err().to_string()
    }

    #[test]
    fn a_broken_journal_is_refused_with_its_line() {
        let text = |line: &JournalLine| line.to_text().unwrap();
        assert!(fault_of(&[text(&run()), "{}\n".to_owned()]).contains("line 2: missing field `type`"));
        assert!(fault_of(&[text(&game(1))]).contains("line 1: a game comes before"));
        assert!(fault_of(&[text(&void(1))]).contains("line 1: a game comes before"));
        assert!(fault_of(&[text(&run()), text(&game(1)), text(&game(1))]).contains("line 3: game 1 appears"));
        let newer = text(&run()).replace("\"format\":3", "\"format\":5");
        assert!(fault_of(&[newer]).contains("format 5 is newer"));
    }
}
