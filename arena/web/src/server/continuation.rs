//! A stopped run that a page continues: the server starts the same command as its user would, for the tournament file that
//! its own command line names. Nothing that is started comes from a journal or a browser.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use protocol::printable_capped;

/// How long a run may take until it shows that it goes, or why it does not.
const STARTS_WITHIN: Duration = Duration::from_secs(20);

/// How often that is looked at.
const TICK: Duration = Duration::from_millis(50);

/// How much is read of what a run said, in bytes.
const MOST_SAID: u64 = 16 * 1024;

/// The run that a tournament file of the command line plays.
#[derive(Clone, Debug)]
pub(super) struct Continuation {
    /// The file, as an absolute path.
    pub file: PathBuf,
    /// The directory of its run.
    pub directory: PathBuf,
}

impl Continuation {
    /// Returns whether this is the run of a directory.
    pub(super) fn is_for(&self, directory: &Path) -> bool {
        let whole = |path: &Path| path.canonicalize().ok();
        whole(directory).is_some_and(|directory| whole(&self.directory) == Some(directory))
    }

    /// Starts the run and waits until it goes. It has a process group of its own: it outlives the server, and Ctrl-C at the
    /// server does not stop it.
    ///
    /// # Errors
    /// In words, when it is in progress already, when it cannot be started, and when it ends at once.
    pub(super) fn start(&self) -> Result<String, String> {
        if live::is_in_use(&self.directory).unwrap_or(false) {
            return Err("the run is in progress".to_owned());
        }
        let failed = |error: io::Error| format!("failed to start `arena run`: {error}");
        // It has no name, so nothing is left of it, and writing to it never fails because the server has ended.
        let said = tempfile::tempfile().map_err(failed)?;
        let arena = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(arena);
        command.arg("run").arg(&self.file).arg("--out").arg(&self.directory);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said.try_clone().map_err(failed)?);
        let mut child = command.spawn().map_err(failed)?;
        let end = Instant::now() + STARTS_WITHIN;
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok("every game is recorded".to_owned()),
                Ok(Some(status)) => {
                    let words =
                        first_error(said).unwrap_or_else(|| format!("`arena run` ended with {status}"));
                    return Err(printable_capped(&words, 400));
                }
                Ok(None) => {}
                Err(error) => return Err(failed(error)),
            }
            // A run that holds its journal may still find that it cannot continue; one with a picture plays.
            if live::read(&self.directory).is_ok_and(|state| state.is_some()) || Instant::now() > end {
                break;
            }
            thread::sleep(TICK);
        }
        // Somebody has to take its exit code, whenever that is.
        thread::spawn(move || child.wait());
        Ok("the run continues".to_owned())
    }
}

/// Returns the first error that a run told.
fn first_error(mut said: File) -> Option<String> {
    said.seek(SeekFrom::Start(0)).ok()?;
    let mut bytes = Vec::new();
    said.take(MOST_SAID).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().find_map(|line| line.strip_prefix("error: "));
    line.or_else(|| text.lines().find(|line| !line.trim().is_empty())).map(str::to_owned)
}
