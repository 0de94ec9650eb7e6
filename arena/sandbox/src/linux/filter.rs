//! The filter of system calls: what Landlock does not cover.
//!
//! It lists what is refused, not what is allowed: runtimes differ too much in what they call, and what reaches files is
//! left to Landlock. What is refused fails as it does without permission; what programs know how to do without
//! (`clone3`, io_uring) fails as on a kernel that does not have it, or as for descriptors that it is not made for. Calls
//! of another architecture end the process.

use std::collections::BTreeMap;
use std::env::consts::ARCH;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

use crate::{Attributes, Level, Policy, SandboxError};

mod calls;
mod memory;

/// The rules of a filter: a call with none is refused whatever its arguments.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Returns whether the kernel has filters, and this crate knows the processor.
pub(super) fn has_filters() -> bool {
    TargetArch::try_from(ARCH).is_ok()
        && rustix::thread::secure_computing_mode().is_ok()
        && std::path::Path::new("/proc/sys/kernel/seccomp/actions_avail").exists()
}

/// Installs the filter of a policy.
///
/// # Errors
/// When the kernel refuses it.
pub(super) fn install(policy: &Policy) -> Result<(), SandboxError> {
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let filters = [
        (refused(policy, own)?, libc::EPERM),
        (unknown(policy), libc::ENOSYS),
        (unsuited(policy), libc::EINVAL),
        (ignored(policy), 0),
    ];
    for (rules, errno) in filters.into_iter().filter(|(rules, _)| !rules.is_empty()) {
        apply_filter(&compile(rules, errno)?).map_err(|error| failed(&error))?;
    }
    Ok(())
}

fn compile(rules: Rules, errno: i32) -> Result<BpfProgram, SandboxError> {
    let arch = TargetArch::try_from(ARCH).map_err(|error| failed(&error))?;
    let errno = SeccompAction::Errno(errno.unsigned_abs());
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, errno, arch).map_err(|error| failed(&error))?;
    filter.try_into().map_err(|error: seccompiler::BackendError| failed(&error))
}

