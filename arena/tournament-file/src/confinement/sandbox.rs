//! How far bots are confined: what was written, at the top and for each bot.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::sandbox::{Level, ResourceLimits};
use diagnostic::Diagnostic;
use record::Grants;
use settings::{Memory, Quota};
use settings::{number, truth};

use crate::bots::program::origin;
use crate::scalars::memory;
use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::RawSandbox;
use settings::Complaint;

/// The fewest and the most descriptors that a process may be limited to.
const FILES: (u64, u64) = (16, 1_000_000);

/// The most descriptors of a process of a build.
const BUILD_FILES: u64 = 4096;

/// The most bytes of a file that a build makes.
const BUILD_FILE_SIZE: u64 = 1 << 30;

/// What is asked for a bot. What is not said is `None`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub level: Option<Level>,
    pub read: Option<Paths>,
    pub write: Option<Paths>,
    pub network: Option<bool>,
    /// The most open descriptors of a process.
    files: Option<u64>,
    /// The most bytes of a file.
    file_size: Option<u64>,
}

/// Paths of what a bot may open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    /// As they were written.
    written: Vec<String>,
    /// Where they lead.
    pub found: Vec<PathBuf>,
}

impl Wanted {
    /// Reads what was written; paths are taken from `base`.
    pub(crate) fn read(raw: &RawSandbox, spot: &Spot, base: &Path, errors: &mut InputErrors) -> Self {
        let at = |key: &str| if raw.is_word { spot.clone() } else { spot.key(key) };
        let level = errors.read(&at("level"), raw.level.as_deref(), level);
        let size = errors.read(&at("file-size"), raw.file_size.as_deref(), memory);
        let files =
            errors.read(&at("files"), raw.files.as_deref(), |text| number(text, FILES.0..=FILES.1, "256"));
        let file_size = size.map(|size| size.0.saturating_mul(1024));
        let network = errors.read(&at("network"), raw.network.as_deref(), truth);
        let read = raw.read.as_ref().map(|paths| find(paths, &at("read"), base, errors));
        let write = raw.write.as_ref().map(|paths| find(paths, &at("write"), base, errors));
        Self { level, read, write, network, files, file_size }
    }

    /// Returns what a build may do: read these, write into its directory, and make larger files than bots, and more at once.
    pub(crate) fn of_build(level: Level, read: Vec<PathBuf>, dir: PathBuf) -> Self {
        Self {
            level: Some(level),
            read: Some(Paths { found: read, ..Paths::default() }),
            write: Some(Paths { found: vec![dir], ..Paths::default() }),
            network: Some(false),
            files: Some(BUILD_FILES),
            file_size: Some(BUILD_FILE_SIZE),
        }
    }

    /// Returns what is asked for a bot where `self` is asked for all: its own words come first.
    pub(crate) fn with(&self, own: Self) -> Self {
        Self {
            level: own.level.or(self.level),
            read: own.read.or_else(|| self.read.clone()),
            write: own.write.or_else(|| self.write.clone()),
            network: own.network.or(self.network),
            files: own.files.or(self.files),
            file_size: own.file_size.or(self.file_size),
        }
    }

    /// Returns what is asked for besides the level, as a journal keeps it.
    pub(crate) fn granted(&self) -> Grants {
        let written = |paths: &Option<Paths>| paths.as_ref().map(|it| it.written.clone()).unwrap_or_default();
        Grants {
            read: written(&self.read),
            write: written(&self.write),
            network: self.network.unwrap_or_default(),
            files: self.files.map(|files| files.to_string()),
            file_size: self.file_size.map(|bytes| Memory(bytes / 1024).to_string()),
        }
    }

    /// Returns the limits of each process on a level, where all of a bot together are held to `quota`.
    ///
    /// A process may reserve twice the memory that all may hold, or 1 GiB more where that is greater: what it reserves and
    /// never touches does not count for the guard, and what grows beyond the limit is found by it before the system refuses
    /// more. A user of the bot's own may have as many
    /// processes and threads as [`Quota::tasks`] says.
    pub(crate) fn limits(&self, level: Level, quota: &Quota, has_user: bool) -> ResourceLimits {
        let usual = ResourceLimits::of(level);
        ResourceLimits {
            files: self.files.or(usual.files),
            file_size: self.file_size.or(usual.file_size),
            memory: quota
                .memory
                .map(|memory| memory.0.saturating_add(memory.0.max(1 << 20)).saturating_mul(1024)),
            processes: quota.tasks().filter(|_| has_user),
        }
    }
}

/// Returns what all processes of a bot together may use at a level where nobody says it.
pub(crate) fn usual_quota(level: Level) -> Quota {
    match level {
        Level::None | Level::Basic => Quota::default(),
        Level::Contest | Level::Strict => Quota {
            memory: Some(Memory(4 * 1024 * 1024)),
            cpu: Some(Duration::from_secs(24 * 3600)),
            processes: NonZeroU32::new(256),
        },
    }
}

/// Finds paths that bots may open; what cannot be opened is noted.
fn find(paths: &[String], spot: &Spot, base: &Path, errors: &mut InputErrors) -> Paths {
    let mut found = Vec::new();
    for (index, text) in paths.iter().enumerate() {
        match base.join(text).canonicalize() {
            Ok(path) => found.push(path),
            Err(error) => {
                let message = format!("`{}` cannot be opened: {error}", text.escape_debug());
                errors.add(&spot.item(index), Diagnostic::new(message).hint(origin(base)));
            }
        }
    }
    Paths { written: paths.to_vec(), found }
}

fn level(text: &str) -> Result<Level, Complaint> {
    text.parse().map_err(|_| {
        Complaint::new(
            format!("cannot be `{}`", text.escape_debug()),
            "allowed: `none`, `basic`, `contest`, `strict`; arena/docs/sandbox.md says what each promises",
        )
    })
}
