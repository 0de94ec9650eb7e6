//! Who the process is: a user of its own, and nothing that a user may not do.

use rustix::process::{Gid, Uid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set, remove_capability_from_bounding_set,
    set_capabilities, set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};

use crate::SandboxError;

/// Returns whether this process may become any user.
pub(super) fn is_root() -> bool {
    let needed = CapabilitySet::SETUID | CapabilitySet::SETGID | CapabilitySet::CHOWN;
    rustix::process::geteuid().is_root()
        && rustix::thread::capabilities(None).is_ok_and(|sets| sets.effective.contains(needed))
}

/// Has no program that this process becomes gain anything: set-user-id bits and the like count for nothing.
///
/// # Errors
/// When the system refuses it.
pub(super) fn gain_nothing() -> Result<(), SandboxError> {
    set_no_new_privs(true).map_err(|error| failed("give up new privileges", error))
}

/// Becomes another user, with its group and no other, where one is named; gives up every capability in any case. To be
/// called while the process has one thread only.
///
/// # Errors
/// When the system refuses it.
pub(super) fn become_user(user: Option<u32>) -> Result<(), SandboxError> {
    if rustix::thread::capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SETPCAP)) {
        for bit in 0..u64::BITS {
            // Numbers beyond the kernel's last one are refused.
            let _ = remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << bit));
        }
    }
    if let Some(user) = user {
        let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
        set_thread_groups(&[]).map_err(|error| failed("leave all groups", error))?;
        set_thread_res_gid(gid, gid, gid).map_err(|error| failed("change the group", error))?;
        set_thread_res_uid(uid, uid, uid).map_err(|error| failed("change the user", error))?;
    }
    clear_ambient_capability_set().map_err(|error| failed("give up ambient capabilities", error))?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
        .map_err(|error| failed("give up capabilities", error))
}

fn failed(step: &'static str, error: rustix::io::Errno) -> SandboxError {
    SandboxError::Step { step, source: error.into() }
}
