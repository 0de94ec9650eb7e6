//! A directory of a test, and the processes that were started on its behalf.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

use processes::Guarded;
use runner::{Caught, Control, Launch, Wire, Wires};
use settings::Carrier;
use tempfile::TempDir;

/// How long anything may take that is bound to happen, on a machine with other things to do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The variable that marks the processes of a test.
pub(crate) const MARK: &str = "PLACE";

/// Which tests have a place: all that share the machine, or the one that takes it for itself.
static MACHINE: RwLock<()> = RwLock::new(());

/// A directory, and a mark that every process carries which descends from a bot started here.
pub(crate) struct Place {
    dir: TempDir,
    _shared: Option<RwLockReadGuard<'static, ()>>,
    _alone: Option<RwLockWriteGuard<'static, ()>>,
}

impl Place {
    /// Returns a place; a test has one at a time.
    pub(crate) fn new() -> Self {
        let shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
        Self { dir: tempfile::tempdir().expect("a directory"), _shared: Some(shared), _alone: None }
    }

    /// Returns a place as the only one: for who starts so many processes that all others stand still.
    pub(crate) fn alone() -> Self {
        let alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        Self { dir: tempfile::tempdir().expect("a directory"), _shared: None, _alone: Some(alone) }
    }

    /// Returns another place of the same test.
    pub(crate) fn another(&self) -> Self {
        Self { dir: tempfile::tempdir().expect("a directory"), _shared: None, _alone: None }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Starts an arena that plays a tournament file, with private directories below `rooms`.
    pub(crate) fn play(&self, cup: &str, stderr: Stdio) -> Child {
        self.play_with_rooms(cup, &self.path().join("rooms"), stderr)
    }

    /// The same with private directories elsewhere.
    pub(crate) fn play_with_rooms(&self, cup: &str, rooms: &Path, stderr: Stdio) -> Child {
        self.write("cup.yaml", cup);
        fs::create_dir_all(rooms).expect("a directory");
        Command::new(env!("CARGO_BIN_EXE_arena"))
            .args(["run", "cup.yaml"])
            .current_dir(self.path())
            .env("TMPDIR", rooms)
            .env(MARK, self.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .expect("the arena starts")
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
            quota: settings::Quota::default(),
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

/// Returns the control groups that processes of these numbers have made or had made.
pub(crate) fn groups_of(arenas: &[u32]) -> Vec<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("it is readable");
    let own = fs::read_to_string("/proc/self/cgroup").expect("it is readable");
    let mounts =
        mounts.lines().filter(|line| line.contains(" - cgroup")).filter_map(|line| line.split(' ').nth(4));
    let own: Vec<_> = own.lines().filter_map(|line| line.splitn(3, ':').nth(2)).collect();
    let places = mounts.flat_map(|mount| own.iter().map(move |own| format!("{mount}{own}")));
    let entries = places.flat_map(|place| fs::read_dir(place).into_iter().flatten().flatten());
    let is_theirs = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut words = name.split('-');
        words.next() == Some("arena")
            && words.nth(1).is_some_and(|word| arenas.iter().any(|it| it.to_string() == word))
    };
    let mut found: Vec<_> = entries.map(|entry| entry.path()).filter(is_theirs).collect();
    found.sort();
    found.dedup();
    found
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
