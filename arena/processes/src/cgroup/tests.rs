//! Groups in made-up trees, where every system can say what is written, and real ones where this system has them.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZeroU32;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::duty::{CgroupVersion, Duty};
use super::group::{Cgroup, GroupDirectory};
use super::hierarchy::{self, Hierarchy};
use super::places::ControlGroups;
use crate::{ExceededLimit, ProcessLimits};

/// What somebody may use.
fn limits() -> ProcessLimits {
    ProcessLimits {
        memory_kib: Some(64 * 1024),
        cpu: Some(Duration::from_secs(1)),
        processes: NonZeroU32::new(300),
        tasks: Some(1200),
    }
}

/// A directory that looks like a group of version 2 in which processes are.
fn unified(controllers: &str, given: &str, members: &str) -> (TempDir, Hierarchy) {
    let dir = tempfile::tempdir().expect("a directory");
    let files = [
        ("cgroup.controllers", controllers),
        ("cgroup.subtree_control", given),
        ("cgroup.procs", members),
        ("cgroup.type", "domain\n"),
    ];
    files.iter().for_each(|(name, text)| fs::write(dir.path().join(name), text).expect("a file"));
    let own = dir.path().to_owned();
    (dir, Hierarchy { version: CgroupVersion::Two, controllers: Vec::new(), own })
}

/// A directory that looks like a group of version 1.
fn single(controllers: &[&str]) -> (TempDir, Hierarchy) {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("cgroup.procs"), "").expect("a file");
    let controllers = controllers.iter().map(|name| (*name).to_owned()).collect();
    let own = dir.path().to_owned();
    (dir, Hierarchy { version: CgroupVersion::One, controllers, own })
}

fn places(hierarchies: &[&Hierarchy]) -> ControlGroups {
    let hierarchies: Vec<_> = hierarchies.iter().copied().cloned().collect();
    ControlGroups::among(&hierarchies, 42, "arena-trial")
}

/// Writes a file as the kernel would.
fn set(dir: &Path, name: &str, text: &str) {
    fs::write(dir.join(name), text).expect("a file is written");
}

