//! Rules in a program, asked over pipes.
//!
//! Its processes are started as those of bots are: by a [`Launcher`], from a [`ProcessSpec`] that has the words which confine
//! them in front and the limits that a guard holds them to. There are as many as there are questions at one time. The threads
//! that ask write and read the pipes themselves, [`exchange`]; one thread, the [`keeper`], starts the processes, drains their
//! standard error, and ends them. None is left when the [`RulesProgram`] is dropped, and guards see to it if the arena dies.
//!
//! Whatever is wrong with an answer ends the process that gave it, since nobody knows what it will write next. A line too many
//! that is written only after the next question has arrived is taken for the answer to that: the caller compares what the
//! answer is about.

mod exchange;
mod keeper;
mod pipes;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use processes::{ExceededLimit, Launcher, ProcessLimits, ProcessSpec};
use protocol::last_lines;

use self::exchange::{Exchange, Failure};
use self::keeper::{Keeper, Obituary};
use crate::carrier::{check_question, read_answer, shown, too_long};
use crate::{CarrierFault, CarrierFaultKind, RulesCarrier};

/// What a program may take for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramLimits {
    /// How long an answer may take. The first one of a process includes its start.
    pub answer: Duration,
}

impl Default for ProgramLimits {
    fn default() -> Self {
        Self { answer: Duration::from_secs(10) }
    }
}

/// Rules in a program: one line in, one line out.
#[derive(Debug)]
pub struct RulesProgram {
    limits: ProgramLimits,
    quota: ProcessLimits,
    keeper: Keeper,
    /// Processes that wait for a question, the one that was used last at the end.
    idle: Mutex<Vec<Exchange>>,
    /// How often all processes were ended before they had answered.
    interruptions: AtomicU64,
}

impl RulesProgram {
    /// Prepares to ask a program. Its first process is started for the first question.
    ///
    /// Of the limits in `spec` that on processor time is not applied: it is one for a game, and processes outlive games. The
    /// limit on an answer stands for it.
    ///
    /// # Errors
    /// When the system has no thread for it.
    pub fn new(
        mut spec: ProcessSpec,
        launcher: &'static dyn Launcher,
        limits: ProgramLimits,
    ) -> io::Result<Self> {
        spec.limits.cpu = None;
        let quota = spec.limits;
        let keeper = Keeper::new(spec, launcher)?;
        Ok(Self { limits, quota, keeper, idle: Mutex::default(), interruptions: AtomicU64::new(0) })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Exchange>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says why a question has no answer, and ends the process that was asked.
    fn fault(&self, mut exchange: Exchange, failure: &Failure, interruptions: u64) -> CarrierFault {
        let is_unflushed = matches!(failure, Failure::Late) && exchange.speaks_when_closed();
        let obituary = self.keeper.end(exchange);
        if self.interruptions() != interruptions {
            return CarrierFault::new(CarrierFaultKind::Interrupted, "were interrupted");
        }
        let Some(obituary) = obituary else {
            let words = "cannot be asked: the thread that ends them is gone";
            return CarrierFault::new(CarrierFaultKind::Arena, words);
        };
        let stderr = last_lines(&obituary.stderr);
        self.explain(failure, &obituary, is_unflushed).with_stderr(stderr)
    }

    fn explain(&self, failure: &Failure, obituary: &Obituary, is_unflushed: bool) -> CarrierFault {
        use CarrierFaultKind::{Arena, Died, NotAnAnswer, Resources, TooSlow};

        // Why it ended comes before what that looked like from here.
        if let Some(excess) = obituary.excess {
            return CarrierFault::new(Resources, excess_words(excess, &self.quota));
        }
        if obituary.has_lost_guard {
            return CarrierFault::new(Arena, "lost the guard of their process: somebody has killed it");
        }
        let limit = self.limits.answer;
        match failure {
            Failure::Late if is_unflushed => CarrierFault::new(
                TooSlow,
                format!(
                    "did not answer within {limit:?}, but when their input was closed: flush stdout after every line"
                ),
            ),
            Failure::Late => CarrierFault::new(TooSlow, format!("did not answer within {limit:?}")),
            Failure::TooLong => too_long(),
            Failure::Unasked(bytes) => {
                CarrierFault::new(NotAnAnswer, format!("wrote what nobody had asked for: `{}`", shown(bytes)))
            }
            Failure::NotAnAnswer(fault) => fault.clone(),
            Failure::Closed { pipe, unfinished } => {
                let words = match &obituary.status {
                    Some(status) => format!("ended ({status}) instead of answering"),
                    None => format!("closed their standard {pipe} instead of answering"),
                };
                let words = match unfinished.as_slice() {
                    [] => words,
                    bytes => format!("{words}, after a line that has no end: `{}`", shown(bytes)),
                };
                CarrierFault::new(Died, words)
            }
            Failure::System(error) => CarrierFault::new(Arena, format!("cannot be asked: {error}")),
        }
    }

    fn interruptions(&self) -> u64 {
        self.interruptions.load(Ordering::Acquire)
    }
}

impl RulesCarrier for RulesProgram {
    fn ask(&self, question: &str) -> Result<String, CarrierFault> {
        check_question(question)?;
        let interruptions = self.interruptions();
        let deadline = Instant::now() + self.limits.answer;
        let idle = self.idle().pop();
        let mut exchange = match idle {
            Some(exchange) => exchange,
            None => self.keeper.start()?,
        };
        let answered = exchange
            .ask(question, deadline)
            .and_then(|line| read_answer(line).map(str::to_owned).map_err(Failure::NotAnAnswer));
        match answered {
            Ok(answer) => {
                exchange.clear();
                let mut idle = self.idle();
                // One that was ended meanwhile is asked nothing more.
                if self.interruptions() == interruptions {
                    idle.push(exchange);
                }
                Ok(answer)
            }
            Err(failure) => Err(self.fault(exchange, &failure, interruptions)),
        }
    }

    /// Of the process that is asked next.
    fn cpu(&self) -> Option<Duration> {
        self.idle().last_mut()?.meter.cpu()
    }

    /// Ends all processes, and does not return before none of them is left.
    fn interrupt(&self) {
        let mut idle = self.idle();
        self.interruptions.fetch_add(1, Ordering::AcqRel);
        idle.clear();
        drop(idle);
        self.keeper.end_all();
    }
}

/// Says which limit was exceeded.
fn excess_words(excess: ExceededLimit, quota: &ProcessLimits) -> String {
    let limit = match excess {
        ExceededLimit::Memory => quota.memory_kib.map(|kib| format!("{} MiB of memory", kib / 1024)),
        ExceededLimit::Cpu => quota.cpu.map(|cpu| format!("{cpu:?} of processor time")),
        ExceededLimit::Processes => quota.processes.map(|count| format!("{count} processes")),
        ExceededLimit::Tasks => quota.tasks.map(|count| format!("{count} processes and threads")),
    };
    format!("exceeded their limit of {}", limit.unwrap_or_default())
}
