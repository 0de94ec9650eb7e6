//! The processes of a bot, as `/proc` shows them: those below its guard, or below itself where it has none.

use std::borrow::Cow;
use std::fs;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::holdings::{Account, Holdings, shared_by};

/// How many processes are looked at: whoever has more is over every limit.
pub(crate) const MOST: usize = 10_000;

/// The processes of a bot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kin {
    /// The bot's own process, which leads a group.
    pub(crate) leader: i32,
    /// The guard above it.
    pub(crate) guard: Option<i32>,
}

/// What processes hold at an instant, and have used until then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sample {
    /// Processor time, those that have been reaped included.
    pub(crate) cpu: Duration,
    /// Memory in KiB: what each holds for itself, what lies in their pipes and sockets where that is counted, shared memory
    /// and files in memory once, and of the files that they map as much as the largest holder does.
    pub(crate) memory_kib: u64,
    /// How many processes there are.
    pub(crate) processes: u64,
}

impl Kin {
    /// Sends a signal to the bot's group, and to every other of its processes.
    pub(crate) fn signal(self, signal: Signal) {
        if let Some(group) = Pid::from_raw(self.leader) {
            // It fails when nobody is left, which is as well.
            let _ = kill_process_group(group, signal);
        }
        for member in self.members().into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(member, signal);
        }
    }

    /// Returns what the processes below a guard hold and have used. What is not theirs alone is counted by `holdings`, where
    /// nobody else counts it.
    pub(crate) fn sample(guard: i32, holdings: Option<&Holdings>) -> Sample {
        let kin = Self { leader: 0, guard: Some(guard) };
        let members = kin.members();
        let (mut own, mut files, mut most_shared, mut sharing, mut processes) = (0, 0, 0, Vec::new(), 0);
        for number in &members {
            let account = Account::of(*number);
            own += account.own;
            files = account.files.max(files);
            most_shared = account.shared.max(most_shared);
            if account.shared > 0 {
                sharing.push(*number);
            }
            // A process that has ended is none.
            processes += u64::from(account.lives);
        }
        let (queues, in_memory) = holdings.map_or((0, 0), |holdings| holdings.count(&members));
        let mapped = if sharing.len() > 1 { shared_by(&sharing) } else { None };
        let shared = mapped.unwrap_or(most_shared).max(in_memory);
        let memory_kib = own + files + shared + queues;
        Sample { cpu: duration(kin.ticks(&members)), memory_kib, processes }
    }

    /// Returns the numbers of the processes.
    fn members(self) -> Vec<i32> {
        let mut members = match self.guard {
            Some(guard) => children_of(guard),
            None => vec![self.leader],
        };
        let mut next = 0;
        while let Some(number) = members.get(next).copied().filter(|_| members.len() < MOST) {
            members.extend(children_of(number));
            next += 1;
        }
        if members.is_empty() {
            // Not every system tells of children.
            members.push(self.leader);
        }
        members
    }

    /// Sums the processor time of processes, and of what they and the guard have reaped.
    fn ticks(self, members: &[i32]) -> u64 {
        let living = members.iter().filter_map(|number| processor_ticks(&read(*number, "stat")));
        let living = living.fold(0_u64, |sum, (own, reaped)| sum.saturating_add(own).saturating_add(reaped));
        let reaped = self.guard.and_then(|guard| processor_ticks(&read(guard, "stat")));
        living.saturating_add(reaped.map_or(0, |(_, reaped)| reaped))
    }
}

/// Returns the children of all threads of a process.
pub(crate) fn children_of(number: i32) -> Vec<i32> {
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
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

pub(crate) fn duration(ticks: u64) -> Duration {
    Duration::from_millis(ticks.saturating_mul(1000) / rustix::param::clock_ticks_per_second().max(1))
}

/// Reads from `/proc/PID/stat` the time of a process and that of the children it has reaped, user and system, in ticks.
pub(crate) fn processor_ticks(stat: &str) -> Option<(u64, u64)> {
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
pub(crate) fn peak_memory(status: &str) -> Option<u64> {
    let (_, rest) = status.split_once("\nVmHWM:")?;
    rest.split_ascii_whitespace().next()?.parse().ok()
}

/// Reads from `/proc/PID/task/TID/schedstat` the nanoseconds on a processor and those of waiting for one.
pub(crate) fn schedule_times(schedstat: &str) -> Option<(u64, u64)> {
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
        assert!(is_ending(&read(number, "stat")), "nothing is told of it any more");
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