fn get(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Removes the files of a made-up group, which a real one does not keep.
fn strip(dir: &Path) {
    for entry in fs::read_dir(dir).expect("a directory").flatten() {
        fs::remove_file(entry.path()).expect("a file is removed");
    }
}

#[test]
fn version_two_comes_first_and_one_stands_in_for_what_it_lacks() {
    let (_one, two) = unified("memory pids\n", "memory pids\n", "7\n42\n");
    let (_two, memory) = single(&["memory"]);
    let (_three, pids) = single(&["pids"]);
    let all = places(&[&memory, &pids, &two]);
    assert_eq!(all.to_string(), "memory v2, processes v2, time v2, kill v2");
    assert_eq!(all.lacking(), None);
    let (_four, bare) = unified("", "", "7\n42\n");
    let mixed = places(&[&memory, &pids, &bare]);
    assert_eq!(mixed.to_string(), "memory v1, processes v1, time v2, kill v2");
    let (_five, rest) = single(&["cpuacct", "cpu"]);
    let single_only = places(&[&memory, &rest]);
    assert_eq!(single_only.to_string(), "memory v1, time v1");
    assert!(single_only.lacking().is_some_and(|why| why.contains("the system has none mounted")));
    assert_eq!(places(&[]).in_force(), None);
}

#[test]
fn a_group_that_others_are_in_gets_no_limits_below_it_and_says_so() {
    let (dir, two) = unified("cpu memory pids\n", "", "7\n42\n");
    let shared = places(&[&two]);
    assert_eq!(shared.to_string(), "time v2, kill v2");
    let why = shared.lacking().expect("a reason");
    assert!(why.contains("holds other processes"), "{why}");
    assert!(shared.opening.is_none());
    set(dir.path(), "cgroup.procs", "42\n");
    let alone = places(&[&two]);
    assert_eq!(alone.to_string(), "memory v2, processes v2, time v2, kill v2");
    let opening = alone.opening.expect("it has to move");
    assert_eq!((opening.controllers, opening.is_moved), (vec!["memory", "pids"], true));
    // The root of all may have processes and controllers.
    set(dir.path(), "cgroup.procs", "7\n42\n");
    fs::remove_file(dir.path().join("cgroup.type")).expect("a file is removed");
    assert!(places(&[&two]).opening.is_some_and(|opening| !opening.is_moved));
}

#[test]
fn a_place_that_may_not_be_written_is_none() {
    let (dir, two) = unified("memory pids\n", "memory pids\n", "42\n");
    fs::remove_file(dir.path().join("cgroup.procs")).expect("a file is removed");
    let none = places(&[&two]);
    assert_eq!((none.in_force(), none.opening.is_some()), (None, false));
    assert!(none.lacking().is_some_and(|why| why.contains("cannot be written")), "{none:?}");
    let entries = fs::read_dir(dir.path()).expect("a directory").flatten();
    assert!(entries.filter(|entry| entry.path().is_dir()).count() == 0, "a trial leaves nothing");
}

#[test]
fn a_made_up_group_of_version_two_is_limited_read_and_ended() {
    let (dir, two) = unified("memory pids\n", "memory pids\n", "42\n");
    let group = Cgroup::new(&places(&[&two]), "arena-1").expect("a group");
    let own = dir.path().join("arena-1");
    group.make(&limits()).expect("it is made");
    assert_eq!((get(&own, "memory.max"), get(&own, "pids.max")), ("67108864".into(), "1200".into()));
    group.enter().expect("it is entered");
    assert_eq!(get(&own, "cgroup.procs"), "0");
    group.leave().expect("it is left");
    assert_eq!(get(dir.path(), "cgroup.procs"), "0");

    assert_eq!((group.excess(), group.cpu(), group.peak_kib()), (None, None, None));
    set(&own, "cpu.stat", "usage_usec 1500000\nuser_usec 1\n");
    set(&own, "memory.peak", "2097152\n");
    set(&own, "cgroup.procs", "100001\n100002\n");
    assert_eq!((group.cpu(), group.peak_kib()), (Some(Duration::from_millis(1500)), Some(2048)));
    assert_eq!(group.processes(), 2);
    // Killed because the whole machine was full.
    set(&own, "memory.events", "low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\n");
    set(&own, "pids.events", "max 0\n");
    assert_eq!(group.excess(), None);
    set(&own, "pids.events", "max 3\n");
    assert_eq!(group.excess(), Some(ExceededLimit::Tasks));
    set(&own, "memory.events", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\n");
    assert_eq!(group.excess(), Some(ExceededLimit::Memory));

    set(&own, "cgroup.procs", "");
    set(&own, "cgroup.kill", "");
    group.kill();
    assert_eq!(get(&own, "cgroup.kill"), "1");
    // Before Linux 5.14.
    fs::remove_file(own.join("cgroup.kill")).expect("a file is removed");
    set(&own, "cgroup.events", "populated 0\nfrozen 1\n");
    set(&own, "cgroup.freeze", "");
    group.kill();
    assert_eq!(get(&own, "cgroup.freeze"), "0");
    strip(&own);
    assert!(group.remove() && !own.exists());
}

#[test]
fn swap_and_whole_groups_are_limited_where_the_kernel_has_that() {
    // A directory that is there already, with the files of a kernel.
    let (dir, two) = unified("memory\n", "memory\n", "42\n");
    let group = Cgroup::new(&places(&[&two]), "arena-1").expect("a group");
    let own = dir.path().join("arena-1");
    assert!(
        group.make(&ProcessLimits::default()).is_ok()
            && fs::read_dir(&own).expect("it is there").count() == 0
    );
    for name in ["memory.swap.max", "memory.oom.group"] {
        set(&own, name, "max");
    }
    group.limit(&limits()).expect("it is limited");
    assert_eq!((get(&own, "memory.swap.max"), get(&own, "memory.oom.group")), ("0".into(), "1".into()));
    assert!(!own.join("pids.max").exists());
}

#[test]
fn a_made_up_group_of_version_one_is_limited_read_and_ended() {
    let hierarchies: Vec<_> =
        ["memory", "pids", "cpuacct", "freezer"].iter().map(|name| single(&[name])).collect();
    let all: Vec<_> = hierarchies.iter().map(|(_, hierarchy)| hierarchy).collect();
    let group = Cgroup::new(&places(&all), "arena-1").expect("a group");
    group.make(&limits()).expect("it is made");
    let [memory, pids, cpuacct, freezer] = [0, 1, 2, 3].map(|at: usize| all[at].own.join("arena-1"));
    assert_eq!(get(&memory, "memory.limit_in_bytes"), "67108864");
    assert_eq!(get(&pids, "pids.max"), "1200");
    group.enter().expect("it is entered");
    for dir in [&memory, &pids, &cpuacct, &freezer] {
        assert_eq!(get(dir, "cgroup.procs"), "0");
        set(dir, "cgroup.procs", "");
    }
    set(&memory, "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
    set(&memory, "memory.max_usage_in_bytes", "1048576\n");
    set(&cpuacct, "cpuacct.usage", "2500000000\n");
    assert_eq!(group.excess(), None);
    set(&memory, "memory.max_usage_in_bytes", "67000000\n");
    assert_eq!(group.excess(), Some(ExceededLimit::Memory));
    assert_eq!((group.cpu(), group.peak_kib()), (Some(Duration::from_millis(2500)), Some(65_429)));
    set(&freezer, "freezer.state", "FROZEN");
    group.kill();
    assert_eq!(get(&freezer, "freezer.state"), "THAWED");
    [&memory, &pids, &cpuacct, &freezer].into_iter().for_each(|dir| strip(dir));
    assert!(group.remove() && all.iter().all(|it| !it.own.join("arena-1").exists()));
}

#[test]
fn who_moved_into_a_group_of_its_own_comes_back() {
    let (dir, two) = unified("memory pids\n", "", "42\n");
    let mut groups = places(&[&two]);
    groups.make_ready().expect("it is made ready");
    let own = std::process::id().to_string();
    assert_eq!(get(dir.path(), "cgroup.subtree_control"), "+memory +pids");
    let home = groups.branches[0].as_ref().expect("a branch").home.clone();
    assert_eq!((home.parent(), get(&home, "cgroup.procs")), (Some(dir.path()), own.clone()));
    let group = Cgroup::new(&groups, "arena-1").expect("a group");
    group.make(&limits()).expect("it is made");
    group.leave().expect("it is left");
    assert_eq!(get(&home, "cgroup.procs"), "0");
    strip(&home);
    groups.undo();
    assert_eq!(get(dir.path(), "cgroup.subtree_control"), "-memory -pids");
    assert_eq!((get(dir.path(), "cgroup.procs"), home.exists()), (own, false));
}

#[test]
fn a_guard_undoes_what_an_arena_did_that_was_killed() {
    let (dir, _) = unified("memory pids\n", "memory pids\n", "");
    let part = |home: &Path| {
        let part = GroupDirectory {
            version: CgroupVersion::Two,
            dir: dir.path().join("arena-1-2-3-0"),
            home: home.to_owned(),
        };
        Cgroup::of([Some(part), None, None, None]).expect("a group")
    };
    // It never moved.
    part(dir.path()).forsake();
    assert_eq!(
        (get(dir.path(), "cgroup.procs"), get(dir.path(), "cgroup.subtree_control")),
        (String::new(), "memory pids\n".into())
    );
    // A process that is there no more, in this namespace.
    let mut gone = Command::new("true").spawn().expect("it starts");
    let name = crate::owner::prefix(gone.id());
    let home = dir.path().join(format!("{name}-main"));
    fs::create_dir(&home).expect("a directory");
    // Ended and not reaped it is gone too.
    part(&home).forsake();
    assert!(!home.exists());
    assert_eq!(get(dir.path(), "cgroup.procs"), std::process::id().to_string());
    assert_eq!(get(dir.path(), "cgroup.subtree_control"), "-memory -pids");
    gone.wait().expect("it is reaped");
}

#[test]
fn what_an_arena_has_left_that_is_gone_is_cleared_up() {
    let (dir, two) = unified("", "", "42\n");
    let groups = places(&[&two]);
    let mut child = Command::new("true").spawn().expect("it starts");
    let gone = crate::owner::prefix(child.id());
    child.wait().expect("it ends");
    let names = [format!("{gone}-3"), format!("{gone}-main")];
    let living = format!("{}-0", crate::owner::prefix(std::process::id()));
    let others = [living.as_str(), "arena-5", "session-1.scope", "arena-1-2-3-4"];
    let all = names.iter().map(String::as_str).chain(others);
    all.for_each(|name| fs::create_dir(dir.path().join(name)).expect("a directory"));
    groups.clear_up();
    assert!(names.iter().all(|name| !dir.path().join(name).exists()));
    assert!(others.iter().all(|name| dir.path().join(name).exists()));
}

/// Has a Python program run as a member of a group: it begins when it is told to.
fn member(dir: &[&Path], code: &str) -> Child {
    let script = format!("import os,sys,time\nsys.stdin.readline()\n{code}");
    let mut command = Command::new("python3");
    command.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("python3 starts");
    for dir in dir {
        fs::write(dir.join("cgroup.procs"), child.id().to_string()).expect("it is moved");
    }
    writeln!(child.stdin.as_mut().expect("it is piped")).expect("it is told");
    child
}

/// Judges what the system has in one version, with real processes; says on standard output what that was.
fn judge(version: CgroupVersion) {
    let text = |name: &str| fs::read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
    let hierarchies = hierarchy::read(&text("cgroup"), &text("mountinfo"));
    let of_version: Vec<_> = hierarchies.into_iter().filter(|it| it.version == version).collect();
    let own = std::process::id();
    let prefix = crate::owner::prefix(own);
    let groups = ControlGroups::among(
        &of_version,
        i32::try_from(own).expect("a number"),
        &format!("{prefix}-trial-{version}"),
    );
    // Not to be moved itself: other tests run in this process.
    let groups = if groups.opening.is_some() { ControlGroups::default() } else { groups };
    let Some(group) = Cgroup::new(&groups, &format!("{prefix}-test-{version}")) else {
        println!("judged of {version}: that nothing is in force here, {:?}", groups.lacking());
        assert_eq!(groups.in_force(), None);
        return;
    };
    println!("judged of {version}: {groups}");
    let has = |duty: Duty| groups.branches[duty as usize].is_some();
    group.make(&limits()).expect("it is made");
    let dirs: Vec<_> = group.parts().iter().flatten().map(|part| part.dir.as_path()).collect();

    let mut child = member(
        &dirs,
        "start = time.process_time()\nwhile time.process_time() < start + 0.3: pass\nprint(1)\ntime.sleep(600)",
    );
    child.stdout.as_mut().expect("it is piped").read_exact(&mut [0]).expect("it computes");
    assert_eq!(group.processes(), 1);
    if has(Duty::Time) {
        assert!(group.cpu().expect("it is counted") > Duration::from_millis(250), "{:?}", group.cpu());
    }
    assert_eq!(group.excess(), None);
    if has(Duty::Kill) {
        group.kill();
        assert_eq!(child.wait().expect("it ends").signal(), Some(9));
    } else {
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
    }
    if has(Duty::Processes) {
        // Fewer than a limit allows ever: a crowd of a thousand takes seconds.
        let part = group.parts()[Duty::Processes as usize].as_ref().expect("it is there");
        set(&part.dir, "pids.max", "8");
        let forks = "try:\n  while os.fork(): pass\nexcept OSError: print(1, flush=True)\ntime.sleep(600)";
        let mut child = member(&dirs, forks);
        child.stdout.as_mut().expect("it is piped").read_exact(&mut [0]).expect("the kernel refuses");
        assert_eq!((group.excess(), group.processes()), (Some(ExceededLimit::Tasks), 8));
        group.kill();
        if !has(Duty::Kill) {
            child.kill().expect("it is killed");
        }
        child.wait().expect("it ends");
    }
    if has(Duty::Memory) {
        let mut child = member(&dirs, "kept = b'x' * 200_000_000\ntime.sleep(600)");
        assert_eq!(child.wait().expect("it ends").signal(), Some(9));
        assert_eq!(group.excess(), Some(ExceededLimit::Memory));
        assert!(group.peak_kib().is_none_or(|peak| peak > 60 * 1024), "{:?}", group.peak_kib());
    }
    assert!(group.remove());
    assert!(dirs.iter().all(|dir| !dir.exists()));
}

#[test]
fn real_groups_of_version_one_hold_what_they_promise() {
    judge(CgroupVersion::One);
}

#[test]
fn real_groups_of_version_two_hold_what_they_promise() {
    judge(CgroupVersion::Two);
}
