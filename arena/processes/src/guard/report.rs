//! What a guard tells the arena: a line for each thing that happens.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::ExceededLimit;

/// What a guard tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GuardReport {
    /// The bot runs, as the process of this number.
    Started(i32),
    /// The bot could not be started: the number of the system's error.
    Failed(i32),
    /// The private directory could not be made: the number of the system's error.
    NoPrivateDir(i32),
    /// The control group could not be made or entered: the number of the system's error.
    NoControlGroup(i32),
    /// The bot's own process has ended by itself; others of its tree may still run.
    Ended(ExitStatus),
    /// Somebody has stopped the bot's own process this many times by now, and it was made to continue.
    Stopped(u32),
    /// The bot's processes exceeded a limit, and are about to be killed.
    Over(ExceededLimit),
    /// Nothing of the bot is left.
    Done(FinalReport),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExitStatus {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// What is left of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FinalReport {
    /// How its own process ended, if it had before it was killed.
    pub(super) exit: Option<ExitStatus>,
    /// Processor time of all processes of its life, to the microsecond.
    pub(super) cpu: Duration,
    /// The most memory that one of its processes held, in KiB.
    pub(super) peak_kib: u64,
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

impl FromStr for ExitStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (word, number) = text.split_once(' ').ok_or(())?;
        let number = number.parse().map_err(drop)?;
        match word {
            "exit" => Ok(Self::Code(number)),
            "signal" => Ok(Self::Signal(number)),
            _ => Err(()),
        }
    }
}

impl fmt::Display for GuardReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started(number) => write!(f, "started {number}"),
            Self::Failed(error) => write!(f, "failed {error}"),
            Self::NoPrivateDir(error) => write!(f, "no-directory {error}"),
            Self::NoControlGroup(error) => write!(f, "no-group {error}"),
            Self::Ended(exit) => write!(f, "ended {exit}"),
            Self::Stopped(count) => write!(f, "stopped {count}"),
            Self::Over(excess) => write!(f, "over {excess}"),
            Self::Done(done) => {
                write!(f, "done {} {}", done.cpu.as_micros(), done.peak_kib)?;
                done.exit.map_or(Ok(()), |exit| write!(f, " {exit}"))
            }
        }
    }
}

impl FromStr for GuardReport {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (word, rest) = text.split_once(' ').ok_or(())?;
        match word {
            "started" => rest.parse().map(Self::Started).map_err(drop),
            "failed" => rest.parse().map(Self::Failed).map_err(drop),
            "no-directory" => rest.parse().map(Self::NoPrivateDir).map_err(drop),
            "no-group" => rest.parse().map(Self::NoControlGroup).map_err(drop),
            "ended" => rest.parse().map(Self::Ended),
            "stopped" => rest.parse().map(Self::Stopped).map_err(drop),
            "over" => rest.parse().map(Self::Over),
            "done" => {
                let mut fields = rest.splitn(3, ' ');
                let mut number = || fields.next().and_then(|field| field.parse::<u64>().ok()).ok_or(());
                let (cpu, peak_kib) = (Duration::from_micros(number()?), number()?);
                let exit = fields.next().map(str::parse).transpose()?;
                Ok(Self::Done(FinalReport { exit, cpu, peak_kib }))
            }
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_come_back() {
        let done = FinalReport { exit: None, cpu: Duration::from_micros(1_234_567), peak_kib: 89 };
        let reports = [
            GuardReport::Started(42),
            GuardReport::Failed(2),
            GuardReport::NoPrivateDir(28),
            GuardReport::NoControlGroup(16),
            GuardReport::Ended(ExitStatus::Code(3)),
            GuardReport::Ended(ExitStatus::Signal(9)),
            GuardReport::Stopped(4),
            GuardReport::Over(ExceededLimit::Memory),
            GuardReport::Over(ExceededLimit::Processes),
            GuardReport::Over(ExceededLimit::Tasks),
            GuardReport::Done(done),
            GuardReport::Done(FinalReport { exit: Some(ExitStatus::Signal(15)), ..done }),
        ];
        for report in reports {
            assert_eq!(report.to_string().parse(), Ok(report));
        }
        for text in ["", "started", "started x", "ended exit", "done 1", "done 1 2 exit", "else 1"] {
            assert_eq!(text.parse::<GuardReport>(), Err(()), "{text}");
        }
    }
}
