//! What is left of a bot whose guard was killed: its processes fall to the arena, which kills them itself.
//!
//! The arena is a child subreaper too. Guards live in sessions of their own, and so does whatever descends from one; what
//! the arena starts otherwise stays in its session. So a child of another session that is no guard has lost its guard.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, getpid, waitid};

use super::tree::ProcessEntry;
use super::{private_dir, tree};
use crate::cgroup::Cgroup;

/// How long orphans are hunted at a time.
const LIMIT: Duration = Duration::from_secs(5);

/// What a guard is to remove.
#[derive(Clone, Debug, Default)]
pub(super) struct Belongings {
    /// The private directory of its bot.
    pub(super) private_dir: PathBuf,
    /// The control group, if there is one.
    pub(super) cgroup: Option<Cgroup>,
}

/// The numbers of all guards that have not been reaped, with what they are to remove.
static GUARDS: Mutex<BTreeMap<i32, Belongings>> = Mutex::new(BTreeMap::new());

/// Returns the list of guards; while it is held, no guard is started and none is forgotten.
pub(super) fn guards() -> MutexGuard<'static, BTreeMap<i32, Belongings>> {
    GUARDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a guard that has been reaped from the list. Where it had not done its work, the arena does it.
pub(crate) fn forget_guard(number: Option<u32>, is_done: bool) {
    let mut guards = guards();
    let number = number.and_then(|number| i32::try_from(number).ok());
    let belongings = number.and_then(|number| guards.remove(&number));
    if !is_done {
        let cgroup = belongings.as_ref().and_then(|belongings| belongings.cgroup.as_ref());
        if let Some(cgroup) = cgroup {
            cgroup.kill();
        }
        kill(&guards);
        drop(guards);
        // What is left of it after that belongs to somebody else.
        if let Some(cgroup) = cgroup {
            cgroup.remove();
        }
        let _ = belongings.map(|belongings| private_dir::remove(&belongings.private_dir));
    }
}

/// Kills and reaps every process that has lost its guard.
fn kill(guards: &BTreeMap<i32, Belongings>) {
    let own = getpid().as_raw_nonzero().get();
    let deadline = Instant::now() + LIMIT;
    loop {
        let everybody = tree::everybody();
        let orphans = orphans(&everybody, own, guards);
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

/// Returns the children of the process `own` that have lost their guard. Its session is taken from the same list as theirs:
/// in a container, whose processes do not see who leads it, it has the number 0.
fn orphans(everybody: &[ProcessEntry], own: i32, guards: &BTreeMap<i32, Belongings>) -> Vec<ProcessEntry> {
    let session = everybody.iter().find(|member| member.number == own).map(|member| member.session);
    let children = everybody.iter().filter(|member| member.parent == own);
    let strangers = children.filter(|child| session.is_some_and(|session| child.session != session));
    strangers.filter(|child| !guards.contains_key(&child.number)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(number: i32, parent: i32, session: i32) -> ProcessEntry {
        ProcessEntry { number, parent, group: session, session, is_zombie: false }
    }

    #[test]
    fn a_child_of_another_session_that_is_no_guard_has_lost_its_guard() {
        let guards = BTreeMap::from([(20, Belongings::default())]);
        // On a bare system, and in a container whose session is led from outside.
        for session in [10, 0] {
            let everybody = [
                member(12, 10, session),
                member(11, 3, session),
                member(20, 11, 20),
                member(21, 11, session),
                member(22, 11, 22),
                member(23, 22, 23),
            ];
            assert_eq!(orphans(&everybody, 11, &guards), [member(22, 11, 22)]);
            // Who does not find itself in the list kills nobody.
            assert_eq!(orphans(&everybody, 99, &guards), []);
        }
    }
}
