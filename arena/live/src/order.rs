//! What a run in progress can be told.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use diagnostic::output::count;
use runner::{Control, spare_cores};
use settings::{MOST_GAMES_AT_ONCE, Pin};

use crate::signals::Trigger;
use crate::workers::{WorkerOrder, WorkerPanel};

/// An order to a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControlOrder {
    /// Begin no new games until the order to resume.
    Pause,
    /// Begin games again.
    Resume,
    /// End as at the first Ctrl-C.
    Stop,
    /// Play this many games at once.
    Concurrency(NonZeroUsize),
    /// Say how the run stands.
    Status,
    /// Say how the workers of the run stand.
    Workers,
    /// Tell the worker of this name something.
    Worker(String, WorkerOrder),
}

impl ControlOrder {
    /// Returns the order to play this many games at once; `None` if that is out of range.
    pub fn concurrency(number: usize) -> Option<Self> {
        NonZeroUsize::new(number).filter(|games| games.get() <= MOST_GAMES_AT_ONCE).map(Self::Concurrency)
    }
}

impl FromStr for ControlOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        match words[..] {
            ["pause"] => Ok(Self::Pause),
            ["resume"] => Ok(Self::Resume),
            ["stop"] => Ok(Self::Stop),
            ["status"] => Ok(Self::Status),
            ["workers"] => Ok(Self::Workers),
            ["worker", name, word] if WorkerOrder::named(word).is_some() => {
                Ok(WorkerOrder::named(word).map_or(Self::Workers, |order| Self::Worker(name.to_owned(), order)))
            }
            ["worker", ..] => Err("which worker is to do what? for example `worker w1 pause`, `worker w1 resume`, or `worker w1 drain`".to_owned()),
            ["concurrency", number] => settings::concurrency(number)
                .map(|games| Self::Concurrency(games.unwrap_or_else(|| spare_cores(Pin::Off, 2))))
                .map_err(|complaint| {
                    format!("the number of games at once: it {}; {}", complaint.predicate, complaint.hint)
                }),
            ["concurrency"] => Err("how many games at once? for example `concurrency 4`".to_owned()),
            _ => Err("expected `pause`, `resume`, `stop`, `concurrency N`, `status`, `workers` or `worker NAME pause|resume|drain`".to_owned()),
        }
    }
}

impl fmt::Display for ControlOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pause => f.write_str("pause"),
            Self::Resume => f.write_str("resume"),
            Self::Stop => f.write_str("stop"),
            Self::Concurrency(number) => write!(f, "concurrency {number}"),
            Self::Status => f.write_str("status"),
            Self::Workers => f.write_str("workers"),
            Self::Worker(name, order) => write!(f, "worker {name} {}", order.word()),
        }
    }
}

/// What orders are carried out with: the handles that signals use too.
#[derive(Clone, Debug)]
pub struct Steering {
    /// Through which orders reach a run.
    pub control: Control,
    /// What ends it as a signal does.
    pub trigger: Trigger,
    /// The workers, where other machines play.
    pub workers: Option<WorkerPanel>,
}

impl Steering {
    /// Carries out an order and says what comes of it. `running` games are being played, and `status` is how the run
    /// stands.
    ///
    /// # Errors
    /// When the order makes no sense any more.
    pub fn carry_out(
        &self,
        order: ControlOrder,
        running: u64,
        status: impl FnOnce() -> String,
    ) -> Result<String, String> {
        let games = count(running, "game");
        match order {
            ControlOrder::Status => Ok(status()),
            ControlOrder::Workers | ControlOrder::Worker(..) => {
                let workers =
                    self.workers.as_ref().ok_or("this run has no workers: this machine plays it")?;
                match order {
                    ControlOrder::Worker(name, order) => workers.tell(&name, order),
                    _ => Ok(workers.line()),
                }
            }
            ControlOrder::Stop if self.control.is_finishing() => Ok("it is stopping already".to_owned()),
            ControlOrder::Stop => {
                self.trigger.pull();
                Ok(format!("stopping: no new games begin; {games} in progress"))
            }
            _ if self.control.is_finishing() => {
                Err("the run is stopping: no new games begin any more".to_owned())
            }
            ControlOrder::Pause if self.control.is_paused() => Ok("it is paused already".to_owned()),
            ControlOrder::Pause => {
                self.control.pause();
                Ok(format!("paused: no new games begin; {games} in progress"))
            }
            ControlOrder::Resume if !self.control.is_paused() => Ok("it is not paused".to_owned()),
            ControlOrder::Resume => {
                self.control.resume();
                Ok("resumed".to_owned())
            }
            ControlOrder::Concurrency(number) => {
                self.control.set_slots(number);
                match self.control.slots() {
                    Some(now) if now < number => {
                        Ok(format!("concurrency is {now}: there are no more cores to pin games to"))
                    }
                    _ => Ok(format!("concurrency is {number}")),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_read_as_it_is_written() {
        for text in ["pause", "resume", "stop", "status", "concurrency 3", "workers", "worker w-1 drain"] {
            assert_eq!(text.parse::<ControlOrder>().map(|order| order.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn what_is_no_order_is_told_what_would_be() {
        let fault = |text: &str| text.parse::<ControlOrder>().expect_err("no order");
        assert!(fault("halt").contains("`pause`"));
        assert!(fault("").contains("`pause`"));
        assert!(fault("pause now").contains("`pause`"));
        assert!(fault("concurrency").contains("concurrency 4"));
        assert!(fault("worker w1 halt").contains("worker w1 pause"));
        assert!(fault("concurrency 0").starts_with("the number of games at once:"));
    }
}
