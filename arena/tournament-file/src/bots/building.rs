//! Builds are confined: to build an entry is to run the words of its author.
//!
//! A build writes into the directory of its entry and a private one, reads the system and the toolchains of the user, and
//! has no network. What a toolchain keeps for itself goes to the private directory, which is its home.

use std::env;
use std::path::{Path, PathBuf};

use ::sandbox::{Attributes, Level, Support};
use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure};
use runner::Launch;

use crate::confinement::confine::{Confiner, Subject, confined_by};
use crate::confinement::sandbox::{Wanted, usual_quota};
use crate::written::errors::Spot;

/// Directories of toolchains below the user's home, and the variable that names another place. Only what holds programs
/// and libraries: beside these lie keys of registries.
const TOOLCHAINS: [(&str, &str, &[&str]); 6] = [
    ("RUSTUP_HOME", ".rustup", &["toolchains", "settings.toml"]),
    ("CARGO_HOME", ".cargo", &["bin", "registry", "git"]),
    ("GOPATH", "go", &["bin", "pkg"]),
    ("", ".m2", &["repository"]),
    ("SDKMAN_DIR", ".sdkman", &["candidates"]),
    ("NVM_DIR", ".nvm", &["versions"]),
];

/// Variables that a build keeps: where toolchains lie.
const KEPT: [&str; 5] = ["RUSTUP_HOME", "GOROOT", "JAVA_HOME", "SDKMAN_DIR", "NVM_DIR"];

/// What keeps toolchains from looking for a network that is not there.
const OFFLINE: [(&str, &str); 4] =
    [("CARGO_NET_OFFLINE", "true"), ("GOPROXY", "off"), ("GOTOOLCHAIN", "local"), ("PIP_NO_INDEX", "1")];

/// A build that is confined.
#[derive(Clone, Debug)]
pub struct ConfinedBuild {
    /// How it is started.
    pub launch: Launch,
    /// The user who has to own the directory in which it builds, where it is another one.
    pub user: Option<u32>,
}

/// Returns whether a build at this level is confined: from `contest` on.
pub fn confines_builds(level: Level) -> bool {
    level >= Level::Contest
}

/// Confines a build in the directory of its launch; `number` tells builds apart that run at the same time.
///
/// # Errors
/// When the level cannot be had.
pub fn confine_build(level: Level, number: usize, mut launch: Launch) -> Result<ConfinedBuild, Failure> {
    let home = env::home_dir();
    launch.quota = launch.quota.or(usual_quota(level));
    launch.env.extend(variables(home.as_deref()));
    let wanted = Wanted::of_build(level, toolchains(home.as_deref()), launch.dir.clone());
    // As an ordinary user a change of modes could be one of any file of that user.
    let is_own_user = Support::of_system().root;
    let attributes = if is_own_user { Attributes::Allowed } else { Attributes::Ignored };
    let spot = Spot::Flag("--sandbox");
    let subject =
        Subject { name: "the build", raw: None, spot: &spot, is_builtin: false, files: &[], root: None };
    match Confiner::of_build(number).policy(&subject, &launch, &wanted, level, attributes) {
        Ok((words, policy)) => {
            confined_by(words, &mut launch);
            Ok(ConfinedBuild { launch, user: policy.user })
        }
        Err(refusal) => {
            let message = format!("builds cannot be confined at `{level}`: {}", refusal.reason);
            Err(Failure::new(Exit::Usage, vec![Diagnostic::new(message).hint(refusal.hint)]))
        }
    }
}

/// Returns where toolchains lie that are there.
fn toolchains(home: Option<&Path>) -> Vec<PathBuf> {
    let roots = TOOLCHAINS.iter().filter_map(|(variable, name, parts)| {
        let named = env::var_os(variable).filter(|_| !variable.is_empty()).map(PathBuf::from);
        Some((named.or_else(|| Some(home?.join(name)))?, *parts))
    });
    let named = ["GOROOT", "JAVA_HOME"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let parts = roots.flat_map(|(root, parts)| parts.iter().map(move |part| root.join(part)));
    parts.chain(named).filter(|path| path.exists()).collect()
}

/// Returns the variables of a build: its home is another one, so what lay below the user's has to be named.
fn variables(home: Option<&Path>) -> Vec<(String, String)> {
    let text = |path: PathBuf| path.into_os_string().into_string().ok();
    let kept = KEPT.into_iter().filter_map(|name| Some((name.to_owned(), env::var(name).ok()?)));
    let mut variables: Vec<_> = kept.collect();
    let rustup = home.map(|home| home.join(".rustup")).filter(|path| path.is_dir());
    if let Some(rustup) = rustup.and_then(text).filter(|_| env::var_os("RUSTUP_HOME").is_none()) {
        variables.push(("RUSTUP_HOME".to_owned(), rustup));
    }
    variables.extend(OFFLINE.map(|(name, value)| (name.to_owned(), value.to_owned())));
    variables
}
