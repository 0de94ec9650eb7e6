//! What a process has from birth: descriptors, limits, session, environment, a directory of its own.

use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::Path;
use std::{env, fs, io};

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::{Limits, Policy, SandboxError};

/// Variables that every bot keeps, besides those of its entry and those that begin with `ABP` or `LC_`.
const KEPT: [&str; 13] = [
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "PYTHONUNBUFFERED",
    "PYTHONIOENCODING",
    "JAVA_HOME",
    "DOTNET_ROOT",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "R_HOME",
    "GUIX_LOCPATH",
    "LOCALE_ARCHIVE",
];

/// Variables that name the private directory, where the entry says nothing else.
const PRIVATE: [&str; 4] = ["HOME", "TMPDIR", "TMP", "TEMP"];

/// Returns the environment of the bot.
pub(super) fn environment(policy: &Policy) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    let is_kept = |name: &str| {
        KEPT.contains(&name)
            || name.starts_with("ABP")
            || name.starts_with("LC_")
            || policy.keep.iter().any(|kept| kept == name)
    };
    let mut variables: Vec<_> =
        env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_kept)).collect();
    for name in PRIVATE.iter().filter(|name| !policy.keep.iter().any(|kept| kept == *name)) {
        variables.push((name.into(), policy.private.clone().into()));
    }
    variables
}

/// Closes every descriptor but the standard streams.
///
/// # Errors
/// When the system does not list them.
pub(super) fn close_descriptors() -> Result<(), SandboxError> {
    let step = "list the open descriptors";
    let failed = |source| SandboxError::Step { step, source };
    let mut numbers = Vec::new();
    for entry in fs::read_dir("/proc/self/fd").map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        numbers.extend(name.to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    for number in numbers.into_iter().filter(|number| *number > 2) {
        // One of them was that of the list, which is closed already.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

/// Leads a session of its own, which has no terminal, where the process does not already lead a group.
pub(super) fn lead_session() -> Result<(), SandboxError> {
    match rustix::process::setsid() {
        Ok(_) | Err(Errno::PERM) => Ok(()),
        Err(error) => Err(SandboxError::Step { step: "begin a session", source: error.into() }),
    }
}

/// Sets the limits; none is raised.
///
/// # Errors
/// When the system refuses one.
pub(super) fn limit(limits: &Limits) -> Result<(), SandboxError> {
    for (resource, most) in [
        (Resource::Core, Some(0)),
        (Resource::Fsize, limits.file_size),
        (Resource::Nofile, limits.files),
        (Resource::Cpu, limits.cpu),
        (Resource::Data, limits.memory),
        (Resource::Nproc, limits.processes),
    ] {
        let Some(most) = most else { continue };
        let most = getrlimit(resource).maximum.map_or(most, |before| before.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
            .map_err(|error| SandboxError::Step { step: "set a limit", source: error.into() })?;
    }
    Ok(())
}

/// Makes the private directory, and the two above it that belong to the arena. One that somebody else made is not
/// used: it could lead anywhere.
///
/// # Errors
/// When one cannot be made, or is not ours.
pub(super) fn make_private(path: &Path, user: Option<u32>) -> Result<(), SandboxError> {
    let own = rustix::process::geteuid().as_raw();
    let mut parts: Vec<_> = path.ancestors().take(3).collect();
    parts.reverse();
    for part in parts {
        let failed = |source| SandboxError::Private { path: part.to_path_buf(), source };
        // Users of their own pass through to theirs, and can list nothing.
        let mode = if own == 0 && part != path { 0o711 } else { 0o700 };
        match fs::DirBuilder::new().mode(mode).create(part) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
        let found = fs::symlink_metadata(part).map_err(failed)?;
        let is_owner = found.uid() == own || (part == path && Some(found.uid()) == user);
        if !found.is_dir() || !is_owner || found.mode() & 0o022 != 0 {
            return Err(failed(io::Error::other("somebody else has made it")));
        }
    }
    if let Some(user) = user {
        let failed = |source| SandboxError::Private { path: path.to_path_buf(), source };
        std::os::unix::fs::lchown(path, Some(user), Some(user)).map_err(failed)?;
    }
    Ok(())
}
