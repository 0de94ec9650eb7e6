//! The control groups of this arena: found once, made ready before the first bot, left at the end.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::duty::{CgroupVersion, Duty};
use super::group::{Cgroup, rest};
use super::hierarchy;
use super::places::ControlGroups;
use crate::owner::{is_left, prefix};

/// How long an arena that was killed may take to be gone.
const DYING: Duration = Duration::from_secs(2);

/// What was found, with nothing changed.
static FOUND: OnceLock<ControlGroups> = OnceLock::new();

/// What was made ready, or why it could not be.
static READY: OnceLock<Result<ControlGroups, String>> = OnceLock::new();

/// Returns where this process may make control groups. Nothing is changed by asking.
///
/// ```
/// let groups = processes::control_groups();
/// match groups.in_force() {
///     Some(duties) => println!("control groups: {duties}"),
///     None => println!("no control groups: {}", groups.lacking().unwrap_or_default()),
/// }
/// ```
#[must_use]
pub fn control_groups() -> &'static ControlGroups {
    FOUND.get_or_init(|| {
        let text = |name: &str| fs::read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
        let hierarchies = hierarchy::read(&text("cgroup"), &text("mountinfo"));
        let own = std::process::id();
        let trial = format!("{}-trial", prefix(own));
        ControlGroups::among(&hierarchies, i32::try_from(own).unwrap_or_default(), &trial)
    })
}

/// Returns a group for a process of a bot, which is not made by this; `None` where none can be made. What earlier arenas
/// have left is removed before the first one.
///
/// # Errors
/// When the system refuses now what it seemed to allow.
pub(crate) fn new_group() -> io::Result<Option<Cgroup>> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let ready = READY.get_or_init(|| {
        let mut groups = control_groups().clone();
        groups.clear_up();
        groups.make_ready().map_err(|error| error.to_string())?;
        Ok(groups)
    });
    let groups = ready.as_ref().map_err(|error| io::Error::other(format!("no control groups: {error}")))?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    Ok(Cgroup::new(groups, &format!("{}-{count}", prefix(std::process::id()))))
}

/// Undoes what was done to have control groups: to be called at the end of `main`.
pub fn leave_control_groups() {
    if let Some(Ok(groups)) = READY.get() {
        groups.undo();
    }
}

impl ControlGroups {
    /// Has the groups below have their controllers.
    pub(super) fn make_ready(&mut self) -> io::Result<()> {
        let Some(opening) = self.opening.clone() else { return Ok(()) };
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("`{}`: {error}", opening.base.display()));
        if opening.is_moved {
            let home = opening.base.join(format!("{}-main", prefix(std::process::id())));
            fs::create_dir(&home).map_err(named)?;
            if let Err(error) = fs::write(home.join("cgroup.procs"), std::process::id().to_string()) {
                let _ = fs::remove_dir(&home);
                return Err(named(error));
            }
            for branch in self.branches.iter_mut().flatten().filter(|branch| branch.base == opening.base) {
                branch.home.clone_from(&home);
            }
        }
        let words: Vec<_> = opening.controllers.iter().map(|name| format!("+{name}")).collect();
        let written = fs::write(opening.base.join("cgroup.subtree_control"), words.join(" "));
        written.map_err(|error| {
            self.undo();
            named(error)
        })
    }

    /// Moves this process back to where it was found.
    pub(super) fn undo(&self) {
        let Some(opening) = self.opening.as_ref().filter(|opening| opening.is_moved) else { return };
        let branch = self.branches.iter().flatten().find(|branch| branch.home != branch.base);
        if let Some(branch) = branch {
            go_back(&opening.base, &branch.home, &opening.controllers);
        }
    }

    /// Removes the groups of arenas that are not there any more, and kills who is left in them: both the arena and a guard
    /// have been killed then.
    pub(super) fn clear_up(&self) {
        let bases: BTreeSet<_> = self.branches.iter().flatten().map(|branch| &branch.base).collect();
        let entries = bases.into_iter().flat_map(|base| fs::read_dir(base).into_iter().flatten().flatten());
        let names: BTreeSet<_> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        for name in names.iter().filter(|name| is_left(name)) {
            if let Some(group) = Cgroup::new(self, name) {
                group.kill();
                group.remove();
            }
        }
    }
}

impl Cgroup {
    /// Has a guard undo what its arena did to have control groups, where that was killed before it could: until then the
    /// group in which the arena was found takes no process. Of several guards the last one removes all.
    pub(crate) fn forsake(&self) {
        let moved = self.parts().iter().flatten().find_map(|part| {
            let base = part.dir.parent()?;
            (part.version == CgroupVersion::Two && part.home != base).then_some((base, &part.home))
        });
        let Some((base, home)) = moved else { return };
        let is_gone = || home.file_name().and_then(|name| name.to_str()).is_some_and(is_left);
        let deadline = Instant::now() + DYING;
        // A process lets go of its descriptors before it is gone itself.
        while !is_gone() {
            if Instant::now() > deadline {
                return;
            }
            rest();
        }
        let controllers: Vec<_> = Duty::ALL.into_iter().filter_map(Duty::controller_of_two).collect();
        go_back(base, home, &controllers);
    }
}

/// Takes the controllers from the groups below one, moves this process there and removes the group in which it was.
fn go_back(base: &Path, home: &Path, controllers: &[&str]) {
    let words: Vec<_> = controllers.iter().map(|name| format!("-{name}")).collect();
    // Where one of these fails there is nobody to be told, and the maker of the group above removes it with all below.
    let _ = fs::write(base.join("cgroup.subtree_control"), words.join(" "));
    let _ = fs::write(base.join("cgroup.procs"), std::process::id().to_string());
    let _ = fs::remove_dir(home);
}
