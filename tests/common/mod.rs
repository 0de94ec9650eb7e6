//! What the end-to-end tests have in common: a folder, the real executable, the journal it leaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

/// A folder in which the real executable is run.
pub struct Workshop {
    folder: TempDir,
}

impl Workshop {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("the folder takes a file");
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns the executable with these words, to be run in the folder.
    pub fn arena(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null()).env_remove("NO_COLOR");
        command
    }

    /// Runs the executable to its end.
    pub fn run(&self, words: &[&str]) -> Ended {
        Ended::new(self.arena(words).output().expect("the executable starts"))
    }

    /// Starts the executable and does not wait.
    pub fn start(&self, words: &[&str]) -> Child {
        let mut command = self.arena(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the executable starts")
    }

    /// Returns the games of a run's journal, by number.
    pub fn games(&self, directory: &str) -> Vec<record::GameRecord> {
        record::read(&self.path(directory)).expect("the journal is whole").games
    }
}

/// How a command ended.
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    pub fn new(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Fails the test unless the command ended with this code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// Returns the command line of the misbehaving bot, for a tournament file.
pub fn chaos(vice: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/chaos.py");
    format!("[python3, '{}', {vice}]", script.display())
}
