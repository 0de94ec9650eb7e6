//! Where this process may make control groups.

use std::fmt;

#[cfg(target_os = "linux")]
pub(super) use self::linux::GroupBase;
#[cfg(target_os = "linux")]
use super::duty::{CgroupVersion, Duty};

/// Where this process may make control groups, and why not where it may not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlGroups {
    /// The place for each duty, in their order.
    #[cfg(target_os = "linux")]
    pub(super) branches: [Option<GroupBase>; Duty::ALL.len()],
    /// What has to be done first in version 2, so that its groups have controllers.
    #[cfg(target_os = "linux")]
    pub(super) opening: Option<linux::ControllerSetup>,
    /// Why some duty has no place.
    lacking: Option<String>,
}

impl ControlGroups {
    /// What gives the arena a group of its own, where it lacks one: a sentence without a full stop.
    pub const WAY: &str =
        "`systemd-run --user --scope -p Delegate=yes arena …` starts the arena in a control group of its own";

    /// Returns what groups do for a bot here, for people: `memory v1, processes v1, time v2, kill v2`; `None` where there
    /// are none.
    #[must_use]
    pub fn in_force(&self) -> Option<String> {
        let text = self.to_string();
        (!text.is_empty()).then_some(text)
    }

    /// Returns why groups do not do everything, where they do not: a sentence without a full stop.
    #[must_use]
    pub fn lacking(&self) -> Option<&str> {
        self.lacking.as_deref()
    }

    /// Returns whether a group counts all memory that its members hold, wherever it is.
    #[must_use]
    #[cfg(target_os = "linux")]
    pub const fn counts_memory(&self) -> bool {
        self.branches[Duty::Memory as usize].is_some()
    }

    /// Returns whether a group counts all memory that its members hold: there are none.
    #[must_use]
    #[cfg(not(target_os = "linux"))]
    pub const fn counts_memory(&self) -> bool {
        false
    }

    /// Returns that there are none.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn none() -> Self {
        Self { lacking: Some("only Linux has control groups".to_owned()) }
    }
}

impl fmt::Display for ControlGroups {
    #[cfg(target_os = "linux")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = Duty::ALL.into_iter().zip(&self.branches);
        let words: Vec<_> =
            parts.filter_map(|(duty, it)| Some(format!("{duty} {}", it.as_ref()?.version))).collect();
        f.write_str(&words.join(", "))
    }

    #[cfg(not(target_os = "linux"))]
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, DirBuilder};
    use std::io;
    use std::os::unix::fs::DirBuilderExt;
    use std::path::{Path, PathBuf};

    use rustix::fs::{Access, access};

    use super::super::hierarchy::Hierarchy;
    use super::*;

    /// The part of a hierarchy below which groups are made.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(in super::super) struct GroupBase {
        pub(in super::super) version: CgroupVersion,
        /// The directory below which they are made.
        pub(in super::super) base: PathBuf,
        /// The directory of the group in which this process is.
        pub(in super::super) home: PathBuf,
    }

    /// What makes controllers of version 2 reach the groups below one: a group with controllers for those below it may hold
    /// no process itself, unless it is the root of all.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(in super::super) struct ControllerSetup {
        pub(in super::super) base: PathBuf,
        /// The controllers.
        pub(in super::super) controllers: Vec<&'static str>,
        /// Whether this process has to go into a group of its own first.
        pub(in super::super) is_moved: bool,
    }

    impl ControlGroups {
        /// Returns where groups can be made in these hierarchies: in version 2 where it can, else in version 1. `own` is the
        /// number of this process, `trial` the name of a group that is made and removed to try it.
        pub(in super::super) fn among(hierarchies: &[Hierarchy], own: i32, trial: &str) -> Self {
            let mut groups = Self::default();
            let mut refusals = Vec::new();
            let mut order: Vec<_> = hierarchies.iter().collect();
            order.sort_by_key(|hierarchy| std::cmp::Reverse(hierarchy.version));
            for hierarchy in order {
                let duties = match hierarchy.version {
                    CgroupVersion::Two => match groups.opened(&hierarchy.own, own) {
                        Ok(duties) => duties,
                        Err((duties, reason)) => {
                            refusals.push(reason);
                            duties
                        }
                    },
                    CgroupVersion::One => {
                        let has =
                            |duty: &Duty| hierarchy.controllers.iter().any(|name| name == duty.controller());
                        Duty::ALL.into_iter().filter(has).collect()
                    }
                };
                let open: Vec<_> =
                    duties.into_iter().filter(|duty| groups.branches[*duty as usize].is_none()).collect();
                if open.is_empty() {
                    continue;
                }
                if let Err(error) = attempt(&hierarchy.own, trial) {
                    refusals.push(format!("`{}` cannot be written: {error}", hierarchy.own.display()));
                    if hierarchy.version == CgroupVersion::Two {
                        groups.opening = None;
                    }
                    continue;
                }
                let home = hierarchy.own.clone();
                let branch = GroupBase { version: hierarchy.version, base: home.clone(), home };
                open.into_iter().for_each(|duty| groups.branches[duty as usize] = Some(branch.clone()));
            }
            if groups.branches.iter().any(Option::is_none) {
                // One is enough to know what to do: mostly the others are alike.
                let first = refusals.into_iter().next();
                groups.lacking =
                    Some(first.unwrap_or_else(|| "the system has none mounted that could".to_owned()));
            }
            groups
        }

        /// Returns the duties of a group of version 2 below the one in which this process is, and notes what has to be done
        /// first; or those that need nothing, and why the others cannot be had.
        fn opened(&mut self, base: &Path, own: i32) -> Result<Vec<Duty>, (Vec<Duty>, String)> {
            let words = |name: &str| fs::read_to_string(base.join(name)).unwrap_or_default();
            let (has, gives) = (words("cgroup.controllers"), words("cgroup.subtree_control"));
            let among = |list: &str, name: &str| list.split_whitespace().any(|word| word == name);
            let is_had = |duty: &Duty| duty.controller_of_two().is_none_or(|name| among(&has, name));
            let duties: Vec<_> = Duty::ALL.into_iter().filter(is_had).collect();
            let controllers: Vec<_> = duties
                .iter()
                .filter_map(|duty| duty.controller_of_two())
                .filter(|name| !among(&gives, name))
                .collect();
            if controllers.is_empty() {
                return Ok(duties);
            }
            // The root of all has no type.
            let is_root = !base.join("cgroup.type").exists();
            let members = words("cgroup.procs");
            let is_alone = members.split_whitespace().all(|number| number.parse() == Ok(own));
            if is_root || is_alone {
                self.opening =
                    Some(ControllerSetup { base: base.to_owned(), controllers, is_moved: !is_root });
                return Ok(duties);
            }
            let free = duties
                .into_iter()
                .filter(|duty| duty.controller_of_two().is_none_or(|name| !controllers.contains(&name)));
            let reason = format!(
                "`{}` holds other processes than the arena, so that it cannot have limits for groups below it",
                base.display()
            );
            Err((free.collect(), reason))
        }
    }

    /// Makes a group and removes it.
    fn attempt(base: &Path, trial: &str) -> io::Result<()> {
        // A process that was moved into a group has to come back from it.
        access(base.join("cgroup.procs"), Access::WRITE_OK)?;
        let path = base.join(trial);
        DirBuilder::new().mode(0o755).create(&path)?;
        fs::remove_dir(path)
    }
}
