//! The guard itself: one thread, which starts a bot, waits for news of it and of the arena, and clears up.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{env, fs};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process_group, set_child_subreaper,
    set_dumpable_behavior, set_parent_process_death_signal, setsid, waitid,
};
use signal_hook::consts::{SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2};

use super::report::{ExitStatus, FinalReport, GuardReport};
use super::request::{GuardRequest, Streams};
use super::{private_dir, tree};
use crate::accounting::{MemoryCount, ProcessTree};
use crate::cgroup::Cgroup;
use crate::{ExceededLimit, ProcessLimits, ProcessSpec};

/// The first argument by which the arena's executable becomes a guard.
pub(super) const WORD: &str = "guard-a-bot";

/// What must not end a guard. Only handled, never ignored: what is ignored would stay so in the bot.
const HARMLESS: [i32; 8] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM];

/// What the arena sends to have the processor time counted from here on.
pub(super) const COUNT_CPU: u8 = b'g';

/// What the arena sends before it stops the bot's processes.
pub(super) const FREEZE: u8 = b'f';

/// What the arena sends before it lets them continue.
pub(super) const THAW: u8 = b't';

/// How often a guard looks what its bot's processes use, where that is limited.
const LOOK: Duration = Duration::from_millis(50);

/// How long killed processes may take to be gone before the next look at them.
const PAUSE: Duration = Duration::from_millis(2);

/// Is the guard of a bot, if this process was started as one. To be called first of all in `main`.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     if let Some(code) = processes::guard() {
///         return code;
///     }
///     let launcher = processes::Guarded::prepare();
///     // What it launches is guarded by this very program.
///     # drop(launcher);
///     ExitCode::SUCCESS
/// }
/// ```
#[must_use]
pub fn guard() -> Option<ExitCode> {
    let is_guard = env::args_os().nth(1).is_some_and(|word| word == WORD);
    is_guard.then(|| match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Seen only where somebody else than the arena has started it.
            let _ = writeln!(io::stderr(), "error: `{WORD}` is for the arena alone: {error}");
            ExitCode::from(2)
        }
    })
}

