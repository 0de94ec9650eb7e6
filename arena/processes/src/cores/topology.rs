//! The cores of this machine that the arena may use: which logical processors share one, and which of them are slower.
//!
//! Read from the files of Linux under `/sys` (`Documentation/admin-guide/cputopology.rst` of the kernel). A processor counts
//! where it is online and in the affinity mask of the process, which the kernel keeps within the cpuset of its control
//! group. A quota of processor time takes no processor away but limits how many can be busy at once.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, thread};

use super::Cpus;

/// Cores whose capacity is within this share of the fastest one's are of one kind: some chips clock single cores a little
/// higher.
const SAME_KIND: f64 = 0.85;

/// The cores that the arena may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    cores: Vec<Core>,
    quota: Option<usize>,
}

/// A physical core, as far as the arena may use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// Which package, or socket, it is in.
    pub package: usize,
    /// How fast it is: 0 for the fastest kind of this machine, 1 for the next.
    pub kind: usize,
    /// Its logical processors that may be used, at least one. More than one share its units (SMT).
    pub cpus: Cpus,
}

impl Topology {
    /// Asks the system; `None` where it does not tell, or where this is not Linux.
    #[must_use]
    pub fn of_this_machine() -> Option<Self> {
        let allowed = Cpus::allowed()?;
        let available = thread::available_parallelism().ok().map(usize::from);
        // The standard library counts the affinity mask too, and rounds a quota down, to 1 at least.
        let quota = available.filter(|available| *available < allowed.len());
        Self::read(Path::new("/sys"), &allowed, quota)
    }

    /// Reads the tree of system files at `root` for the processors that are `allowed`; `quota` is for how many of them there
    /// is time, where that is less. `None` where the tree does not tell of any of them.
    #[must_use]
    pub fn read(root: &Path, allowed: &Cpus, quota: Option<usize>) -> Option<Self> {
        let system = root.join("devices/system/cpu");
        let online = list(&system.join("online"));
        let slow = list(&root.join("devices/cpu_atom/cpus")).unwrap_or_default();
        let mut found: BTreeMap<CoreKey, (Core, u64)> = BTreeMap::new();
        for cpu in allowed.iter().filter(|cpu| online.as_ref().is_none_or(|online| online.contains(*cpu))) {
            let directory = system.join(format!("cpu{cpu}"));
            let topology = directory.join("topology");
            let package = number(&topology.join("physical_package_id")).unwrap_or(0) as usize;
            // The older name comes first: every kernel has it.
            let siblings = ["thread_siblings_list", "core_cpus_list"].iter();
            let siblings =
                siblings.filter_map(|name| list(&topology.join(name))).find(|list| list.contains(cpu));
            let key = match (siblings, number(&topology.join("core_id"))) {
                (Some(siblings), _) => CoreKey::Threads(siblings),
                (None, Some(core)) => CoreKey::Core(package, core),
                (None, None) => continue,
            };
            let capacity = number(&directory.join("cpu_capacity"));
            let speed = capacity.unwrap_or(if slow.contains(cpu) { 512 } else { 1024 });
            let new = || (Core { package, kind: 0, cpus: Cpus::default() }, speed);
            let (core, fastest) = found.entry(key).or_insert_with(new);
            core.cpus.insert(cpu);
            *fastest = speed.max(*fastest);
        }
        if found.is_empty() {
            return None;
        }
        let mut cores: Vec<_> = found.into_values().collect();
        cores.sort_by_key(|(core, speed)| (std::cmp::Reverse(*speed), core.cpus.clone()));
        let (mut kind, mut top) = (0, cores[0].1);
        for (core, speed) in &mut cores {
            if (*speed as f64) < SAME_KIND * top as f64 {
                (kind, top) = (kind + 1, *speed);
            }
            core.kind = kind;
        }
        let mut cores: Vec<_> = cores.into_iter().map(|(core, _)| core).collect();
        cores.sort_by_key(|core| (core.kind, core.cpus.clone()));
        Some(Self { cores, quota })
    }

    /// Returns the cores, the fastest kind first, within a kind by their processors.
    #[must_use]
    pub fn cores(&self) -> &[Core] {
        &self.cores
    }

    /// Returns for how many processors there is time, where a quota allows fewer than there are.
    #[must_use]
    pub const fn quota(&self) -> Option<usize> {
        self.quota
    }

    /// Returns how many cores can be busy at once: all, or what the quota allows.
    #[must_use]
    pub fn busy_at_once(&self) -> usize {
        self.quota.map_or(self.cores.len(), |quota| quota.min(self.cores.len()))
    }
}

/// What tells cores apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CoreKey {
    /// The processors that share it, whether they may be used or not.
    Threads(Cpus),
    /// Its package and its number there, where the system does not tell who shares it.
    Core(usize, u64),
}

fn list(path: &Path) -> Option<Cpus> {
    fs::read_to_string(path).ok()?.parse().ok()
}

