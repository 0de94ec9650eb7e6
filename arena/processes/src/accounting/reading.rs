//! What the system has given the processes of a tree, read again and again at little cost.
//!
//! Two readings a decision have to cost less than the decision of a fast bot. So the list of processes and threads is made
//! again only where the system has given out a number since, which every new process and thread needs, or one of the list
//! is gone; and the files of the first threads stay open, since a file of `/proc` is made again whenever it is read from its
//! start.

use std::cell::RefCell;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

use super::proc_files::{children_of, duration, peak_memory, processor_ticks, read, schedule_times, text};
use super::tree::{MOST, ProcessTree};
use super::{FRESH, KEPT_FILES, ProcessUsage, SchedulerTimes};

/// The processes of a tree as they were last listed.
#[derive(Debug)]
pub(crate) struct Accounting {
    tree: ProcessTree,
    /// The newest number of the system when they were listed; `None` where they have to be listed again.
    newest: Option<u64>,
    processes: Vec<MeasuredProcess>,
    threads: Vec<MeasuredThread>,
    /// What processes had used that had ended by then.
    reaped: Duration,
}

#[derive(Debug)]
struct MeasuredProcess {
    number: i32,
    clock: Option<ClockId>,
    /// What tells its memory, where that is kept open.
    status: Option<File>,
}

impl MeasuredProcess {
    /// Returns the most memory that it held so far, in KiB; `None` where it is gone.
    fn peak_memory(&self) -> Option<u64> {
        let Some(file) = &self.status else { return peak_memory(&read(self.number, "status")) };
        let mut buffer = [0; 4096];
        let count = file.read_at(&mut buffer, 0).ok()?;
        peak_memory(&text(&buffer[..count]))
    }
}

#[derive(Debug)]
struct MeasuredThread {
    path: PathBuf,
    file: Option<File>,
}

impl Accounting {
    /// Returns the accounting of the processes of a tree; nothing is read yet.
    pub(crate) const fn new(tree: ProcessTree) -> Self {
        Self { tree, newest: None, processes: Vec::new(), threads: Vec::new(), reaped: Duration::ZERO }
    }

    /// Returns what the system has given the threads that live, so far.
    pub(crate) fn times(&mut self) -> Option<SchedulerTimes> {
        self.reading(Self::thread_times)
    }

    /// Returns the processor time that the processes have used so far, those that have ended included.
    pub(crate) fn cpu(&mut self) -> Option<Duration> {
        self.reading(Self::process_time)
    }

    /// Returns what the processes have used so far: the memory is the sum of the most that each that lives held.
    pub(crate) fn usage(&mut self) -> ProcessUsage {
        let cpu = self.cpu();
        let peaks = self.processes.iter().filter_map(MeasuredProcess::peak_memory);
        let peak_kib = peaks.fold(None, |sum: Option<u64>, peak| Some(sum.unwrap_or(0).saturating_add(peak)));
        ProcessUsage { cpu, peak_kib }
    }

    /// Reads from the list as it is, where it still holds, or from a new one.
    fn reading<T>(&mut self, read: impl Fn(&Self) -> Option<T>) -> Option<T> {
        let newest = newest();
        if newest.is_some()
            && newest == self.newest
            && let Some(value) = read(self)
        {
            return Some(value);
        }
        // What is born while the list is made is found the next time.
        self.list();
        self.newest = newest;
        if let Some(value) = read(self) {
            return Some(value);
        }
        // Somebody has gone in the meantime; where everybody has, it is so again.
        self.list();
        read(self)
    }

