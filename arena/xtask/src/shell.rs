//! Running commands and saying which one failed.

use std::borrow::Borrow;
use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

/// What tells tests that they run in the second stage.
pub(crate) const SECOND_STAGE: &str = "ARENA_SECOND_STAGE=1";

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

/// Builds an executable as tests have it, and returns its path: after `cargo test` little is left to compile. Without a test beside it
/// most packages would be compiled once more, since what only tests depend on asks for other features of them.
///
/// # Errors
/// When it does not build.
pub(crate) fn executable(name: &str) -> Result<PathBuf, ChoreError> {
    // Tests of the arena put it in place as well: beside another one, where something may play with one of other features.
    let test = if name == "arena" { "end_to_end" } else { "table_plan" };
    run(&format!("cargo build --locked --quiet --bin {name} --test {test}"), &root())?;
    Ok(target().join("debug").join(name))
}

/// Builds the executable as users have it, and returns its path: what plays for minutes is done sooner than with the debug build.
///
/// # Errors
/// When it does not build.
pub(crate) fn optimised() -> Result<PathBuf, ChoreError> {
    run("cargo build --locked --quiet --release --bin arena", &root())?;
    Ok(target().join("release").join("arena"))
}

/// Installs packages of Debian where one of these programs is missing and that is allowed. Chores that run at the same time wait for each
/// other here.
///
/// # Errors
/// When a program is missing afterwards: the packages are named.
pub(crate) fn need<S: Borrow<str>>(programs: &[S], packages: &[S]) -> Result<(), ChoreError> {
    let (programs, packages) = (programs.join(" "), packages.join(" "));
    // Programs for administrators and games lie where users do not look.
    let are_there = format!(
        "PATH=\"$PATH:/usr/sbin:/sbin:/usr/games\"; for program in {programs}; do command -v $program > /dev/null || exit 1; done"
    );
    if output(&are_there, &root()).is_ok() {
        return Ok(());
    }
    fs::create_dir_all(target())?;
    let lock = fs::File::create(target().join("install.lock"))?;
    lock.lock()?;
    // The lists of packages are fetched only where those that are there do not do.
    let install = format!(
        "export DEBIAN_FRONTEND=noninteractive; sudo=; [ \"$(id -u)\" = 0 ] || sudo='sudo -n -E'; \
         install() {{ $sudo apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 install --quiet --yes --no-install-recommends {packages}; }}; \
         install || {{ $sudo apt-get update --quiet && install; }} && ( {are_there} ) || \
         {{ echo 'install the Debian packages that have {programs}: {packages}' >&2; exit 1; }}"
    );
    run(&install, &root())
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
