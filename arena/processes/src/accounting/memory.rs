//! The memory that processes hold, as `/proc` shows it: where no control group counts it, that is all there is.
//!
//! What a process holds for itself is not all: page tables, stacks in the kernel, what lies in pipes and sockets, and files
//! in memory, which stay while a descriptor leads to them though nobody has them mapped. What is reached by neither is not
//! found here; a sandbox refuses it (`sandbox`, its filter of system calls).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, MemfdFlags, StatxFlags, fstat, makedev, memfd_create, statx};

/// How many descriptors and files are looked at: a bot that has more is taken to have as many.
const MOST: usize = 65_536;

/// What the kernel keeps for a thread: its stack, of 16 KiB on all processors that are supported.
const THREAD_KIB: u64 = 16;

/// What lies in a pipe that is full and that nobody has made larger: 16 pages of 4 KiB, pipe(7).
const PIPE_KIB: u64 = 64;

/// What waits in a socket that is full: 208 KiB may be under way (`net.core.wmem_default`), and one message of half of that
/// may begin before.
const SOCKET_KIB: u64 = 312;

/// What a file in memory takes besides its pages.
const FILE_KIB: u64 = 1;

/// The kinds of file system whose files are memory.
const IN_MEMORY: [&str; 4] = ["tmpfs", "ramfs", "hugetlbfs", "devtmpfs"];

/// What one process holds, in KiB, from `/proc/PID/status`: proc_pid_status(5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoryStatus {
    /// Pages of its own, those in swap too, huge ones, the tables that lead to them, and what the kernel keeps for its threads.
    pub(crate) own: u64,
    /// Mapped pages of files.
    pub(crate) files: u64,
    /// Mapped pages of shared memory.
    pub(crate) shared: u64,
    /// Whether it holds any page: who has ended does not.
    pub(crate) lives: bool,
}

impl MemoryStatus {
    /// Reads what a process holds; nothing where it is gone.
    pub(crate) fn of(process: i32) -> Self {
        // A list of groups may be long: what is looked for comes after it.
        Self::parse(&super::proc_files::text(
            &fs::read(format!("/proc/{process}/status")).unwrap_or_default(),
        ))
    }

    fn parse(status: &str) -> Self {
        let fields: BTreeMap<&str, &str> = status.lines().filter_map(|line| line.split_once(':')).collect();
        let number = |name: &str| -> u64 {
            let words = fields.get(name).and_then(|value| value.split_ascii_whitespace().next());
            words.and_then(|word| word.parse().ok()).unwrap_or(0)
        };
        let own: u64 = ["RssAnon", "VmSwap", "HugetlbPages", "VmPTE"].into_iter().map(number).sum();
        Self {
            own: own + number("Threads") * THREAD_KIB,
            files: number("RssFile"),
            shared: number("RssShmem"),
            lives: number("VmRSS") > 0,
        }
    }
}

/// Counts what processes hold besides what is theirs alone.
#[derive(Debug)]
pub(crate) struct MemoryCount {
    /// The devices whose files are memory.
    devices: BTreeSet<u64>,
    /// The private directory, where it lies on one of them.
    private_dir: Option<PathBuf>,
}

impl MemoryCount {
    /// Returns what counts for processes with this private directory.
    pub(crate) fn new(private_dir: &Path) -> Self {
        let mut devices = in_memory(&fs::read_to_string("/proc/self/mountinfo").unwrap_or_default());
        // Memory without a name is on a device that is mounted nowhere.
        let nameless = memfd_create("arena", MemfdFlags::CLOEXEC).and_then(fstat);
        devices.extend(nameless.map(|file| file.st_dev));
        let device = fs::metadata(private_dir).map(|private_dir| private_dir.dev());
        let is_memory = device.is_ok_and(|device| devices.contains(&device));
        Self { devices, private_dir: is_memory.then(|| private_dir.to_owned()) }
    }

    /// Returns what processes hold by their descriptors and in their private directory, in KiB: what lies in pipes and
    /// sockets, and apart from that the files in memory.
    pub(crate) fn count(&self, processes: &[i32]) -> (u64, u64) {
        let mut tally = MemoryTally { counted: self, seen: BTreeSet::new(), queues: 0, files: 0, looks: 0 };
        for process in processes {
            tally.visit(&PathBuf::from(format!("/proc/{process}/fd")), false);
        }
        if let Some(private_dir) = &self.private_dir {
            tally.visit(private_dir, true);
        }
        (tally.queues, tally.files)
    }
}

/// Returns the devices of the file systems in memory that are mounted, from the text of `/proc/self/mountinfo`.
fn in_memory(mounts: &str) -> BTreeSet<u64> {
    let device = |line: &str| {
        let (front, back) = line.split_once(" - ")?;
        let kind = back.split(' ').next()?;
        let (major, minor) = front.split(' ').nth(2)?.split_once(':')?;
        IN_MEMORY.contains(&kind).then_some(makedev(major.parse().ok()?, minor.parse().ok()?))
    };
    mounts.lines().filter_map(device).collect()
}

/// What was found so far; what several descriptors lead to counts once.
struct MemoryTally<'a> {
    counted: &'a MemoryCount,
    seen: BTreeSet<(u64, u64)>,
    queues: u64,
    files: u64,
    looks: usize,
}

