//! Commands of the user that are run through the shell, their output kept in a file.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use protocol::printable;

use super::git;

/// How much of an output is read back, in bytes: its end.
const TAIL: u64 = 64 * 1024;

/// How many lines of a failed command are shown.
const SHOWN: usize = 30;

/// What came of a command.
#[derive(Debug)]
pub(super) struct Done {
    /// How it ended.
    pub(super) status: ExitStatus,
    /// The end of what it wrote.
    pub(super) output: String,
}

impl Done {
    /// Returns the last lines of the output, fit to be shown.
    pub(super) fn last_lines(&self) -> String {
        let lines: Vec<_> = self.output.lines().map(printable).collect();
        lines[lines.len().saturating_sub(SHOWN)..].join("\n")
    }
}

/// Runs a line of the shell in `directory`, both its outputs in the file `log`. It takes as long as it takes: Ctrl-C
/// ends it together with the arena.
///
/// # Errors
/// When the shell cannot be run, or the file not be written.
pub(super) fn run(line: &str, directory: &Path, log: &Path, variables: &[(&str, &str)]) -> io::Result<Done> {
    let mut file = File::options().read(true).write(true).create(true).truncate(true).open(log)?;
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(directory).stdin(Stdio::null());
    command.stdout(file.try_clone()?).stderr(file.try_clone()?).envs(variables.iter().copied());
    for variable in git::VARIABLES {
        command.env_remove(variable);
    }
    let status = command.status()?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(Done { status, output: String::from_utf8_lossy(&bytes).into_owned() })
}