fn number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a made-up tree: for each processor its package, and who shares its core.
    fn tree(cpus: &[(usize, usize, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (cpu, package, siblings) in cpus {
            let topology = root.path().join(format!("devices/system/cpu/cpu{cpu}/topology"));
            fs::create_dir_all(&topology).expect("it takes a folder");
            fs::write(topology.join("physical_package_id"), format!("{package}\n")).expect("it takes a file");
            fs::write(topology.join("thread_siblings_list"), format!("{siblings}\n"))
                .expect("it takes a file");
        }
        root
    }

    fn cpus(text: &str) -> Cpus {
        text.parse().expect("a list")
    }

    /// Checks which cores are found: `CPUS@PACKAGE/KIND` each.
    fn check(root: &tempfile::TempDir, allowed: &str, expected: &[&str]) {
        let topology = Topology::read(root.path(), &cpus(allowed), None);
        let cores = topology.iter().flat_map(Topology::cores);
        let words: Vec<_> =
            cores.map(|core| format!("{}@{}/{}", core.cpus, core.package, core.kind)).collect();
        assert_eq!(words, expected);
    }

    /// Four cores of two threads, numbered as most machines do: all first threads, then all second ones.
    fn smt() -> tempfile::TempDir {
        let shared = ["0,4", "1,5", "2,6", "3,7"];
        tree(&(0..8).map(|cpu| (cpu, 0, shared[cpu % 4])).collect::<Vec<_>>())
    }

    #[test]
    fn threads_of_one_core_are_one_core() {
        check(&smt(), "0-7", &["0,4@0/0", "1,5@0/0", "2,6@0/0", "3,7@0/0"]);
        check(
            &tree(&[(0, 0, "0-1"), (1, 0, "0-1"), (2, 1, "2-3"), (3, 1, "2-3")]),
            "0-3",
            &["0-1@0/0", "2-3@1/0"],
        );
    }

    #[test]
    fn only_allowed_processors_count() {
        check(&smt(), "0-3", &["0@0/0", "1@0/0", "2@0/0", "3@0/0"]);
        check(&smt(), "2,5-6", &["2,6@0/0", "5@0/0"]);
        check(&smt(), "0,4", &["0,4@0/0"]);
        // A container with two processors of a machine with eight, which are threads of one core.
        check(&smt(), "3,7", &["3,7@0/0"]);
    }

    #[test]
    fn processors_that_are_offline_do_not_count() {
        let root = smt();
        // The files of a processor that is offline are gone, and its core's other thread names itself alone.
        fs::remove_dir_all(root.path().join("devices/system/cpu/cpu5/topology")).unwrap();
        fs::write(root.path().join("devices/system/cpu/cpu1/topology/thread_siblings_list"), "1\n").unwrap();
        check(&root, "0-7", &["0,4@0/0", "1@0/0", "2,6@0/0", "3,7@0/0"]);
        fs::write(root.path().join("devices/system/cpu/online"), "0-2,4\n").unwrap();
        check(&root, "0-7", &["0,4@0/0", "1@0/0", "2@0/0"]);
    }

    #[test]
    fn slower_cores_are_of_another_kind() {
        // Two fast cores of two threads and two slow ones of one.
        let root =
            tree(&[(0, 0, "0-1"), (1, 0, "0-1"), (2, 0, "2-3"), (3, 0, "2-3"), (4, 0, "4"), (5, 0, "5")]);
        fs::create_dir_all(root.path().join("devices/cpu_atom")).unwrap();
        fs::write(root.path().join("devices/cpu_atom/cpus"), "4-5\n").unwrap();
        check(&root, "0-5", &["0-1@0/0", "2-3@0/0", "4@0/1", "5@0/1"]);
        check(&root, "4-5", &["4@0/0", "5@0/0"]);
        // Capacities, the slow cores first; one fast core is clocked a little lower than the other.
        let root = tree(&[(0, 0, "0"), (1, 0, "1"), (2, 0, "2"), (3, 0, "3")]);
        for (cpu, capacity) in [(0, 446), (1, 446), (2, 980), (3, 1024)] {
            let path = root.path().join(format!("devices/system/cpu/cpu{cpu}/cpu_capacity"));
            fs::write(path, format!("{capacity}\n")).unwrap();
        }
        check(&root, "0-3", &["2@0/0", "3@0/0", "0@0/1", "1@0/1"]);
    }

    #[test]
    fn cores_are_told_apart_by_their_numbers_where_nothing_else_tells() {
        let root = tempfile::tempdir().unwrap();
        for cpu in 0..4 {
            let topology = root.path().join(format!("devices/system/cpu/cpu{cpu}/topology"));
            fs::create_dir_all(&topology).unwrap();
            fs::write(topology.join("physical_package_id"), format!("{}\n", cpu / 2)).unwrap();
            fs::write(topology.join("core_id"), "0\n").unwrap();
        }
        check(&root, "0-3", &["0-1@0/0", "2-3@1/0"]);
    }

    #[test]
    fn a_system_that_does_not_tell_has_no_topology() {
        check(&tempfile::tempdir().unwrap(), "0-3", &[]);
        check(&smt(), "", &[]);
        check(&smt(), "8-9", &[]);
    }

    #[test]
    fn a_quota_limits_what_is_busy_at_once() {
        let root = smt();
        let busy = |quota| Topology::read(root.path(), &cpus("0-7"), quota).unwrap().busy_at_once();
        assert_eq!([None, Some(1), Some(3), Some(6)].map(busy), [4, 1, 3, 4]);
    }
}
