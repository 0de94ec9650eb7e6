//! Namespaces: a network, shared memory, processes and mounts of its own.
//!
//! A process that asks for a namespace of processes does not enter it, its children do. So the process that confines
//! itself stays outside and waits, and a child of it becomes the bot: the first process of its namespace, with whose
//! end the kernel ends all others in it. It ends with its parent too.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, exit};

use nix::sched::{CloneFlags, unshare};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, configure_capability_in_ambient_set, set_capabilities,
};

use crate::policy::WORD;
use crate::{Policy, SandboxError};

/// The most bytes of each directory that is the bot's own in memory.
const MEMORY: &std::ffi::CStr = c"size=64m,mode=1777";

/// Directories that are shared by all processes of a system, each replaced by one of the bot's own.
const SHARED: [&str; 2] = ["/dev/shm", "/dev/mqueue"];

/// A variable that tells the child that it is in the namespaces already. Nothing depends on its secrecy: without
/// namespaces the mounts that it asks for are refused.
const INSIDE: &str = "ARENA_CONFINED_INSIDE";

/// Returns in the child, which is in namespaces of its own; the parent waits for it and ends as it does.
///
/// # Errors
/// When the system refuses, with what would allow it.
pub(super) fn enter(policy: &Policy, program: &OsString, args: &[OsString]) -> Result<(), SandboxError> {
    if std::env::var_os(INSIDE).is_some() {
        return furnish();
    }
    let mut flags = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWNET;
    if policy.network {
        flags.remove(CloneFlags::CLONE_NEWNET);
    }
    let (uid, gid) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    if uid != 0 {
        flags |= CloneFlags::CLONE_NEWUSER;
    }
    let step = if uid == 0 { "make namespaces" } else { "make namespaces of a user" };
    unshare(flags).map_err(|error| refused(step, error.into()))?;
    if uid != 0 {
        let step = "map the user into its namespace";
        for (file, text) in [
            ("setgroups", "deny".to_owned()),
            ("uid_map", format!("{uid} {uid} 1")),
            ("gid_map", format!("{gid} {gid} 1")),
        ] {
            fs::write(Path::new("/proc/self").join(file), text).map_err(|error| refused(step, error))?;
        }
        keep_mounting()
            .map_err(|error| refused("keep the right to mount in namespaces of a user", error.into()))?;
    }
    // What is mounted here is not to be seen outside.
    let apart = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    mount_change("/", apart).map_err(|error| refused("set mounts apart", error.into()))?;
    let failed = |source| SandboxError::Step { step: "start the process inside the namespaces", source };
    let words = serde_json::to_string(policy).map_err(|error| failed(io::Error::other(error)))?;
    let arena = std::env::current_exe().map_err(failed)?;
    let mut child = Command::new(arena);
    child.arg(WORD).arg(words).arg("--").arg(program).args(args).env(INSIDE, "1");
    let status = child.spawn().and_then(|mut child| child.wait()).map_err(failed)?;
    // A shell's number for a signal: this process is not the one that was hit.
    exit(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// Has the child keep what it needs to mount: who is not root loses all that a namespace of users has given when it becomes
/// another program, but for this. It gives it up with everything else before it becomes the bot.
fn keep_mounting() -> rustix::io::Result<()> {
    let mounting = CapabilitySet::SYS_ADMIN;
    set_capabilities(None, CapabilitySets { inheritable: mounting, ..capabilities(None)? })?;
    configure_capability_in_ambient_set(mounting, true)
}

/// Makes the namespaces that this process is in its own: the processes that are listed, the memory that is shared.
fn furnish() -> Result<(), SandboxError> {
    let step = "end with the process outside the namespaces";
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| SandboxError::Step { step, source: error.into() })?;
    let plain = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", "/proc", "proc", plain, None).map_err(|error| refused("mount /proc", error.into()))?;
    for path in SHARED.iter().filter(|path| Path::new(path).is_dir()) {
        mount("tmpfs", *path, "tmpfs", plain, MEMORY)
            .map_err(|error| refused("mount shared memory of its own", error.into()))?;
    }
    Ok(())
}

/// Says what would allow a step that was refused, by what this system says of itself.
fn refused(step: &'static str, cause: io::Error) -> SandboxError {
    let says = |file: &str, value: &str| fs::read_to_string(file).is_ok_and(|text| text.trim() == value);
    let mut ways = Vec::new();
    if says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") {
        ways.push(
            "an AppArmor profile for this executable with `userns,`, or `sysctl kernel.apparmor_restrict_unprivileged_userns=0`",
        );
    }
    if says("/proc/sys/kernel/unprivileged_userns_clone", "0") {
        ways.push("`sysctl kernel.unprivileged_userns_clone=1`");
    }
    if says("/proc/sys/user/max_user_namespaces", "0") {
        ways.push("`sysctl user.max_user_namespaces=10000`");
    }
    if Path::new("/.dockerenv").exists() || Path::new("/run/.containerenv").exists() {
        ways.push(
            "a container started with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined \
             --cap-add SYS_ADMIN`",
        );
    }
    if ways.is_empty() {
        ways.push(
            "running as root, or a kernel, container or systemd unit (`RestrictNamespaces=no`, `ProtectProc=default`) \
             that lets users make namespaces",
        );
    }
    SandboxError::Namespace { step, cause, remedy: ways.join("; or ") }
}
