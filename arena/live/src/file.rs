//! `live.json` in a run's directory: the picture of the run, replaced as a whole during the run.
//!
//! It is written on a thread of its own, so that a slow disk holds up nothing, and never waits to reach the disk. A
//! picture that cannot be written is told once and missed by nobody else. The journal's lock says whether a file that
//! is found belongs to a run in progress: one that a killed arena left behind is not believed.

use std::fs::{self, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::state::LiveState;

/// The name of the file in a run's directory.
const NAME: &str = "live.json";

/// Where it is written before it takes its place.
const DRAFT: &str = "live.json.new";

/// How often it is written at most.
const EVERY: Duration = Duration::from_millis(500);

/// How large a picture may be, in bytes: that of a hundred games at once is less than a megabyte.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// How long a journal that is locked is looked at again: another reader holds the lock for an instant.
const LOCK_GRACE: Duration = Duration::from_millis(50);

/// The file of a run in progress. It is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct LiveFile {
    directory: PathBuf,
    /// Gone when no more pictures come.
    pictures: Option<SyncSender<LiveState>>,
    writer: Option<JoinHandle<()>>,
    complaint: Arc<Mutex<Option<String>>>,
    written: Option<Instant>,
}

impl LiveFile {
    /// Begins to keep the file in a run's directory.
    ///
    /// # Errors
    /// When the system has no room for a thread.
    pub(crate) fn new(directory: &Path) -> io::Result<Self> {
        let (pictures, inbox) = sync_channel(1);
        let complaint = Arc::new(Mutex::new(None));
        let (folder, voice) = (directory.to_owned(), Arc::clone(&complaint));
        let writer =
            thread::Builder::new().name("live".to_owned()).spawn(move || keep(&folder, &inbox, &voice))?;
        Ok(Self {
            directory: directory.to_owned(),
            pictures: Some(pictures),
            writer: Some(writer),
            complaint,
            written: None,
        })
    }

    /// Returns whether the next picture is due.
    pub(crate) fn is_due(&self) -> bool {
        self.written.is_none_or(|written| written.elapsed() >= EVERY)
    }

    /// Takes a picture. Where the last one is still being written, this one is left out.
    pub(crate) fn show(&mut self, state: &LiveState) {
        self.written = Some(Instant::now());
        if let Some(pictures) = &self.pictures {
            match pictures.try_send(state.clone()) {
                Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
            }
        }
    }

    /// Returns the complaint of the first picture that could not be written, once.
    pub(crate) fn complaint(&self) -> Option<String> {
        self.complaint.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        self.pictures = None;
        if let Some(writer) = self.writer.take() {
            // Its panic has been told already.
            let _ = writer.join();
        }
        clear(&self.directory);
    }
}

/// Writes pictures until none come any more.
fn keep(directory: &Path, pictures: &Receiver<LiveState>, complaint: &Mutex<Option<String>>) {
    let mut has_failed = false;
    for state in pictures {
        let Err(error) = write(directory, &state) else { continue };
        let _ = fs::remove_file(directory.join(DRAFT));
        if !std::mem::replace(&mut has_failed, true) {
            let path = directory.join(NAME);
            let text = format!("failed to write `{}`: {error}; the games continue", path.display());
            *complaint.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        }
    }
}

fn write(directory: &Path, state: &LiveState) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(state)?;
    bytes.push(b'\n');
    let draft = directory.join(DRAFT);
    fs::write(&draft, bytes)?;
    fs::rename(&draft, directory.join(NAME))
}

/// Removes what a killed arena has left, or this one leaves. What cannot be removed does no harm.
pub fn clear(directory: &Path) {
    let _ = fs::remove_file(directory.join(DRAFT));
    let _ = fs::remove_file(directory.join(NAME));
}

