//! Bots of commits, built on the machine that plays them.
//!
//! A build is kept in the worker's cache, by everything that it depends on: the files of the commit, the line that builds, and the
//! compilers of this machine. The next run with the same bot finds it there. A build is confined as entries of a course are, and by
//! `contest` at the least, unless the worker confines nothing.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use protocol::printable;
use runner::{Build, BuildEnd, Built, Control};
use sandbox::Level;
use serde_json::Value;
use tournament_file::{confine_build, handover, launcher};

use super::Unplayable;
use crate::guard::Guard;
use crate::wire::{RunManifest, SentCommit, UnfitBot, digest_of};
use crate::worker::directory::Cache;

/// How long a build may take.
const LIMIT: Duration = Duration::from_secs(1800);

/// How many lines of the output of a build are told where it fails.
const SHOWN: usize = 8;

/// The compilers that a build may use: another version of one makes another build.
const COMPILERS: [&str; 9] = ["cc", "c++", "clang", "rustc", "go", "javac", "dotnet", "ghc", "zig"];

/// Tells the users apart as whom builds run at the same time.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// Builds the commits of a manifest and puts each where its bot expects it in the directory of the run. Bots that cannot be built are
/// taken out of the document, and returned.
///
/// # Errors
/// With why nothing can be played here, where too few bots are left.
pub(super) fn build_commits(
    manifest: &RunManifest,
    directory: &Path,
    cache: &Cache,
    guard: &Guard,
    document: &mut Value,
) -> Result<Vec<UnfitBot>, Unplayable> {
    let mut outcomes: BTreeMap<&str, Result<(), String>> = BTreeMap::new();
    let mut unfit = Vec::new();
    for commit in &manifest.commits {
        let outcome = outcomes.entry(&commit.place).or_insert_with(|| {
            let digest = manifest.files.iter().find(|file| file.path == commit.archive);
            let digest = digest.map(|file| file.digest.as_str()).ok_or("its files were not sent")?;
            provide(commit, digest, directory, cache, guard.level())
        });
        if let Err(why) = outcome {
            let why = format!("{} cannot be built on this machine: {why}", printable(&commit.name));
            unfit.push(UnfitBot { bot: commit.bot.clone(), why });
        }
    }
    cache.trim();
    super::take_out(&unfit, document).map_err(Unplayable::Here)?;
    Ok(unfit)
}

/// Puts a built commit into the directory of a run.
fn provide(
    commit: &SentCommit,
    digest: &str,
    directory: &Path,
    cache: &Cache,
    level: Level,
) -> Result<(), String> {
    let tree = built(commit, digest, &directory.join(&commit.archive), cache, level)?;
    copy(&tree, &directory.join(&commit.place))
        .map_err(|error| format!("its files cannot be copied: {error}"))
}

/// Returns the directory of a build, which is made where it is not there.
fn built(
    commit: &SentCommit,
    digest: &str,
    archive: &Path,
    cache: &Cache,
    level: Level,
) -> Result<PathBuf, String> {
    let line = commit.build.as_deref().unwrap_or_default();
    let key = digest_of(format!("{digest}\n{}\n{line}\n{}", commit.directory, environment()).as_bytes());
    let (tree, is_done) = cache.build(&key);
    if is_done {
        return Ok(tree);
    }
    let io = |error: io::Error| format!("`{}`: {error}", tree.display());
    cache.begin_build(&key).map_err(io)?;
    extract(archive, &tree)?;
    if !line.is_empty() {
        let dir = tree.join(&commit.directory);
        if !dir.is_dir() {
            return Err(format!("it has no directory `{}`", printable(&commit.directory)));
        }
        let built = run(line, &tree, &dir, level)?;
        if !built.is_success() {
            return Err(failure(line, &built));
        }
    }
    cache.end_build(&key).map_err(io)?;
    Ok(tree)
}

/// Takes the files out of an archive. It leads to no other place: `tar` refuses names that do.
fn extract(archive: &Path, tree: &Path) -> Result<(), String> {
    let mut command = Command::new("tar");
    command.args(["--extract", "--no-same-owner", "--file"]).arg(archive).arg("--directory").arg(tree);
    let output = command.output().map_err(|error| format!("`tar` cannot be run: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("`tar` says: {}", printable(String::from_utf8_lossy(&output.stderr).trim()))),
    }
}

/// Runs the line that builds, confined unless the worker confines nothing.
fn run(line: &str, tree: &Path, dir: &Path, level: Level) -> Result<Built, String> {
    let failed = |error: io::Error| format!("the build cannot be started: {error}");
    let launcher = launcher().map_err(|failure| failure.to_string())?;
    let (order, control) = (Build { line, dir, limit: LIMIT }, Control::new());
    if level == Level::None {
        return order.run(launcher, &control).map_err(failed);
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let build = confine_build(level.max(Level::Contest), number, order.launch())
        .map_err(|failure| failure.to_string().trim_end().to_owned())?;
    handover::give(tree, build.user).map_err(failed)?;
    let built = order.run_as(&build.launch, launcher, &control).map_err(failed)?;
    handover::take_back(tree).map_err(failed)?;
    Ok(built)
}

/// Says how a build failed and what helps.
fn failure(line: &str, built: &Built) -> String {
    let end = match &built.end {
        BuildEnd::Ended(status) => format!("`{}` ended with {}", printable(line), printable(status)),
        BuildEnd::OutOfTime => {
            format!("`{}` was not done within {} minutes", printable(line), LIMIT.as_secs() / 60)
        }
        BuildEnd::Flood => format!("`{}` wrote more than 64 MiB", printable(line)),
        BuildEnd::Interrupted => format!("`{}` was interrupted", printable(line)),
    };
    let output = &built.output;
    let text = String::from_utf8_lossy(if output.tail.is_empty() { &output.head } else { &output.tail })
        .into_owned();
    let lines: Vec<_> = text.lines().map(|line| printable(line).into_owned()).collect();
    let last = lines[lines.len().saturating_sub(SHOWN)..].join("\n  ");
    let said = if last.is_empty() { String::new() } else { format!("\n  {last}") };
    format!(
        "{end}; builds have no network: install there what it needs, or let other workers play the bot{said}"
    )
}

/// Returns what of this machine a build depends on: its kind, and the versions of its compilers.
fn environment() -> &'static str {
    static KNOWN: OnceLock<String> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let version = |program: &&str| {
            let flag = if *program == "go" { "version" } else { "--version" };
            let output = Command::new(program).arg(flag).output().ok()?;
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let versions: Vec<_> = COMPILERS.iter().filter_map(version).collect();
        format!("{} {}\n{}", std::env::consts::OS, std::env::consts::ARCH, versions.join("\n"))
    })
}

/// Copies a directory with all that is in it, links as links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (from, to) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        let kind = fs::symlink_metadata(&from)?.file_type();
        if kind.is_dir() {
            copy(&from, &to)?;
        } else if kind.is_symlink() {
            #[cfg(unix)]
            std::os::unix::fs::symlink(fs::read_link(&from)?, &to)?;
        } else if kind.is_file() {
            fs::copy(&from, &to)?;
        }
    }
    Ok(())
}
