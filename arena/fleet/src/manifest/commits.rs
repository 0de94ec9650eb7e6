//! Bots of commits on their way to other machines: the files of the commit travel as an archive, and every worker builds them.

use std::path::{Path, PathBuf};
use std::process::Command;

use diagnostic::Failure;
use tournament_file::Checkout;

use super::Packing;
use crate::wire::{SentCommit, digest_of};

/// Where archives and built commits lie on a worker.
const FOLDER: &str = "commits";

/// Where the files of a commit lie here and there.
pub(super) struct CommitPlace {
    /// The directory of its files on this machine.
    root: PathBuf,
    /// That directory on a worker, from the directory of the run.
    pub place: String,
    /// The directory within it where the bot runs; empty at its top.
    pub directory: String,
}

impl CommitPlace {
    /// Returns where a file of the commit lies on a worker; `None` for any other file.
    pub(super) fn of(&self, file: &Path) -> Option<String> {
        let inside = file.strip_prefix(&self.root).ok()?;
        Some(format!("{}/{}", self.place, inside.to_string_lossy()))
    }

    /// Returns where the bot runs on a worker.
    pub(super) fn dir(&self) -> String {
        match self.directory.trim_end_matches('/') {
            "" => self.place.clone(),
            directory => format!("{}/{directory}", self.place),
        }
    }
}

impl Packing {
    /// Takes the files of a commit along, and how they are built.
    pub(super) fn commit(&mut self, bot: &str, checkout: &Checkout) -> Result<CommitPlace, Failure> {
        let source = &checkout.source;
        let file = self.archives.path().join(format!("{}.tar", source.hash));
        if !file.is_file() {
            let mut command = Command::new("git");
            command.arg("--git-dir").arg(&source.repository).args(["archive", "--format=tar", "--output"]);
            let output = command.arg(&file).arg(&source.hash).output().map_err(|error| {
                Failure::usage(format!("failed to run `git`: {error}")).hint("commits need git in `PATH`")
            })?;
            if !output.status.success() {
                let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                return Err(Failure::usage(format!("git cannot archive {}", checkout.version))
                    .hint(format!("git says: {}", protocol::printable(&words))));
            }
        }
        let archive = format!("{FOLDER}/{}.tar", source.hash);
        self.file_as(&archive, &file)?;
        // Another way to build it makes other files.
        let way = digest_of(
            format!("{}\n{}", source.directory, source.build.as_deref().unwrap_or_default()).as_bytes(),
        );
        let place = format!("{FOLDER}/{}-{}", checkout.version, &way[..8]);
        self.commits.push(SentCommit {
            bot: bot.to_owned(),
            archive,
            name: format!("commit {}", checkout.version),
            place: place.clone(),
            directory: source.directory.clone(),
            build: source.build.clone(),
        });
        Ok(CommitPlace { root: checkout.root.clone(), place, directory: source.directory.clone() })
    }
}