    /// Makes the list again.
    fn list(&mut self) {
        self.threads.clear();
        let mut numbers = match self.tree.guard {
            Some(guard) => children_of(guard),
            None => vec![self.tree.leader],
        };
        if numbers.is_empty() {
            // Not every system tells of children.
            numbers.push(self.tree.leader);
        }
        let mut next = 0;
        while let Some(number) = numbers.get(next).copied() {
            for task in fs::read_dir(format!("/proc/{number}/task")).into_iter().flatten().flatten() {
                if numbers.len() < MOST {
                    let list = fs::read_to_string(task.path().join("children")).unwrap_or_default();
                    numbers.extend(list.split_whitespace().filter_map(|number| number.parse::<i32>().ok()));
                }
                let path = task.path().join("schedstat");
                let file = if self.threads.len() < KEPT_FILES { File::open(&path).ok() } else { None };
                self.threads.push(MeasuredThread { path, file });
            }
            next += 1;
        }
        let reaped = |number: i32| processor_ticks(&read(number, "stat")).map_or(0, |(_, reaped)| reaped);
        let parents = numbers.iter().copied().chain(self.tree.guard);
        self.reaped = duration(parents.fold(0, |sum: u64, number| sum.saturating_add(reaped(number))));
        let member = |(index, number): (usize, i32)| MeasuredProcess {
            number,
            clock: clock_getcpuclockid(Pid::from_raw(number)).ok(),
            status: if index == 0 { File::open(format!("/proc/{number}/status")).ok() } else { None },
        };
        self.processes = numbers.into_iter().enumerate().map(member).collect();
    }

    /// Sums what the threads of the list were given; `None` where one of them is gone, or the system says nothing of any.
    fn thread_times(&self) -> Option<SchedulerTimes> {
        let mut buffer = [0; 96];
        let mut sum = None;
        for thread in &self.threads {
            let read = match &thread.file {
                Some(file) => file.read_at(&mut buffer, 0),
                None => File::open(&thread.path).and_then(|file| file.read_at(&mut buffer, 0)),
            };
            let text = str::from_utf8(&buffer[..read.ok()?]).ok()?;
            let (cpu, wait) = schedule_times(text)?;
            let (cpu_sum, wait_sum) = sum.unwrap_or((0_u64, 0_u64));
            sum = Some((cpu_sum.saturating_add(cpu), wait_sum.saturating_add(wait)));
        }
        sum.map(|(cpu, wait)| SchedulerTimes {
            cpu: Duration::from_nanos(cpu),
            wait: Duration::from_nanos(wait),
        })
    }

    /// Sums the time of the processes of the list, and of those that had ended before; `None` where one of them is gone.
    fn process_time(&self) -> Option<Duration> {
        let mut sum = self.reaped;
        for member in &self.processes {
            sum += clock_gettime(member.clock?).ok().map(Duration::from)?;
        }
        Some(sum)
    }
}

thread_local! {
    static NUMBERS: RefCell<NewestNumber> = const { RefCell::new(NewestNumber { file: None, newest: None }) };
}

/// The numbers that the system gives out.
struct NewestNumber {
    /// Tells the newest.
    file: Option<File>,
    /// The newest, and when it was read.
    newest: Option<(Instant, u64)>,
}

