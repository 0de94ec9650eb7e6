//! Reading what `/proc` tells of a process: proc(5) describes the files.

use std::borrow::Cow;
use std::fs;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Returns the children of all threads of a process.
pub(super) fn children_of(number: i32) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{number}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| numbers(&list)).collect()
}

fn numbers(list: &str) -> Vec<i32> {
    list.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// Returns the start of a small file of a process, by one read; nothing where the process is gone.
pub(crate) fn read(number: i32, name: &str) -> String {
    let mut buffer = [0; 4096];
    let file = fs::File::open(format!("/proc/{number}/{name}"));
    let count = file.and_then(|file| file.read_at(&mut buffer, 0)).unwrap_or(0);
    text(&buffer[..count]).into_owned()
}

/// Returns what a file of a process says. The name of a process may be anything, mostly it is text.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

pub(super) fn duration(ticks: u64) -> Duration {
    Duration::from_millis(ticks.saturating_mul(1000) / rustix::param::clock_ticks_per_second().max(1))
}

/// Reads from `/proc/PID/stat` the time of a process and that of the children it has reaped, user and system, in ticks.
pub(super) fn processor_ticks(stat: &str) -> Option<(u64, u64)> {
    // The name in parentheses may hold anything, so the fields are counted from its end.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11).map_while(|field| field.parse::<u64>().ok());
    let mut pair = || Some(fields.next()?.saturating_add(fields.next()?));
    Some((pair()?, pair()?))
}

/// Reads from `/proc/PID/stat` whether a process ends or has ended; so has one of which nothing is told any more.
pub(crate) fn is_ending(stat: &str) -> bool {
    /// `PF_EXITING` of Linux's `include/linux/sched.h`.
    const EXITING: u64 = 4;
    let Some((_, fields)) = stat.rsplit_once(')') else { return true };
    let mut fields = fields.split_whitespace();
    let is_zombie = matches!(fields.next(), Some("Z" | "X"));
    let flags = fields.nth(5).and_then(|flags| flags.parse::<u64>().ok());
    is_zombie || flags.is_some_and(|flags| flags & EXITING != 0)
}

/// Reads the peak of the resident memory, in KiB, from `/proc/PID/status`.
pub(super) fn peak_memory(status: &str) -> Option<u64> {
    let (_, rest) = status.split_once("\nVmHWM:")?;
    rest.split_ascii_whitespace().next()?.parse().ok()
}

/// Reads from `/proc/PID/task/TID/schedstat` the nanoseconds on a processor and those of waiting for one.
pub(super) fn schedule_times(schedstat: &str) -> Option<(u64, u64)> {
    let mut figures = schedstat.split_ascii_whitespace().map_while(|figure| figure.parse().ok());
    Some((figures.next()?, figures.next()?))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_process_that_has_ended_is_told_from_one_that_waits() {
        let mut command = Command::new("sh");
        let mut child = command.args(["-c", "read line"]).stdin(Stdio::piped()).spawn().expect("it starts");
        let number = i32::try_from(child.id()).expect("a number");
        assert!(!is_ending(&read(number, "stat")));
        drop(child.stdin.take());
        // Nobody has waited for it: it is a zombie until then.
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_ending(&read(number, "stat")) {
            assert!(Instant::now() < deadline, "{}", read(number, "stat"));
            std::thread::yield_now();
        }
        child.wait().expect("it has ended");
        assert!(is_ending(&read(number, "stat")), "the system says no more of it");
        let exiting = "42 (a) R 1 42 42 0 -1 4194308 5 0 0 0 150 50 30 9 20 0 1 0 9 1 1";
        let running = "42 (a) R 1 42 42 0 -1 4194304 5 0 0 0 150 50 30 9 20 0 1 0 9 1 1";
        assert_eq!([exiting, running].map(is_ending), [true, false]);
    }

    #[test]
    fn what_the_system_tells_is_read() {
        let stat = "42 (a (strange) name) S 1 42 42 0 -1 4194304 5 0 0 0 150 50 30 9 20 0 1 0 9 1 1";
        assert_eq!(processor_ticks(stat), Some((200, 39)));
        assert_eq!(duration(rustix::param::clock_ticks_per_second() * 3), Duration::from_secs(3));
        assert_eq!(peak_memory("Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n"), Some(1234));
        assert_eq!((processor_ticks(""), peak_memory("")), (None, None));
        assert_eq!(schedule_times("1500 20000 3\n"), Some((1500, 20000)));
        assert_eq!((schedule_times(""), schedule_times("x")), (None, None));
    }
}
