//! Running commands and saying which one failed.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

/// What stopped a chore, in words.
#[derive(Debug)]
pub(crate) struct ChoreError(pub(crate) String);

impl fmt::Display for ChoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<std::io::Error> for ChoreError {
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

/// Returns the folder that Cargo builds in.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Builds the executable as the end-to-end tests have it, and returns its path: after `cargo test` nothing is left to compile. A plain
/// `cargo build` would compile most packages once more, since what only tests depend on asks for other features of them.
///
/// # Errors
/// When it does not build.
pub(crate) fn executable() -> Result<PathBuf, ChoreError> {
    run("cargo test --locked --quiet --no-run --test end_to_end", &root())?;
    Ok(target().join("debug").join("arena"))
}

/// Installs a package of Debian where its program is missing and that is allowed.
///
/// # Errors
/// When the program is missing afterwards: the package is named.
pub(crate) fn need(program: &str, package: &str) -> Result<(), ChoreError> {
    let install = format!("apt-get install --yes --no-install-recommends {package}");
    let advise = format!("{{ echo 'install the Debian package {package}' >&2; exit 1; }}");
    run(&format!("command -v {program} > /dev/null || {install} || {advise}"), &root())
}

/// Runs a command line of bash in a folder, shows it and its output, and takes any status but 0 for an error.
pub(crate) fn run(line: &str, folder: &Path) -> Result<(), ChoreError> {
    println!("$ {line}");
    let mut command = Command::new("bash");
    let status = command.args(["-c", line]).current_dir(folder).stdin(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(ChoreError(format!("`{line}`: {status}"))) }
}

/// Returns what a command line of bash writes to its standard output.
pub(crate) fn output(line: &str, folder: &Path) -> Result<String, ChoreError> {
    let mut command = Command::new("bash");
    let output = command
        .args(["-c", line])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(ChoreError(format!("`{line}`: {}", output.status))),
    }
}

/// Runs command lines of bash, each in its folder, `at_once` at a time; what they print is shown only where one fails.
/// Returns the first error, after all have run.
pub(crate) fn run_all(lines: Vec<(String, PathBuf)>, at_once: usize) -> Result<(), ChoreError> {
    let (left, errors) = (Mutex::new(lines.into_iter()), Mutex::new(Vec::new()));
    let next = || left.lock().ok()?.next();
    let one = |line: &str, folder: &Path| {
        println!("$ {line}");
        let mut command = Command::new("bash");
        let output = command.args(["-c", line]).current_dir(folder).stdin(Stdio::null()).output()?;
        if output.status.success() {
            return Ok(());
        }
        let told = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        Err(ChoreError(format!("`{line}`: {}\n{}", output.status, told.concat())))
    };
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some((line, folder)) = next() {
                    if let (Err(error), Ok(mut errors)) = (one(&line, &folder), errors.lock()) {
                        errors.push(error);
                    }
                }
            });
        }
    });
    let errors = errors.into_inner().map_err(|error| ChoreError(error.to_string()))?;
    errors.into_iter().next().map_or(Ok(()), Err)
}
