//! What is left of a bot whose guard was killed: its processes fall to the arena, which kills them itself.
//!
//! The arena is a child subreaper too. Guards live in sessions of their own, and so does whatever descends from one; what
//! the arena starts otherwise stays in its session. So a child of another session that is no guard has lost its guard.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, getpid, getsid, waitid};

use super::tree;

/// How long orphans are hunted at a time.
const LIMIT: Duration = Duration::from_secs(5);

/// The numbers of all guards that have not been reaped.
static GUARDS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Returns the list of guards; while it is held, no guard is started and none is forgotten.
pub(super) fn guards() -> MutexGuard<'static, BTreeSet<i32>> {
    GUARDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a guard that has been reaped from the list. Where it had not done its work, the arena does it.
pub(crate) fn forget_guard(number: Option<u32>, is_done: bool) {
    let mut guards = guards();
    if let Some(number) = number.and_then(|number| i32::try_from(number).ok()) {
        guards.remove(&number);
    }
    if !is_done {
        kill(&guards);
    }
}

/// Kills and reaps every process that has lost its guard.
fn kill(guards: &BTreeSet<i32>) {
    let own = getpid().as_raw_nonzero().get();
    let session = getsid(None).map_or(0, |session| session.as_raw_nonzero().get());
    let deadline = Instant::now() + LIMIT;
    loop {
        let everybody = tree::everybody();
        let orphans: Vec<_> = everybody
            .iter()
            .filter(|member| member.parent == own && member.session != session)
            .filter(|member| !guards.contains(&member.number))
            .copied()
            .collect();
        if orphans.is_empty() || Instant::now() > deadline {
            return;
        }
        let roots: Vec<i32> = orphans.iter().map(|member| member.number).collect();
        tree::kill(&orphans, own);
        tree::kill(&tree::below(&everybody, &roots), own);
        for orphan in roots.into_iter().filter_map(Pid::from_raw) {
            let _ = waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
        std::thread::yield_now();
    }
}