fn serve() -> io::Result<()> {
    close_inherited()?;
    // Its standard input: the one descriptor that a process can be given without unsafe code, besides output and error.
    let mut link = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    // A session of its own: no terminal, and no group that somebody else signals. Where there is one already, as well.
    let _ = setsid();
    // Nobody else of this user may look into the guard or take its descriptors.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    set_child_subreaper(Some(getpid()))?;
    // Somebody may have stopped it when the arena dies: then it continues, and finds that.
    set_parent_process_death_signal(Some(Signal::CONT))?;
    for signal in HARMLESS {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    let (mut news, bell) = UnixStream::pair()?;
    news.set_nonblocking(true)?;
    signal_hook::low_level::pipe::register(SIGCHLD, bell)?;

    let (request, streams) = GuardRequest::receive(&mut link)?;
    let (private_dir, limits, cgroup) =
        (request.private_dir.clone(), request.spec.limits, request.cgroup.clone());
    // Made here, not by the arena: whatever becomes of that, the guard removes what it has made.
    let _held = match private_dir::make(&private_dir) {
        Ok(held) => held,
        Err(error) => return tell(&mut link, &GuardReport::NoPrivateDir(code(&error))),
    };
    if let Some(cgroup) = &cgroup
        && let Err(error) = cgroup.make(&limits)
    {
        let _ = private_dir::remove(&private_dir);
        return tell(&mut link, &GuardReport::NoControlGroup(code(&error)));
    }
    let mut guarding = match start_in(cgroup.as_ref(), &request.spec, streams) {
        Ok(bot) => {
            let is_counted = cgroup.as_ref().is_some_and(Cgroup::counts_memory);
            let memory = (limits.memory_kib.is_some() && !is_counted).then(|| MemoryCount::new(&private_dir));
            Guarding {
                link,
                bot,
                exit: None,
                limits,
                cgroup,
                memory,
                is_frozen: false,
                stops: 0,
                spent: Duration::ZERO,
            }
        }
        Err(failed) => {
            kill_all(None, cgroup.as_ref(), &mut news);
            if let Some(cgroup) = &cgroup {
                cgroup.remove();
            }
            let _ = private_dir::remove(&private_dir);
            return tell(&mut link, &failed);
        }
    };
    let watched = watch(&mut guarding, &mut news);
    guarding.exit = guarding.exit.or_else(|| exit(guarding.bot));
    kill_all(Some(guarding.bot), guarding.cgroup.as_ref(), &mut news);
    if let Some(cgroup) = &guarding.cgroup {
        cgroup.remove();
    }
    let _ = private_dir::remove(&private_dir);
    let done = FinalReport { exit: guarding.exit, ..usage() };
    // Where the arena is gone, nobody is left to be told.
    let is_told = tell(&mut guarding.link, &GuardReport::Done(done)).is_ok();
    if let Some(cgroup) = guarding.cgroup.filter(|_| !is_told) {
        cgroup.forsake();
    }
    watched
}

/// A bot and the way to the arena.
struct Guarding {
    link: UnixStream,
    bot: i32,
    exit: Option<ExitStatus>,
    limits: ProcessLimits,
    cgroup: Option<Cgroup>,
    /// What counts of its memory besides what its processes hold for themselves, where the kernel does not count it.
    memory: Option<MemoryCount>,
    /// Whether the arena has stopped the processes.
    is_frozen: bool,
    /// How often somebody else has.
    stops: u32,
    /// The processor time that had been used when its count began again.
    spent: Duration,
}

impl Guarding {
    /// Returns which limit the bot's processes exceed.
    ///
    /// What the kernel has refused counts, and what a look at the processes finds: who is not confined may have left its
    /// control group.
    fn excess(&self) -> Option<ExceededLimit> {
        if let Some(excess) = self.cgroup.as_ref().and_then(Cgroup::excess) {
            return Some(excess);
        }
        let mut sample = ProcessTree::usage_below(getpid().as_raw_nonzero().get(), self.memory.as_ref());
        if let Some(cgroup) = &self.cgroup {
            sample.processes = sample.processes.max(cgroup.processes());
        }
        let ProcessLimits { memory_kib, cpu, processes, tasks: _ } = self.limits;
        let spent = self.counted(sample.cpu).saturating_sub(self.spent);
        let excesses = [
            (ExceededLimit::Memory, memory_kib.is_some_and(|most| sample.memory_kib > most)),
            (ExceededLimit::Cpu, cpu.is_some_and(|most| spent > most)),
            (ExceededLimit::Processes, processes.is_some_and(|most| sample.processes > most.get().into())),
        ];
        excesses.into_iter().find(|(_, is_exceeded)| *is_exceeded).map(|(excess, _)| excess)
    }

    /// Does what the arena has sent a byte for.
    fn obey(&mut self, order: u8) {
        match order {
            COUNT_CPU => {
                self.spent =
                    self.counted(ProcessTree::usage_below(getpid().as_raw_nonzero().get(), None).cpu);
            }
            FREEZE => self.is_frozen = true,
            THAW => self.is_frozen = false,
            _ => {}
        }
    }

    /// Returns the processor time that counts where a look at the processes has found this much.
    fn counted(&self, found: Duration) -> Duration {
        let counted = self.cgroup.as_ref().and_then(Cgroup::cpu);
        counted.map_or(found, |counted| counted.max(found))
    }
}

/// Closes what the arena inherited from the process that started it: no bot may have it.
fn close_inherited() -> io::Result<()> {
    let open = fs::read_dir("/proc/self/fd")?.flatten();
    let open: Vec<i32> = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for descriptor in open.into_iter().filter(|descriptor| *descriptor > 2) {
        // The one by which the list was read is closed already.
        let _ = nix::unistd::close(descriptor);
    }
    Ok(())
}

/// Starts the bot as a member of its control group, if it has one.
///
/// # Errors
/// With what the arena is told. Something of the bot may run then.
fn start_in(cgroup: Option<&Cgroup>, spec: &ProcessSpec, streams: Streams) -> Result<i32, GuardReport> {
    let groupless = |error: io::Error| GuardReport::NoControlGroup(code(&error));
    // What a process starts is where it is itself: so the guard is there for this moment.
    cgroup.map_or(Ok(()), Cgroup::enter).map_err(groupless)?;
    let started = start(spec, streams).map_err(|error| GuardReport::Failed(code(&error)));
    let left = cgroup.map_or(Ok(()), Cgroup::leave).map_err(groupless);
    left.and(started)
}

/// Returns the number of the system's error.
fn code(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or_default()
}

/// Starts the bot; every stream of it is the bot's alone from then on.
fn start(spec: &ProcessSpec, streams: Streams) -> io::Result<i32> {
    let [stdin, stdout, stderr] = streams.map(Stdio::from);
    let mut command = spec.to_command();
    command.stdin(stdin).stdout(stdout).stderr(stderr).process_group(0);
    let child = command.spawn()?;
    i32::try_from(child.id()).map_err(io::Error::other)
}

/// Waits until the arena wants the end, or is gone.
fn watch(guarding: &mut Guarding, news: &mut UnixStream) -> io::Result<()> {
    tell(&mut guarding.link, &GuardReport::Started(guarding.bot))?;
    let pause = Timespec { tv_sec: 0, tv_nsec: LOOK.subsec_nanos().into() };
    let pause = (!guarding.limits.is_empty()).then_some(&pause);
    loop {
        let mut ready = [PollFd::new(&guarding.link, PollFlags::IN), PollFd::new(&*news, PollFlags::IN)];
        match poll(&mut ready, pause) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
            Ok(_) => {}
        }
        if !ready[0].revents().is_empty() {
            let mut word = [0; 64];
            match guarding.link.read(&mut word) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // Closed by the arena, or with it.
                Ok(0) | Err(_) => return Ok(()),
                Ok(count) => word[..count].iter().for_each(|order| guarding.obey(*order)),
            }
        }
        drain(news);
        if !guarding.is_frozen && is_stopped(guarding.bot) && !has_more(&guarding.link) {
            // It may have stopped itself, or somebody else of its user has: it stands still for nobody but the arena.
            if let Some(group) = Pid::from_raw(guarding.bot) {
                let _ = kill_process_group(group, Signal::CONT);
            }
            guarding.stops = guarding.stops.saturating_add(1);
            // Who does it again and again makes no flood of reports.
            if guarding.stops.is_power_of_two() {
                tell(&mut guarding.link, &GuardReport::Stopped(guarding.stops))?;
            }
        }
        // Before the limits are looked at: a bot that has ended because it met one has met it by then.
        let ended = if guarding.exit.is_none() { exit(guarding.bot) } else { None };
        if pause.is_some()
            && let Some(excess) = guarding.excess()
        {
            tell(&mut guarding.link, &GuardReport::Over(excess))?;
            return Ok(());
        }
        // The bot itself is kept: until the end its number belongs to nobody else.
        tree::reap(Some(guarding.bot));
        if let Some(exit) = ended {
            guarding.exit = Some(exit);
            tell(&mut guarding.link, &GuardReport::Ended(exit))?;
        }
    }
}