/// Returns the picture of the run in a directory; `None` where none is in progress.
///
/// # Errors
/// When the directory cannot be read, and when the picture is of a form that this arena does not know.
pub fn read(directory: &Path) -> io::Result<Option<LiveState>> {
    if !is_in_use(directory)? {
        return Ok(None);
    }
    match record::read_regular(&directory.join(NAME), MOST_BYTES) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns whether an arena holds the journal of a directory: it plays there, is about to, or writes the tables at the end.
///
/// # Errors
/// When the journal cannot be looked at.
pub fn is_in_use(directory: &Path) -> io::Result<bool> {
    let journal = match record::open_regular(&directory.join(record::JOURNAL)) {
        Ok(journal) => journal,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let deadline = Instant::now() + LOCK_GRACE;
    loop {
        // A shared lock: two who look at once do not take each other for an arena.
        match journal.try_lock_shared() {
            Ok(()) => return Ok(false),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::park_timeout(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use record::Journal;
    use runner::Control;

    use super::*;
    use crate::scoreboard::{Scoreboard, View};

    fn state() -> LiveState {
        let plan = runner::GamePlan {
            bots: Vec::new(),
            contests: Vec::new(),
            settings: runner::PlaySettings::new(1),
        };
        let (control, asked) = (Control::new(), report::Asked::default());
        let games = record::PackedGames::default();
        let tally = &asked.tally(&games);
        let view = View { plan: &plan, control: &control, tally, trial: None, note: None };
        Scoreboard::new("cup", "round-robin", 3, 5).state(&view)
    }

    #[test]
    fn the_picture_is_there_while_the_run_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let (journal, _) = Journal::open(folder.path()).expect("a journal");
        let mut file = LiveFile::new(folder.path()).expect("a thread");
        let state = state();
        file.show(&state);
        let deadline = Instant::now() + Duration::from_secs(60);
        while read(folder.path()).expect("it can be read").is_none() {
            assert!(Instant::now() < deadline, "no picture comes");
        }
        assert_eq!(read(folder.path()).expect("it can be read"), Some(state));
        drop(file);
        let names = fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(names.count(), 1, "only the journal is left");
        drop(journal);
    }

    #[test]
    fn a_picture_that_a_killed_arena_left_is_not_believed() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read(folder.path()).expect("it can be read"), None);
        let (journal, _) = Journal::open(folder.path()).expect("a journal");
        write(folder.path(), &state()).expect("it can be written");
        assert!(read(folder.path()).expect("it can be read").is_some());
        drop(journal);
        assert_eq!(read(folder.path()).expect("it can be read"), None);
    }

    #[test]
    fn what_somebody_else_has_put_in_its_place_is_no_picture_and_ends_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let _journal = Journal::open(folder.path()).expect("a journal");
        let path = folder.path().join(NAME);
        fs::File::create(&path).and_then(|file| file.set_len(1 << 40)).expect("a file with nothing in it");
        assert!(read(folder.path()).expect_err("it is large").to_string().contains("longer than"));
        for text in ["", "null", "[]", "{\"schema\":1e999}", &"[".repeat(100_000)] {
            fs::write(&path, text).expect("it can be written");
            assert!(read(folder.path()).is_err(), "{text:.20}");
        }
        fs::remove_file(&path).expect("it was there");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).expect("a pipe");
        assert!(read(folder.path()).expect_err("nobody writes to it").to_string().contains("a pipe, not"));
    }

    #[test]
    fn a_disk_that_takes_nothing_is_told_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let gone = folder.path().join("gone");
        let mut file = LiveFile::new(&gone).expect("a thread");
        let deadline = Instant::now() + Duration::from_secs(60);
        let complaint = loop {
            file.show(&state());
            if let Some(complaint) = file.complaint() {
                break complaint;
            }
            assert!(Instant::now() < deadline, "it does not complain");
        };
        assert!(complaint.ends_with("the games continue"), "{complaint}");
        file.show(&state());
        let voice = Arc::clone(&file.complaint);
        drop(file);
        assert_eq!(*voice.lock().expect("nobody panicked"), None);
    }
}
