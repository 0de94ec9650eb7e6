//! Files, TCP and signals, by Landlock: what is not named cannot be reached.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};

use crate::{Policy, SandboxError};

/// Where programs and what they need are installed, and what the kernel says about itself and about processes.
const SYSTEM: [&str; 19] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/snap",
    "/proc",
    "/sys",
    "/dev/random",
    // Only to be read: mapped to be written and shared it is memory that belongs to nobody.
    "/dev/zero",
    "/dev/urandom",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
];

/// Devices that may be written.
const DEVICES: [&str; 2] = ["/dev/null", "/dev/full"];

/// What is left out of `/etc`, besides what not everybody may read: folders with keys of the system.
const SECRETS: [&str; 2] = ["ssh", "ssl"];

/// The versions of the interface that brought something, and the number they count as.
const VERSIONS: [(u8, ABI); 6] =
    [(6, ABI::V6), (5, ABI::V5), (4, ABI::V4), (3, ABI::V3), (2, ABI::V2), (1, ABI::V1)];

/// Returns the features of the kernel's Landlock.
pub(super) fn landlock_version() -> u8 {
    let has = |abi: ABI| ruleset(abi, true).is_ok();
    VERSIONS.iter().find(|(_, abi)| has(*abi)).map_or(0, |(version, _)| *version)
}

/// Returns the rules of a policy with this private directory, ready to be put in force.
///
/// # Errors
/// When the kernel cannot hold to them, or a path cannot be opened.
pub(super) fn rules(policy: &Policy, private: &Path) -> Result<RulesetCreated, SandboxError> {
    let refused = |error: RulesetError| SandboxError::Landlock { reason: error.to_string() };
    let found = VERSIONS.iter().find(|(version, _)| *version == policy.landlock);
    let abi = found.map_or(ABI::Unsupported, |(_, abi)| *abi);
    let read = AccessFs::from_read(abi);
    let all = AccessFs::from_all(abi);
    let mut rules =
        ruleset(abi, !policy.network).map_err(refused)?.create().map_err(refused)?.no_new_privs(true);
    // What belongs to the system is there or not.
    for path in SYSTEM.iter().map(PathBuf::from).chain(configuration()) {
        if path.exists() {
            rules = allow(rules, &path, read)?;
        }
    }
    for device in DEVICES.iter().map(Path::new).filter(|device| device.exists()) {
        rules = allow(rules, device, AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    for path in &policy.read {
        rules = allow(rules, path, read)?;
    }
    for path in policy.write.iter().map(PathBuf::as_path).chain([private]) {
        rules = allow(rules, path, all)?;
    }
    Ok(rules)
}

/// Puts rules in force for this process and whatever it becomes or starts.
///
/// # Errors
/// When they are not in force wholly.
pub(super) fn restrict(rules: RulesetCreated) -> Result<(), SandboxError> {
    let status =
        rules.restrict_self().map_err(|error| SandboxError::Landlock { reason: error.to_string() })?;
    match status.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        other => Err(SandboxError::Landlock { reason: format!("{other:?}") }),
    }
}

/// Returns what is ruled, nothing of it allowed yet. Nothing less is accepted.
fn ruleset(abi: ABI, cuts_network: bool) -> Result<Ruleset, RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))?;
    let network = AccessNet::from_all(abi);
    if cuts_network && !network.is_empty() {
        rules = rules.handle_access(network)?;
    }
    let scopes = Scope::from_all(abi);
    if !scopes.is_empty() {
        rules = rules.scope(scopes)?;
    }
    Ok(rules)
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: impl Into<landlock::BitFlags<AccessFs>>,
) -> Result<RulesetCreated, SandboxError> {
    let failed = |source| SandboxError::Path { path: path.to_path_buf(), source };
    let opened = PathFd::new(path).map_err(|error| match error {
        landlock::PathFdError::OpenCall { source, .. } => failed(source),
        other => failed(std::io::Error::other(other)),
    })?;
    let mut access = access.into();
    if !path.is_dir() {
        access &= AccessFs::from_file(ABI::V6);
    }
    let refused =
        |error: RulesetError| SandboxError::Landlock { reason: format!("{}: {error}", path.display()) };
    rules.add_rule(PathBeneath::new(opened, access)).map_err(refused)
}

/// Returns what everybody may read in `/etc`. A process of root that has lost its capabilities still owns the rest.
fn configuration() -> Vec<PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().flatten();
    let paths = entries.filter(|entry| !SECRETS.iter().any(|name| entry.file_name() == *name));
    let is_open = |path: &PathBuf| path.metadata().is_ok_and(|it| it.permissions().mode() & 0o004 != 0);
    paths.map(|entry| entry.path()).filter(is_open).collect()
}
