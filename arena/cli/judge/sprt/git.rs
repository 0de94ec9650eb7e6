//! What git is asked: which commit a name means, and its files in a directory of their own.
//!
//! The working tree and the index of the repository are never touched.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use diagnostic::Failure;
use protocol::printable;

/// Variables by which git leads the commands that it starts, hooks for example, to a repository: a program in another
/// directory must not follow them.
pub(super) const VARIABLES: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"];

/// The repository of the current directory.
#[derive(Debug)]
pub(super) struct Repository {
    /// Where its objects are: the same for all its worktrees.
    pub(super) directory: PathBuf,
    /// The current directory within it; empty at its top.
    pub(super) prefix: String,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Commit {
    /// Its whole hash.
    pub(super) hash: String,
    /// The beginning of its hash, as tables show it.
    pub(super) short: String,
}

impl Repository {
    /// Finds the repository of the current directory.
    ///
    /// # Errors
    /// When there is none, or no git.
    pub(super) fn find() -> Result<Self, Failure> {
        let found = ask(&["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-prefix"])?;
        let text = answer(&found).ok_or_else(|| {
            Failure::usage("the current directory is in no git repository")
                .hint(format!("git says: {}", words(&found)))
        })?;
        let (directory, prefix) = text.split_once('\n').unwrap_or((&text, ""));
        Ok(Self { directory: directory.into(), prefix: prefix.trim_end().to_owned() })
    }

    /// Returns the commit that a name means, such as `HEAD`, `origin/main` or a hash.
    ///
    /// # Errors
    /// When it means none.
    pub(super) fn commit(&self, name: &str) -> Result<Commit, Failure> {
        let revision = format!("{name}^{{commit}}");
        let found = ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &revision])?;
        let hash = answer(&found).filter(|hash| !hash.is_empty()).ok_or_else(|| {
            Failure::usage(format!("`git:{name}` is no commit of this repository")).hint(
                "a clone of a build server often has one commit only: fetch the other one first, for example `git fetch \
                 --unshallow origin`",
            )
        })?;
        let short = answer(&ask(&["rev-parse", "--short=12", &hash])?).unwrap_or_else(|| hash.clone());
        Ok(Commit { hash, short })
    }

    /// Returns whether files of the working tree differ from its commit; files that git does not know do not count.
    ///
    /// # Errors
    /// When there is no git.
    pub(super) fn is_dirty(&self) -> Result<bool, Failure> {
        let found = ask(&["status", "--porcelain", "--untracked-files=no"])?;
        Ok(answer(&found).is_some_and(|text| !text.is_empty()))
    }

    /// Writes the files of a commit into a directory that does not exist yet, as a worktree of the repository. No hook
    /// runs.
    ///
    /// # Errors
    /// When git cannot.
    pub(super) fn add_worktree(&self, directory: &Path, commit: &Commit) -> Result<(), Failure> {
        let mut command = git();
        command.args(["-c", "core.hooksPath=/dev/null", "worktree", "add", "--force", "--detach", "--quiet"]);
        command.arg(directory).arg(&commit.hash);
        let done = output(&mut command)?;
        if done.status.success() {
            return Ok(());
        }
        Err(Failure::usage(format!("git cannot check out {} in `{}`", commit.short, directory.display()))
            .hint(format!("git says: {}", words(&done))))
    }
}

fn git() -> Command {
    let mut command = Command::new("git");
    command.stdin(Stdio::null());
    command
}

fn ask(words: &[&str]) -> Result<Output, Failure> {
    output(git().args(words))
}

fn output(command: &mut Command) -> Result<Output, Failure> {
    command.output().map_err(|error| {
        Failure::usage(format!("failed to run `git`: {error}")).hint("commits need git in `PATH`")
    })
}

/// Returns what git answered, without the end of the line; `None` when it refused.
fn answer(output: &Output) -> Option<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.trim_end_matches('\n').to_owned())
}

/// Returns what git complained of, fit to be shown.
fn words(output: &Output) -> String {
    printable(String::from_utf8_lossy(&output.stderr).trim()).into_owned()
}
