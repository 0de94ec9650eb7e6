//! Telling a command.

use std::io::{self, Read, Seek as _, Write as _};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use crate::CommandLine;

/// How often a running command is looked at.
const LOOK: Duration = Duration::from_millis(10);
/// How much of what it writes to its standard error is kept: the end.
const MOST_KEPT: usize = 2048;
/// How much of it is read between two looks.
const MOST_READ: usize = 1 << 20;

/// Starts a command with an event on its standard input and waits for its end, at most until the deadline or until there is a
/// reason to end it; then kills it with its process group.
///
/// # Errors
/// Says in words why it cannot have been told.
pub(crate) fn tell(
    command: &CommandLine,
    word: &str,
    line: &str,
    deadline: Duration,
    reason_to_end: &dyn Fn() -> Option<&'static str>,
) -> Result<(), String> {
    let end = Instant::now() + deadline;
    let mut child = start(command, word, line).map_err(|error| format!("it cannot be started: {error}"))?;
    let mut said = Tail::of(child.stderr.take());
    loop {
        said.read();
        match child.try_wait() {
            Ok(Some(status)) => {
                // What it left behind in its group ends with it.
                kill(&mut child);
                said.read();
                let ended = status.to_string();
                return if status.success() { Ok(()) } else { Err(format!("{ended}{}", said.in_words())) };
            }
            Ok(None) => {
                let why = match reason_to_end() {
                    Some(reason) => format!("it was killed: {reason}"),
                    None if Instant::now() >= end => {
                        format!("it did not end within {deadline:?} and was killed")
                    }
                    None => {
                        std::thread::park_timeout(LOOK);
                        continue;
                    }
                };
                kill(&mut child);
                return Err(why + &said.in_words());
            }
            Err(error) => {
                kill(&mut child);
                return Err(format!("its end cannot be waited for: {error}"));
            }
        }
    }
}

/// Starts the command in a process group of its own. The event is a file without a name: writing it never waits for a reader.
fn start(command: &CommandLine, word: &str, line: &str) -> io::Result<Child> {
    let mut input = tempfile::tempfile()?;
    input.write_all(line.as_bytes())?;
    input.rewind()?;
    let (program, arguments) = command.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut process = Command::new(program);
    process
        .args(arguments)
        .current_dir(&command.directory)
        .env("ARENA_EVENT", word)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    process.spawn()
}

/// Kills the process and everything in its group, and waits for the process.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The end of what a process writes, read without ever waiting.
struct Tail {
    source: Option<ChildStderr>,
    kept: Vec<u8>,
}

impl Tail {
    fn of(source: Option<ChildStderr>) -> Self {
        #[cfg(unix)]
        let source = source.filter(|source| rustix::io::ioctl_fionbio(source, true).is_ok());
        #[cfg(not(unix))]
        let source = None.or(source).filter(|_| false);
        Self { source, kept: Vec::new() }
    }

    /// Reads what is there.
    fn read(&mut self) {
        let Some(source) = &mut self.source else { return };
        let mut bytes = [0; 4096];
        let mut read = 0;
        while read < MOST_READ {
            match source.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => {
                    read += count;
                    self.kept.extend_from_slice(&bytes[..count]);
                    let over = self.kept.len().saturating_sub(MOST_KEPT);
                    self.kept.drain(..over);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }

    /// Returns the last line, if there is one.
    fn in_words(&self) -> String {
        let text = String::from_utf8_lossy(&self.kept);
        text.lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            .map_or_else(String::new, |line| format!(": {}", line.trim()))
    }
}
