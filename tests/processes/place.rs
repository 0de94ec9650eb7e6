//! A directory of a test, and the processes that were started on its behalf.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use runner::{Carrier, Caught, Control, Guarded, Launch, Wire, Wires};
use tempfile::TempDir;

/// How long anything may take that is bound to happen, on a machine with other things to do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The variable that marks the processes of a test.
pub(crate) const MARK: &str = "PLACE";

/// A directory, and a mark that every process carries which descends from a bot started here.
pub(crate) struct Place {
    dir: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a directory") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("a file is written");
    }

    /// Starts a script for `sh` as a bot under a guard.
    pub(crate) fn start(&self, script: &str) -> Wire {
        self.write("bot.sh", script);
        self.open(&self.launch("/bin/sh", &["bot.sh"])).expect("it starts")
    }

    pub(crate) fn launch(&self, program: &str, args: &[&str]) -> Launch {
        Launch {
            prefix: Vec::new(),
            quota: runner::Quota::default(),
            program: program.into(),
            args: args.iter().map(Into::into).collect(),
            dir: self.path().to_owned(),
            env: vec![(MARK.to_owned(), self.path().display().to_string())],
            io: Carrier::Pipe,
            is_private: false,
        }
    }

    pub(crate) fn open(&self, launch: &Launch) -> io::Result<Wire> {
        let guarded = Box::leak(Box::new(Guarded::with_program(env!("CARGO_BIN_EXE_arena"))?));
        Wires::new(guarded, Control::new())?.open(launch, PATIENCE)
    }

    /// Returns the processes that carry the mark of this place.
    pub(crate) fn running(&self) -> Vec<PathBuf> {
        let mark = format!("{MARK}={}", self.path().display());
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
        processes
            .filter(|process| {
                let environment = fs::read(process.join("environ")).unwrap_or_default();
                environment.split(|byte| *byte == 0).any(|pair| pair == mark.as_bytes())
            })
            .collect()
    }

    /// Waits until no process carries the mark of this place.
    #[track_caller]
    pub(crate) fn wait_until_empty(&self) {
        assert!(wait_until(|| self.running().is_empty()), "these still run: {:?}", self.running());
    }
}

/// Waits until something holds; returns whether it came to hold.
pub(crate) fn wait_until(mut holds: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        if Instant::now() > deadline {
            return false;
        }
        thread::yield_now();
    }
    true
}

/// Returns the next line that a bot writes.
#[track_caller]
pub(crate) fn line(wire: &mut Wire) -> String {
    match wire.receive(Instant::now() + PATIENCE) {
        (Caught::Line(line), _) => line,
        (other, _) => panic!("{other:?} instead of a line"),
    }
}