/// Returns what fails as without permission.
fn refused(policy: &Policy, own: i32) -> Result<Rules, SandboxError> {
    let mut rules = Rules::new();
    for call in calls::ALWAYS {
        rules.insert(*call, Vec::new());
    }
    if policy.attributes == Attributes::Refused {
        for call in calls::ATTRIBUTES {
            rules.insert(*call, Vec::new());
        }
    }
    if policy.level < Level::Strict || !policy.hidden_memory {
        for call in calls::SHARED_MEMORY {
            rules.insert(*call, Vec::new());
        }
    }
    let mut refuse = |call: i64, cases: &[&[Case]]| {
        let cases: Result<Vec<_>, _> = cases.iter().map(|case| rule(case)).collect();
        cases.map(|cases| rules.entry(call).or_default().extend(cases))
    };
    let own = u64::from(own.unsigned_abs());
    // Of others, by their number; 0 is oneself.
    let other = |at: u8| [Case::not(at, 0), Case::not(at, own)];
    for (call, at) in [
        (libc::SYS_prlimit64, 0),
        (libc::SYS_sched_setaffinity, 0),
        (libc::SYS_sched_setscheduler, 0),
        (libc::SYS_sched_setparam, 0),
        (libc::SYS_sched_setattr, 0),
    ] {
        refuse(call, &[&other(at)])?;
    }
    // Whole groups, or all that belongs to the user.
    refuse(libc::SYS_setpriority, &[&[Case::not(0, PRIO_PROCESS)], &other(1)])?;
    refuse(libc::SYS_ioprio_set, &[&[Case::not(0, IOPRIO_WHO_PROCESS)], &other(1)])?;
    if policy.landlock < 6 {
        // Landlock cannot tell whom a signal is for: to oneself only.
        for call in [libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill] {
            refuse(call, &[&[Case::not(0, own)]])?;
        }
        for call in [libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
            refuse(call, &[&[Case::not(0, own)]])?;
        }
        refuse(libc::SYS_pidfd_send_signal, &[])?;
    }
    if policy.landlock < 3 {
        // Landlock does not see a file that is cut off without being opened to write.
        refuse(libc::SYS_truncate, &[])?;
        let cut = |at| [Case::has(at, libc::O_TRUNC), Case::masked(at, libc::O_ACCMODE, libc::O_RDONLY)];
        refuse(libc::SYS_openat, &[&cut(2)])?;
        #[cfg(target_arch = "x86_64")]
        refuse(libc::SYS_open, &[&cut(1)])?;
    }
    if policy.network {
        let known =
            [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK].map(|family| Case::not(0, number(family)));
        let raw = [Case::masked(1, SOCKET_TYPE, libc::SOCK_RAW), Case::not(0, number(libc::AF_NETLINK))];
        refuse(libc::SYS_socket, &[&known, &raw])?;
    } else {
        refuse(libc::SYS_socket, &[])?;
    }
    // A pair of these can still be sent to any address.
    refuse(libc::SYS_socketpair, &[&[Case::masked(1, SOCKET_TYPE, libc::SOCK_DGRAM)]])?;
    let namespaces: Vec<_> = calls::NAMESPACES.iter().map(|flag| [Case::has(0, *flag)]).collect();
    let namespaces: Vec<_> = namespaces.iter().map(<[Case; 1]>::as_slice).collect();
    refuse(libc::SYS_clone, &namespaces)?;
    refuse(libc::SYS_unshare, &namespaces)?;
    let requests: Vec<_> = calls::TERMINAL.iter().map(|request| [Case::is(1, *request)]).collect();
    refuse(libc::SYS_ioctl, &requests.iter().map(<[Case; 1]>::as_slice).collect::<Vec<_>>())?;
    let kinds = calls::PERSONALITIES.map(|kind| Case::not(0, kind));
    refuse(libc::SYS_personality, &[&kinds])?;
    if !policy.hidden_memory {
        for (call, cases) in memory::refused(policy.network) {
            refuse(call, &cases.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        }
    }
    Ok(with_x32(rules))
}

/// Returns what fails as on a kernel that does not have it.
fn unknown(policy: &Policy) -> Rules {
    let mut calls = calls::UNKNOWN.to_vec();
    if policy.landlock < 3 {
        // Its flags lie in memory, where a filter cannot look.
        calls.push(libc::SYS_openat2);
    }
    if !policy.hidden_memory {
        calls.extend(memory::UNKNOWN);
    }
    with_x32(calls.into_iter().map(|call| (call, Vec::new())).collect())
}

/// Returns what fails as for descriptors that it is not made for.
fn unsuited(policy: &Policy) -> Rules {
    let calls: &[i64] = if policy.hidden_memory { &[] } else { &memory::UNSUITED };
    with_x32_numbers(calls.iter().map(|call| (*call, Vec::new())).collect())
}

/// Returns what does nothing and seems to succeed.
fn ignored(policy: &Policy) -> Rules {
    let calls: &[i64] = if policy.attributes == Attributes::Ignored { calls::ATTRIBUTES } else { &[] };
    with_x32_numbers(calls.iter().map(|call| (*call, Vec::new())).collect())
}

/// Adds the same calls by their x32 numbers, which a kernel may accept from any process of this architecture.
#[cfg(target_arch = "x86_64")]
fn with_x32(rules: Rules) -> Rules {
    let mut all = with_x32_numbers(rules);
    all.extend(calls::X32.map(|call| (call | X32_BIT, Vec::new())));
    all
}

/// Adds the same calls by their x32 numbers alone.
#[cfg(target_arch = "x86_64")]
fn with_x32_numbers(rules: Rules) -> Rules {
    let mut all = rules.clone();
    all.extend(rules.into_iter().map(|(call, rules)| (call | X32_BIT, rules)));
    all
}

#[cfg(not(target_arch = "x86_64"))]
fn with_x32(rules: Rules) -> Rules {
    rules
}

#[cfg(not(target_arch = "x86_64"))]
fn with_x32_numbers(rules: Rules) -> Rules {
    rules
}

/// What makes the number of a call one of the x32 interface.
#[cfg(target_arch = "x86_64")]
const X32_BIT: i64 = 0x4000_0000;

const PRIO_PROCESS: u64 = 0;
const IOPRIO_WHO_PROCESS: u64 = 1;
/// The bits of a socket's type that are not flags.
const SOCKET_TYPE: i32 = 0xf;

/// A condition on an argument, of which 32 bits count.
#[derive(Clone, Copy, Debug)]
struct Case {
    at: u8,
    /// Which bits count; `None`: the value is another one.
    mask: Option<u64>,
    value: u64,
}

impl Case {
    const fn not(at: u8, value: u64) -> Self {
        Self { at, mask: None, value }
    }

    const fn is(at: u8, value: u64) -> Self {
        Self { at, mask: Some(u32::MAX as u64), value }
    }

    fn has(at: u8, bit: i32) -> Self {
        Self::masked(at, bit, bit)
    }

    fn masked(at: u8, mask: i32, value: i32) -> Self {
        Self { at, mask: Some(number(mask)), value: number(value) }
    }
}

/// Returns the 32 bits of a number.
fn number(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

/// Returns the rule that holds where all cases do.
fn rule(cases: &[Case]) -> Result<SeccompRule, SandboxError> {
    let conditions: Result<Vec<_>, _> = cases
        .iter()
        .map(|case| {
            let operator = case.mask.map_or(SeccompCmpOp::Ne, SeccompCmpOp::MaskedEq);
            SeccompCondition::new(case.at, SeccompCmpArgLen::Dword, operator, case.value)
        })
        .collect();
    conditions.and_then(SeccompRule::new).map_err(|error| failed(&error))
}

fn failed(error: &dyn std::error::Error) -> SandboxError {
    SandboxError::Filter { reason: error.to_string() }
}
