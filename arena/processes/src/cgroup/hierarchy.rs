//! The hierarchies of control groups that are mounted, and where in each this process is: `/proc/self/cgroup` and
//! `/proc/self/mountinfo`, whose fields proc(5) and cgroups(7) describe.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use super::duty::CgroupVersion;

/// A hierarchy, seen from this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hierarchy {
    pub(super) version: CgroupVersion,
    /// Its controllers, in version 1.
    pub(super) controllers: Vec<String>,
    /// The directory of the group in which this process is.
    pub(super) own: PathBuf,
}

/// Reads the hierarchies from the text of `/proc/self/cgroup` and `/proc/self/mountinfo`. Those whose part with this
/// process is not mounted are left out.
pub(super) fn read(groups: &str, mounts: &str) -> Vec<Hierarchy> {
    let mounts: Vec<_> = mounts.lines().filter_map(Mount::parse).collect();
    let mut found = Vec::new();
    for line in groups.lines() {
        // 4:memory:/a/b, and 0::/a/b in version 2.
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(names), Some(path)) = (fields.next(), fields.next()) else { continue };
        let controllers: Vec<_> =
            names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let version = if controllers.is_empty() { CgroupVersion::Two } else { CgroupVersion::One };
        let own = mounts
            .iter()
            .filter(|mount| mount.version == version && controllers.iter().all(|name| mount.has(name)))
            .find_map(|mount| mount.below(Path::new(path)));
        found.extend(own.map(|own| Hierarchy { version, controllers, own }));
    }
    found
}

/// A line of `mountinfo` that is about control groups.
struct Mount<'a> {
    version: CgroupVersion,
    /// Which part of the hierarchy is mounted.
    root: PathBuf,
    at: PathBuf,
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (front, back) = line.split_once(" - ")?;
        let mut back = back.split(' ');
        let version = match back.next()? {
            "cgroup" => CgroupVersion::One,
            "cgroup2" => CgroupVersion::Two,
            _ => return None,
        };
        let mut front = front.split(' ').skip(3);
        let (root, at) = (plain(front.next()?), plain(front.next()?));
        Some(Self { version, root, at, options: back.nth(1)? })
    }

    fn has(&self, controller: &str) -> bool {
        self.options.split(',').any(|option| option == controller)
    }

    /// Returns the directory of a group.
    fn below(&self, group: &Path) -> Option<PathBuf> {
        let inner = group.strip_prefix(&self.root).ok()?;
        // What lies outside the namespace of this process is not reached by going up.
        let is_inside = !inner.components().any(|part| part.as_os_str() == "..");
        // Without the slash at the end that joining nothing would leave.
        is_inside.then(|| self.at.components().chain(inner.components()).collect())
    }
}

/// Undoes how `mountinfo` writes blanks: `\040`.
fn plain(text: &str) -> PathBuf {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 4).and_then(|digits| str::from_utf8(digits).ok());
        let code = digits.filter(|_| *byte == b'\\').and_then(|digits| u8::from_str_radix(digits, 8).ok());
        plain.push(code.unwrap_or(*byte));
        at += if code.is_some() { 4 } else { 1 };
    }
    OsString::from_vec(plain).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hierarchy(version: CgroupVersion, controllers: &[&str], own: &str) -> Hierarchy {
        let controllers = controllers.iter().map(|name| (*name).to_owned()).collect();
        Hierarchy { version, controllers, own: own.into() }
    }

    #[test]
    fn both_versions_are_found_side_by_side() {
        let groups = "5:cpu,cpuacct:/\n4:memory:/job/7\n1:name=systemd:/init.scope\n0::/\n";
        let mounts = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n\
                      33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct\n\
                      35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let expected = [
            hierarchy(CgroupVersion::One, &["cpu", "cpuacct"], "/sys/fs/cgroup/cpu,cpuacct"),
            hierarchy(CgroupVersion::One, &["memory"], "/sys/fs/cgroup/memory/job/7"),
            hierarchy(CgroupVersion::Two, &[], "/sys/fs/cgroup/unified"),
        ];
        assert_eq!(read(groups, mounts), expected);
    }

    #[test]
    fn a_container_sees_its_part_of_a_hierarchy() {
        let mounts = "35 31 0:32 /docker/1f /sys/fs/c\\040g ro - cgroup2 cgroup rw,nsdelegate\n";
        let own = |path: &str| read(&format!("0::{path}\n"), mounts);
        assert_eq!(own("/docker/1f/a"), [hierarchy(CgroupVersion::Two, &[], "/sys/fs/c g/a")]);
        assert_eq!(own("/docker/1f"), [hierarchy(CgroupVersion::Two, &[], "/sys/fs/c g")]);
        assert_eq!((own("/else"), own("/docker/1f/../a")), (Vec::new(), Vec::new()));
        assert_eq!((read("", mounts), read("0::/\n", "garbage - cgroup2\n")), (Vec::new(), Vec::new()));
    }
}
