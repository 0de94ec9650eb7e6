//! The tree of processes below one of them, as `/proc` shows it, and its end.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open, pidfd_send_signal, waitid,
};

/// A process, as its line in `/proc/PID/stat` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProcessEntry {
    /// Its number.
    pub(super) number: i32,
    /// The number of its parent.
    pub(super) parent: i32,
    /// The number of its process group.
    pub(super) group: i32,
    /// The number of its session.
    pub(super) session: i32,
    /// Whether it has ended and only waits to be reaped.
    pub(super) is_zombie: bool,
}

impl ProcessEntry {
    /// Reads a process; `None` when it is gone.
    pub(super) fn read(number: i32) -> Option<Self> {
        Self::parse(number, &fs::read_to_string(format!("/proc/{number}/stat")).ok()?)
    }

    fn parse(number: i32, stat: &str) -> Option<Self> {
        // The name in parentheses may hold anything, so the fields are counted from its end.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let is_zombie = matches!(fields.next()?, "Z" | "X");
        let mut number_of = || fields.next()?.parse().ok();
        let (parent, group, session) = (number_of()?, number_of()?, number_of()?);
        Some(Self { number, parent, group, session, is_zombie })
    }
}

/// Returns every process that the system shows.
pub(super) fn everybody() -> Vec<ProcessEntry> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| ProcessEntry::read(entry.file_name().to_str()?.parse().ok()?)).collect()
}

/// Returns the descendants of some of these processes, parents before their children.
pub(super) fn below(everybody: &[ProcessEntry], roots: &[i32]) -> Vec<ProcessEntry> {
    let mut children: BTreeMap<i32, Vec<&ProcessEntry>> = BTreeMap::new();
    everybody.iter().for_each(|member| children.entry(member.parent).or_default().push(member));
    let mut found = Vec::new();
    let mut seen: BTreeSet<i32> = roots.iter().copied().collect();
    let mut next: Vec<i32> = roots.to_vec();
    while let Some(parent) = next.pop() {
        for child in children.get(&parent).into_iter().flatten() {
            // Processes come and go while they are listed: a number may have been used twice.
            if seen.insert(child.number) {
                found.push(**child);
                next.push(child.number);
            }
        }
    }
    found
}

/// Kills processes and their groups, except what belongs to the group `own`. What is not any more what was listed is left
/// alone.
pub(super) fn kill(members: &[ProcessEntry], own: i32) {
    for member in members.iter().filter(|member| !member.is_zombie) {
        let Some(pid) = Pid::from_raw(member.number) else { continue };
        // A descriptor names a process for good, its number does not.
        let Ok(descriptor) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
        let is_same = ProcessEntry::read(member.number)
            .is_some_and(|now| now.parent == member.parent && now.session == member.session);
        if !is_same {
            continue;
        }
        // A whole group dies at once: none of its members can start another one meanwhile.
        if member.group != own
            && let Some(group) = Pid::from_raw(member.group)
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = pidfd_send_signal(descriptor, Signal::KILL);
    }
}

/// Reaps every child of this process that has ended, except `kept`.
pub(super) fn reap(kept: Option<i32>) {
    for child in children().into_iter().filter(|child| Some(*child) != kept) {
        if let Some(child) = Pid::from_raw(child) {
            let _ = waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
    }
}

/// Returns whether this process has children, ended ones included.
pub(super) fn has_children() -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::All, look).is_ok()
}

/// Returns the children of this process, which has one thread.
fn children() -> Vec<i32> {
    let own = std::process::id() as i32;
    match fs::read_to_string(format!("/proc/self/task/{own}/children")) {
        Ok(list) => list.split_whitespace().filter_map(|number| number.parse().ok()).collect(),
        // Not every system keeps that list.
        Err(_) => {
            let children = everybody().into_iter().filter(|member| member.parent == own);
            children.map(|member| member.number).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(number: i32, parent: i32) -> ProcessEntry {
        ProcessEntry { number, parent, group: 1, session: 1, is_zombie: false }
    }

    #[test]
    fn a_process_is_read_whatever_it_calls_itself() {
        let stat = "42 (a) Z (b) S 7 8 9 0 -1 4194304 5 0 0 0 150 50 0 0 20 0 1 0 9 1 1";
        let expected = ProcessEntry { number: 42, parent: 7, group: 8, session: 9, is_zombie: false };
        assert_eq!(ProcessEntry::parse(42, stat), Some(expected));
        let zombie = ProcessEntry { is_zombie: true, ..expected };
        assert_eq!(ProcessEntry::parse(42, &stat.replace(") S", ") Z")), Some(zombie));
        assert_eq!(ProcessEntry::parse(42, "42 (x) S 7"), None);
    }

    #[test]
    fn descendants_are_found_in_any_order() {
        let all = [member(5, 4), member(4, 2), member(3, 1), member(2, 1), member(9, 8), member(8, 9)];
        let numbers =
            |roots: &[i32]| below(&all, roots).iter().map(|member| member.number).collect::<BTreeSet<_>>();
        assert_eq!(numbers(&[2]), BTreeSet::from([4, 5]));
        assert_eq!(numbers(&[1]), BTreeSet::from([2, 3, 4, 5]));
        assert_eq!(numbers(&[3, 8]), BTreeSet::from([9]));
        assert!(numbers(&[5]).is_empty());
    }

    #[test]
    fn this_process_is_among_all() {
        let own = std::process::id() as i32;
        assert!(everybody().iter().any(|member| member.number == own));
    }
}
