//! What the end-to-end tests have in common: a folder, the real executable, the journal it leaves.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The variable by which the processes of a test are known, down to the last grandchild.
const MARK: &str = "ARENA_TEST_FOLDER";

/// Returns the executable under test: the one that Cargo has built for the tests, or, in the second stage, the one that users have.
pub(crate) fn executable() -> &'static str {
    static GIVEN: LazyLock<Option<String>> = LazyLock::new(|| env::var("ARENA_UNDER_TEST").ok());
    GIVEN.as_deref().unwrap_or(env!("CARGO_BIN_EXE_arena"))
}

/// Whether this is the second stage of CI, which plays more games, with all bots, and where nothing may be missing.
pub(crate) fn is_second_stage() -> bool {
    env::var_os("ARENA_SECOND_STAGE").is_some()
}

/// A folder in which the real executable is run. When it goes, no process that was started from it may be left.
pub(crate) struct Workshop {
    folder: TempDir,
}

impl Workshop {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("the folder takes a file");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns the executable with these words, to be run in the folder.
    pub(crate) fn arena(&self, words: &[&str]) -> Command {
        self.command(executable(), words)
    }

    /// Returns a program with these words, to be run in the folder.
    pub(crate) fn command(&self, program: &str, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(words).current_dir(self.folder.path()).env(MARK, self.folder.path());
        // What the executable keeps for its user goes with the folder.
        command.env("XDG_STATE_HOME", self.folder.path().join(".state"));
        command.stdin(Stdio::null()).env_remove("NO_COLOR");
        command
    }

    /// Runs the executable to its end.
    pub(crate) fn run(&self, words: &[&str]) -> Ended {
        Ended::new(self.arena(words).output().expect("the executable starts"))
    }

    /// Starts the executable and does not wait.
    pub(crate) fn start(&self, words: &[&str]) -> Child {
        let mut command = self.arena(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the executable starts")
    }

    /// Returns the games of a run's journal, by number.
    pub(crate) fn games(&self, directory: &str) -> Vec<record::GameRecord> {
        record::read(&self.path(directory)).expect("the journal is whole").games
    }

    /// Returns the command lines of the processes that were started from the folder and live.
    fn processes(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.folder.path().display());
        let has_mark =
            |environment: &[u8]| environment.split(|byte| *byte == 0).any(|pair| pair == mark.as_bytes());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let marked =
            entries.filter(|entry| fs::read(entry.path().join("environ")).is_ok_and(|text| has_mark(&text)));
        marked
            .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
            .map(|line| lossy(&line))
            .collect()
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // A test that has failed may have left an arena that plays for minutes.
        if thread::panicking() {
            return;
        }
        // Bots of an arena that was killed end when they see the end of their input.
        assert!(wait_until(|| self.processes().is_empty()), "processes are left: {:?}", self.processes());
    }
}

/// Waits until something holds, for a minute at the most, and returns whether it does.
pub(crate) fn wait_until(mut holds: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        if holds() {
            return true;
        }
        thread::park_timeout(Duration::from_millis(5));
    }
    false
}

/// How a command ended.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn new(output: Output) -> Self {
        let Output { status, stdout, stderr } = output;
        Self { code: status.code().unwrap_or(-1), stdout: lossy(&stdout), stderr: lossy(&stderr) }
    }

    /// Fails the test unless the command ended with this code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// Returns a journal in the form of an earlier version, whose lines have no checksum: a test may change it.
pub(crate) fn unsealed(journal: &str) -> String {
    let line = |line: &str| match line.rsplit_once(",\"crc\":") {
        Some((front, _)) => format!("{front}}}\n"),
        None => format!("{line}\n"),
    };
    journal.lines().map(line).collect::<String>().replace("\"format\":3,", "\"format\":2,")
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the path of the misbehaving bot.
pub(crate) fn chaos_script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/chaos.py")
}

/// Returns the command of the misbehaving bot, for a tournament file. It is not confined: it leaves a mark beside itself, so
/// that its vice breaks out once, and once more where that game is void and played again.
pub(crate) fn chaos(vice: &str) -> String {
    chaos_once(&format!("{vice}, again"))
}

/// Works as [`chaos`], but whoever plays that game again finds the bot mended.
pub(crate) fn chaos_once(vice: &str) -> String {
    format!("[python3, '{}', {vice}], sandbox: none", chaos_script().display())
}
