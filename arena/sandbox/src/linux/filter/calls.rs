//! The system calls that the filter names.

use libc::{
    SYS_acct, SYS_add_key, SYS_adjtimex, SYS_bpf, SYS_chroot, SYS_clock_adjtime, SYS_clock_settime,
    SYS_clone3, SYS_delete_module, SYS_fanotify_init, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat,
    SYS_finit_module, SYS_fremovexattr, SYS_fsconfig, SYS_fsetxattr, SYS_fsmount, SYS_fsopen, SYS_fspick,
    SYS_init_module, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup, SYS_kcmp, SYS_kexec_load,
    SYS_keyctl, SYS_lremovexattr, SYS_lsetxattr, SYS_migrate_pages, SYS_mount, SYS_mount_setattr,
    SYS_move_mount, SYS_move_pages, SYS_mq_open, SYS_mq_unlink, SYS_msgctl, SYS_msgget, SYS_msgrcv,
    SYS_msgsnd, SYS_open_by_handle_at, SYS_open_tree, SYS_perf_event_open, SYS_pidfd_getfd, SYS_pivot_root,
    SYS_process_madvise, SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace, SYS_quotactl, SYS_reboot,
    SYS_removexattr, SYS_request_key, SYS_semctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_setdomainname,
    SYS_sethostname, SYS_setns, SYS_setpgid, SYS_setsid, SYS_settimeofday, SYS_setxattr, SYS_shmat,
    SYS_shmctl, SYS_shmget, SYS_swapoff, SYS_swapon, SYS_syslog, SYS_umount2, SYS_userfaultfd, SYS_utimensat,
    SYS_vhangup,
};

/// Calls that the bindings do not name yet; they have one number on all processors.
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const FILE_SETATTR: i64 = 469;

/// What is refused whatever its arguments.
pub(super) const ALWAYS: &[i64] = &[
    // The memory, descriptors and pages of other processes.
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_pidfd_getfd,
    SYS_kcmp,
    SYS_move_pages,
    SYS_migrate_pages,
    // Out of the group with which a bot ends.
    SYS_setsid,
    SYS_setpgid,
    // Wide doors into the kernel that no bot needs, and keys that outlive the process.
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_fanotify_init,
    SYS_open_by_handle_at,
    SYS_syslog,
    SYS_quotactl,
    // File systems and namespaces.
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_setns,
    // The system as a whole.
    SYS_acct,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_vhangup,
];

/// What files are, beside their contents: Landlock does not cover it.
pub(super) const ATTRIBUTES: &[i64] = &[
    SYS_fchmod,
    SYS_fchmodat,
    FCHMODAT2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SETXATTRAT,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Memory, semaphores and queues that other processes of the machine share and that stay when their maker ends.
pub(super) const SHARED_MEMORY: &[i64] = &[
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_mq_open,
    SYS_mq_unlink,
];

/// What programs know how to do without: its arguments lie in memory, or it goes around the filter.
pub(super) const UNKNOWN: &[i64] =
    &[SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register];

/// The numbers of the calls that have one of their own in the x32 interface, ptrace, ioctl and setsockopt among them. No
/// program of that interface runs without them, and none is needed.
#[cfg(target_arch = "x86_64")]
pub(super) const X32: std::ops::RangeInclusive<i64> = 512..=547;

/// The flags of new namespaces.
pub(super) const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Requests that write into a terminal or take it: TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSCTTY.
pub(super) const TERMINAL: &[u64] = &[0x5412, 0x541c, 0x541d, 0x540e];

/// The ways to run that leave the protections of memory as they are: Linux, Linux without random addresses, BSD,
/// and the question which one holds.
pub(super) const PERSONALITIES: [u64; 3] = [0, 0x0004_0000, 0xffff_ffff];