/// Returns whether a child stands still.
fn is_stopped(child: i32) -> bool {
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = Pid::from_raw(child).and_then(|child| waitid(WaitId::Pid(child), options).ok().flatten());
    status.is_some_and(|status| status.stopped())
}

/// Returns whether the arena has sent something that has not been read: it says so before it stops a bot.
fn has_more(link: &UnixStream) -> bool {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut [PollFd::new(link, PollFlags::IN)], Some(&now)) != Ok(0)
}

/// Returns how a child ended, if it has. It is not reaped by this.
fn exit(child: i32) -> Option<ExitStatus> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(Pid::from_raw(child)?), options).ok().flatten()?;
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Some(ExitStatus::Code(code)),
        (None, Some(signal)) => Some(ExitStatus::Signal(signal)),
        (None, None) => None,
    }
}

/// Kills and reaps until there is no descendant. A process that starts others faster than they are found loses in the end: what
/// is found dies with its whole group, and everybody else is found in the next round.
fn kill_all(bot: Option<i32>, cgroup: Option<&Cgroup>, news: &mut UnixStream) {
    let own = getpid().as_raw_nonzero().get();
    if let Some(cgroup) = cgroup {
        cgroup.kill();
    }
    // Mostly that is everybody. The number is still that of the bot, which has not been reaped.
    if let Some(group) = bot.and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let mut living = 1;
    loop {
        tree::reap(None);
        if !tree::has_children() {
            return;
        }
        if living <= 1 {
            let pause = Timespec { tv_sec: 0, tv_nsec: PAUSE.subsec_nanos().into() };
            let _ = poll(&mut [PollFd::new(&*news, PollFlags::IN)], Some(&pause));
            drain(news);
            tree::reap(None);
            if !tree::has_children() {
                return;
            }
        }
        let members = tree::below(&tree::everybody(), &[own]);
        living = members.iter().filter(|member| !member.is_zombie).count();
        tree::kill(&members, own);
    }
}

/// Forgets that children have ended.
fn drain(news: &mut UnixStream) {
    while matches!(news.read(&mut [0; 64]), Ok(1..)) {}
}

/// Returns what all processes used that have been reaped: at the end, all that there were.
fn usage() -> FinalReport {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return FinalReport { exit: None, cpu: Duration::ZERO, peak_kib: 0 };
    };
    let micros = |time: nix::sys::time::TimeVal| {
        let whole = time.tv_sec().saturating_mul(1_000_000).saturating_add(time.tv_usec());
        Duration::from_micros(whole.try_into().unwrap_or_default())
    };
    let cpu = micros(usage.user_time()) + micros(usage.system_time());
    FinalReport { exit: None, cpu, peak_kib: usage.max_rss().try_into().unwrap_or_default() }
}

fn tell(link: &mut UnixStream, report: &GuardReport) -> io::Result<()> {
    link.write_all(format!("{report}\n").as_bytes())
}