impl MemoryTally<'_> {
    /// Looks at what the entries of a directory are: descriptors, which lead to something, or files.
    fn visit(&mut self, directory: &Path, are_files: bool) {
        let flags = if are_files { AtFlags::SYMLINK_NOFOLLOW } else { AtFlags::empty() };
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            self.looks += 1;
            if self.looks > MOST {
                return;
            }
            // Without asking the server of the file system: that may be the bot itself.
            let wanted = StatxFlags::BASIC_STATS;
            let path = entry.path();
            let Ok(file) = statx(CWD, &path, flags | AtFlags::STATX_DONT_SYNC, wanted) else { continue };
            let device = makedev(file.stx_dev_major, file.stx_dev_minor);
            if !self.seen.insert((device, file.stx_ino)) {
                continue;
            }
            match FileType::from_raw_mode(file.stx_mode.into()) {
                FileType::Fifo => self.queues += PIPE_KIB,
                FileType::Socket => self.queues += SOCKET_KIB,
                _ if !self.counted.devices.contains(&device) => {}
                kind => {
                    self.files += file.stx_blocks / 2 + FILE_KIB;
                    if are_files && kind == FileType::Directory {
                        self.visit(&path, true);
                    }
                }
            }
        }
    }
}

/// Returns the shared memory that several processes map, in KiB, what they share counted once; `None` where the system does
/// not tell.
pub(crate) fn shared_by(processes: &[i32]) -> Option<u64> {
    let share = |process: &i32| -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
        let (_, rest) = text.split_once("\nPss_Shmem:")?;
        rest.split_ascii_whitespace().next()?.parse().ok()
    };
    processes.iter().map(share).sum()
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    use rustix::fs::{major, minor};

    use super::*;

    fn own() -> Vec<i32> {
        vec![i32::try_from(std::process::id()).expect("a number")]
    }

    #[test]
    fn what_a_process_holds_is_read() {
        let status = "Name:\tx\nGroups:\t1 2 3\nVmRSS:\t  900 kB\nRssAnon:\t 500 kB\nRssFile:\t 300 kB\n\
                      RssShmem:\t 100 kB\nVmPTE:\t 40 kB\nVmSwap:\t 7 kB\nHugetlbPages:\t 2048 kB\nThreads:\t3\n";
        let expected = MemoryStatus { own: 500 + 7 + 2048 + 40 + 48, files: 300, shared: 100, lives: true };
        assert_eq!(MemoryStatus::parse(status), expected);
        assert_eq!(
            MemoryStatus::parse("Name:\tz\nThreads:\t1\n"),
            MemoryStatus { own: 16, ..MemoryStatus::default() }
        );
        let this = MemoryStatus::of(own()[0]);
        assert!(this.lives && this.own > 100, "{this:?}");
    }

    #[test]
    fn what_descriptors_lead_to_counts_once() {
        // Other tests of this process open and close descriptors meanwhile: what is counted here is far more.
        let counted = MemoryCount::new(Path::new("/nowhere"));
        let (_, before) = counted.count(&own());
        let file = memfd_create("test", MemfdFlags::CLOEXEC).expect("memory");
        let mut file = fs::File::from(file);
        let same = file.as_fd().try_clone_to_owned().expect("a descriptor");
        file.write_all(&vec![1; 200 << 20]).expect("room");
        let (_, held) = counted.count(&own());
        assert!((150 << 10..250 << 10).contains(&(held - before)), "{before} {held}");
        drop((file, same));
        let pairs: Vec<_> = (0..200).map(|_| UnixStream::pair().expect("a pair")).collect();
        let pipes: Vec<_> = (0..200).map(|_| std::io::pipe().expect("a pipe")).collect();
        let (queues, _) = counted.count(&own());
        assert!(queues >= 400 * SOCKET_KIB + 200 * PIPE_KIB, "{queues}");
        drop((pairs, pipes));
    }

    #[test]
    fn a_private_directory_in_memory_counts_with_everything_in_it() {
        let Ok(private_dir) = tempfile::tempdir_in("/dev/shm") else { return };
        fs::create_dir(private_dir.path().join("below")).expect("a directory");
        fs::write(private_dir.path().join("below/file"), vec![1; 40 << 20]).expect("room");
        fs::hard_link(private_dir.path().join("below/file"), private_dir.path().join("again"))
            .expect("a link");
        let counted = MemoryCount::new(private_dir.path());
        let (_, held) = counted.count(&[]);
        assert!((40 << 10..50 << 10).contains(&held), "{held}");
        let elsewhere = MemoryCount { private_dir: None, ..counted };
        assert_eq!(elsewhere.count(&[]), (0, 0));
    }

    #[test]
    fn file_systems_in_memory_are_known_by_their_devices() {
        let mounts =
            "31 23 0:28 / /tmp rw,nosuid - tmpfs tmpfs rw\n41 31 8:1 / / rw - ext4 /dev/sda1 rw\ngarbage\n";
        let found = in_memory(mounts);
        assert_eq!(found.iter().map(|it| (major(*it), minor(*it))).collect::<Vec<_>>(), [(0, 28)]);
    }
}
