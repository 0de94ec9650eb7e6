//! The processor time of a bot: of its process, the threads that have ended included, and of everything that it started.
//!
//! A process that lives is read from its clock (`clock_getcpuclockid`), in nanoseconds. One that has ended counts by what
//! `/proc/PID/stat` of its parent adds up, in ticks (10 ms on most machines), once the parent has waited for it. What is left
//! behind by a process that ends counts where a guard adopts it; what another process started (a service) is not found.

use std::sync::LazyLock;
use std::time::Duration;

#[cfg(target_os = "linux")]
pub(crate) use self::linux::tree_time;
#[cfg(not(target_os = "linux"))]
pub(crate) use self::other::tree_time;

/// Returns whether this system tells the processor time of bots: only then can a clock count it.
#[must_use]
pub fn measures_processor_time() -> bool {
    i32::try_from(std::process::id()).ok().and_then(tree_time).is_some()
}

/// How many processors can be busy at once. Asked once: to know it takes the system's account of control groups.
pub(crate) static PROCESSORS: LazyLock<u32> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(processors).unwrap_or(u32::MAX)
});

/// The processor time that a decision takes, for a clock that counts it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    /// What had been used before the decision.
    before: Duration,
    /// The most that it may take before the game is lost; `None` when it cannot be lost on time.
    most: Option<Duration>,
    /// From when on a bot that can be stopped is asked to answer; gone once it has been.
    nudge: Option<Duration>,
    /// How many processors can be busy at once.
    processors: u32,
}

/// What a look at a meter says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// There is time left; the next look is due after so much real time at the earliest.
    Runs(Duration),
    /// The time is over but for the margin, which is told once.
    Nudge,
    /// The time is over.
    Over,
}

impl Meter {
    /// The least time between two looks: one takes some tens of microseconds.
    const PAUSE: Duration = Duration::from_millis(10);

    /// Begins to measure, `before` having been used already.
    pub(crate) fn new(before: Duration, limit: Duration, most: Option<Duration>) -> Self {
        Self { before, most, nudge: Some(limit), processors: *PROCESSORS }
    }

    /// Returns what was used since, `now` having been used in all.
    pub(crate) fn spent(&self, now: Duration) -> Duration {
        now.saturating_sub(self.before)
    }

    /// Says what it means that `now` has been used in all.
    pub(crate) fn read(&mut self, now: Duration) -> Reading {
        let spent = self.spent(now);
        if self.most.is_some_and(|most| spent > most) {
            return Reading::Over;
        }
        if self.nudge.is_some_and(|limit| spent >= limit) {
            self.nudge = None;
            return Reading::Nudge;
        }
        Reading::Runs(self.pause(spent))
    }

    /// Returns how long nothing can happen: as long as it takes all processors to use up what is left.
    pub(crate) fn pause(&self, spent: Duration) -> Duration {
        let goal = self.nudge.or(self.most);
        let left = goal.map_or(Duration::from_secs(1), |goal| goal.saturating_sub(spent));
        (left / self.processors.max(1)).max(Self::PAUSE)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeSet;
    use std::fs;
    use std::time::Duration;

    use nix::time::{clock_getcpuclockid, clock_gettime};
    use nix::unistd::Pid;

    /// Returns the processor time of a process and of everything that it started; `None` when the process is gone.
    pub(crate) fn tree_time(process: i32) -> Option<Duration> {
        let mut sum = own_time(process)?;
        let mut seen = BTreeSet::from([process]);
        let mut processes = vec![process];
        while let Some(process) = processes.pop() {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            sum += ended_children(&stat).unwrap_or_default();
            let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
            for thread in threads {
                let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
                for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
                    if seen.insert(child) {
                        sum += own_time(child).unwrap_or_default();
                        processes.push(child);
                    }
                }
            }
        }
        Some(sum)
    }

    /// Returns the processor time of all threads of a process, those that have ended included.
    fn own_time(process: i32) -> Option<Duration> {
        let clock = clock_getcpuclockid(Pid::from_raw(process)).ok()?;
        clock_gettime(clock).ok().map(Duration::from)
    }

    /// Reads the time of the children that were waited for, and theirs, from `/proc/PID/stat`.
    fn ended_children(stat: &str) -> Option<Duration> {
        // The name in parentheses may hold anything, so the fields are counted from its end.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_whitespace().skip(13);
        let ticks = fields.next()?.parse::<u64>().ok()?.checked_add(fields.next()?.parse().ok()?)?;
        let millis = ticks.checked_mul(1000)? / rustix::param::clock_ticks_per_second().max(1);
        Some(Duration::from_millis(millis))
    }

    #[cfg(test)]
    mod tests {
        use std::process::{Command, Stdio};

        use super::*;

        #[test]
        fn what_the_system_tells_of_children_is_read() {
            let stat = "42 (a (strange) name) S 1 42 42 0 -1 4194304 5 0 0 0 150 50 20 30 20 0 1 0 9 1 1";
            let ticks = rustix::param::clock_ticks_per_second();
            assert_eq!(ended_children(stat), Some(Duration::from_millis(50 * 1000 / ticks)));
            assert_eq!(ended_children(""), None);
        }

        /// Has a shell run a script, and returns the time of its tree once it has written a line.
        fn time_of(script: &str) -> Duration {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().expect("a shell starts");
            let mut line = String::new();
            let stdout = child.stdout.take().expect("it is piped");
            std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).expect("a line");
            let time = tree_time(i32::try_from(child.id()).expect("a number")).expect("it lives");
            drop(child.stdin.take());
            child.wait().expect("it ends");
            time
        }

        /// Counts to a number, which takes a second or so in all.
        const COUNT: &str = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";

        #[test]
        fn children_count_while_they_live_and_after() {
            let own = time_of(&format!("{COUNT}; echo; read line"));
            let living = time_of(&format!("exec 3<&0; ({COUNT}; echo; read line <&3) & wait"));
            let ended = time_of(&format!("({COUNT}); echo; read line"));
            let idle = time_of("echo; read line");
            for time in [living, ended] {
                assert!(time * 4 > own && own * 4 > time, "{own:?} {living:?} {ended:?}");
            }
            assert!(own > idle * 4, "{own:?} {idle:?}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::time::Duration;

    pub(crate) fn tree_time(_process: i32) -> Option<Duration> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_looks_again_when_something_can_have_happened() {
        let ms = Duration::from_millis;
        let mut meter = Meter { processors: 4, ..Meter::new(ms(5000), ms(1000), Some(ms(1050))) };
        assert_eq!(meter.read(ms(5000)), Reading::Runs(ms(250)));
        assert_eq!(meter.read(ms(5600)), Reading::Runs(ms(100)));
        assert_eq!(meter.read(ms(6000)), Reading::Nudge);
        assert_eq!(meter.read(ms(6010)), Reading::Runs(ms(10)));
        assert_eq!((meter.read(ms(6050)), meter.read(ms(6051))), (Reading::Runs(ms(10)), Reading::Over));
        let mut lenient = Meter::new(ms(0), ms(10), None);
        assert_eq!(lenient.read(ms(10)), Reading::Nudge);
        assert!(matches!(lenient.read(ms(1_000_000)), Reading::Runs(_)));
    }
}