/// Returns the newest number that the system has given to a process or thread of this machine, or of this container.
fn newest() -> Option<u64> {
    NUMBERS.with_borrow_mut(|numbers| {
        if let Some((at, newest)) = numbers.newest
            && at.elapsed() < FRESH
        {
            return Some(newest);
        }
        if numbers.file.is_none() {
            numbers.file = File::open("/proc/loadavg").ok();
        }
        let mut buffer = [0; 128];
        let count = numbers.file.as_ref()?.read_at(&mut buffer, 0).ok()?;
        let newest = str::from_utf8(&buffer[..count]).ok()?.split_whitespace().nth(4)?.parse().ok()?;
        numbers.newest = Some((Instant::now(), newest));
        Some(newest)
    })
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Waits until the newest number is read again.
    fn later() {
        NUMBERS.with_borrow_mut(|numbers| numbers.newest = None);
    }

    fn shell(script: &str) -> (Child, Accounting) {
        started(Command::new("sh").args(["-c", script]))
    }

    fn started(command: &mut Command) -> (Child, Accounting) {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let leader = i32::try_from(child.id()).expect("a number");
        (child, Accounting::new(ProcessTree { leader, guard: None }))
    }

    /// Gives a process a line and waits for one of it.
    fn step(child: &mut Child) {
        writeln!(child.stdin.as_mut().expect("piped"), "go").expect("it reads");
        let mut line = String::new();
        BufReader::with_capacity(1, child.stdout.as_mut().expect("piped"))
            .read_line(&mut line)
            .expect("it writes");
        later();
    }

    /// Counts to a number, which takes a second or so in all.
    const COUNT: &str = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";

    #[test]
    fn this_process_has_used_something() {
        let mut own = Accounting::new(ProcessTree { leader: std::process::id() as i32, guard: None });
        assert!(own.usage().peak_kib.is_some_and(|peak| peak > 100));
        assert!(own.cpu().is_some_and(|cpu| cpu > Duration::ZERO));
        assert!(own.times().is_some_and(|times| times.cpu > Duration::ZERO));
    }

    /// Starts a thread, which uses 300 ms, lets it wait, and lets it end: a step each. Python has joined a thread before the
    /// system has ended it.
    const THREAD: &str = "import os, sys, threading, time
go, busy, end = sys.stdin.readline, threading.Event(), threading.Event()
def work():
    while time.thread_time() < 0.3: pass
    busy.set(); end.wait()
go(); print(flush=True)
go(); thread = threading.Thread(target=work); thread.start(); busy.wait(); print(flush=True)
go(); end.set(); thread.join()
while len(os.listdir('/proc/self/task')) > 1: time.sleep(0.001)
print(flush=True)
go()";

    #[test]
    fn a_thread_that_comes_is_found_and_one_that_goes_is_left_out() {
        let mut command = Command::new("python3");
        let (mut child, mut accounting) = started(command.args(["-c", THREAD]));
        step(&mut child);
        let before = accounting.times().expect("it is told");
        step(&mut child);
        let with = accounting.times().expect("it is told");
        assert!(with.cpu >= before.cpu + Duration::from_millis(250), "{before:?} {with:?}");
        assert_eq!(accounting.threads.len(), 2);
        step(&mut child);
        let without = accounting.times().expect("it is told");
        assert!(without.cpu < with.cpu, "{with:?} {without:?}");
        assert_eq!(accounting.threads.len(), 1);
        drop(child.stdin.take());
        child.wait().expect("it ends");
    }

    #[test]
    fn children_count_while_they_live_and_after() {
        let (mut child, mut accounting) = shell(&format!(
            "exec 3<&0; read line; echo; (read line <&3; {COUNT}; echo; read line <&3) & wait; echo; read line <&3"
        ));
        step(&mut child);
        let before = accounting.cpu().expect("it lives");
        step(&mut child);
        let living = accounting.cpu().expect("it lives");
        assert!(living > before + Duration::from_millis(50), "{before:?} {living:?}");
        assert!(accounting.processes.len() >= 2);
        step(&mut child);
        let after = accounting.cpu().expect("it lives");
        // What has ended is told in ticks.
        assert!(after + Duration::from_millis(30) > living, "{living:?} {after:?}");
        drop(child.stdin.take());
        child.wait().expect("it ends");
        later();
        assert_eq!((accounting.cpu(), accounting.times()), (None, None));
    }

    #[test]
    fn nothing_new_means_no_new_list() {
        let (mut child, mut accounting) = shell("read line; echo; read line");
        step(&mut child);
        accounting.times().expect("it lives");
        accounting.newest = newest();
        // What stands here is not asked for until the list is made again.
        accounting.threads.truncate(0);
        NUMBERS.with_borrow_mut(|numbers| {
            numbers.newest =
                accounting.newest.map(|newest| (Instant::now() + Duration::from_secs(60), newest));
        });
        assert!(accounting.thread_times().is_none());
        assert!(accounting.times().is_some(), "a list that says nothing is made again");
        assert_eq!(accounting.threads.len(), 1);
        later();
        drop(child.stdin.take());
        child.wait().expect("it ends");
    }
}
