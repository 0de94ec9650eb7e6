//! Running commands and saying which one failed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What stopped a chore, in words.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// Returns the folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("this package lies two folders deep")
        .to_owned()
}

/// Runs a command line of bash in a folder, shows it and its output, and takes any status but 0 for a fault.
pub(crate) fn run(line: &str, folder: &Path) -> Result<(), Fault> {
    println!("$ {line}");
    let mut command = Command::new("bash");
    let status = command.args(["-c", line]).current_dir(folder).stdin(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(Fault(format!("`{line}`: {status}"))) }
}
