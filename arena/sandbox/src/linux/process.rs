//! What a process has from birth: descriptors, limits, session, environment, a directory of its own.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::{Policy, ResourceLimits, SandboxError, carried};

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

/// Variables that name the private directory. The entry may say something else, but of `TMPDIR`.
const PRIVATE: [&str; 4] = ["HOME", "TMPDIR", "TMP", "TEMP"];

/// Returns the environment of the bot, whose private directory this is.
pub(super) fn environment(policy: &Policy, private: &Path) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    let is_own = |name: &str| policy.keep.iter().any(|own| own == name);
    let is_usual = |name: &str| KEPT.contains(&name) || name.starts_with("ABP") || name.starts_with("LC_");
    let usual =
        env::vars_os().filter(|(name, _)| name.to_str().is_some_and(|it| is_usual(it) && !is_own(it)));
    let own = policy.keep.iter().filter_map(|name| Some((name.into(), env::var_os(carried(name))?)));
    let directories = PRIVATE.iter().filter(|name| !is_own(name) || **name == "TMPDIR");
    let mut variables: Vec<_> = usual.chain(own).collect();
    variables.extend(directories.map(|name| (name.into(), private.into())));
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
pub(super) fn limit(limits: &ResourceLimits) -> Result<(), SandboxError> {
    for (resource, most) in [
        (Resource::Core, Some(0)),
        (Resource::Fsize, limits.file_size),
        (Resource::Nofile, limits.files),
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

/// Returns the private directory: what `TMPDIR` names.
///
/// # Errors
/// When nothing does.
pub(super) fn private() -> Result<PathBuf, SandboxError> {
    let reason = || "`TMPDIR` names no private directory".to_owned();
    let named = env::var_os("TMPDIR").map(PathBuf::from).filter(|path| path.is_absolute());
    named.ok_or_else(|| SandboxError::Words { reason: reason() })
}

/// Gives the private directory to the user whom this process becomes. One that somebody else made is not used: it could
/// lead anywhere.
///
/// # Errors
/// When it is not there, or not ours.
pub(super) fn hand_over(private: &Path, user: Option<u32>) -> Result<(), SandboxError> {
    let failed = |source| SandboxError::Private { path: private.to_path_buf(), source };
    let own = rustix::process::geteuid().as_raw();
    let found = fs::symlink_metadata(private).map_err(failed)?;
    if !found.is_dir() || found.uid() != own && Some(found.uid()) != user {
        return Err(failed(io::Error::other("somebody else has made it")));
    }
    match user {
        Some(user) => std::os::unix::fs::lchown(private, Some(user), Some(user)).map_err(failed),
        None => Ok(()),
    }
}
