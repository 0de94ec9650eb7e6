//! Memory that a look at the processes of a bot does not find: what is refused where no control group counts it.
//!
//! What a process holds for itself, its page tables, its threads and the descriptors that it has open are seen in `/proc`.
//! Pages that are reached by nothing of that are not: those of a file in memory that is mapped in part or not at all, and
//! those that a pipe or socket keeps though their own memory was given back.

use libc::{
    F_SETPIPE_SZ, MAP_ANONYMOUS, MAP_HUGETLB, MAP_SHARED, SO_RCVBUF, SO_RCVBUFFORCE, SO_SNDBUF,
    SO_SNDBUFFORCE, SOL_SOCKET, SYS_fcntl, SYS_landlock_create_ruleset, SYS_memfd_create, SYS_memfd_secret,
    SYS_mmap, SYS_sendfile, SYS_setsockopt, SYS_splice, SYS_tee, SYS_vmsplice,
};

use super::{Case, number};

/// Files in memory that have no name; and rules of Landlock, of which a process could keep any number.
pub(super) const UNKNOWN: [i64; 3] = [SYS_memfd_create, SYS_memfd_secret, SYS_landlock_create_ruleset];

/// What puts pages themselves into a pipe, so that a slot for 4 KiB may keep 2 MiB. Who is told that these descriptors
/// cannot do it copies.
pub(super) const UNSUITED: [i64; 4] = [SYS_vmsplice, SYS_splice, SYS_tee, SYS_sendfile];

/// Returns what is refused, as without permission, where one of several lists of conditions holds.
pub(super) fn refused(network: bool) -> Vec<(i64, Vec<Vec<Case>>)> {
    let option = |name| vec![Case::is(1, number(SOL_SOCKET)), Case::is(2, number(name))];
    let buffers = [SO_SNDBUF, SO_SNDBUFFORCE, SO_RCVBUF, SO_RCVBUFFORCE];
    let mut refused = vec![
        // Shared memory without a file is all kept while any page of it is mapped. Huge pages are in no account.
        (SYS_mmap, vec![vec![Case::has(3, MAP_SHARED | MAP_ANONYMOUS)], vec![Case::has(3, MAP_HUGETLB)]]),
        // A pipe is taken to hold what it holds unless somebody has made it larger.
        (SYS_fcntl, vec![vec![Case::is(1, number(F_SETPIPE_SZ))]]),
    ];
    if !network {
        // So is a socket. With a network the system keeps more for it anyway.
        refused.push((SYS_setsockopt, buffers.map(option).into()));
    }
    refused
}
