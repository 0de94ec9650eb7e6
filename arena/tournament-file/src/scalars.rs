//! Single values of a tournament, each read by one function for the file and the command line alike.

use std::fmt::Display;
use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use record::ScheduleConfig;
use settings::{Carrier, Format, Illegal, Memory, OnFail, OnStartFailure, Pin, Restart, TimeControl};

use crate::cores;
use crate::written::faults::Complaint;

/// The most rounds of a tournament.
pub(crate) const MOST_ROUNDS: u32 = 100_000;
/// The chance of a false verdict of a schedule by results, if nothing else is said.
const LEVEL: f64 = 0.05;
/// What it may be.
const LEVELS: RangeInclusive<f64> = 0.000_001..=0.5;
/// The most random plies, or turns, at the start of a game.
const MOST_OPENING_PLIES: u32 = 100;
/// The most games at once.
const MOST_GAMES_AT_ONCE: usize = 1024;
/// The most faults that may be allowed.
const MOST_FAULTS: u32 = 1_000_000;

/// The most times that a game can be played again.
const MOST_REPLAYS: u32 = 100;
/// The most processes that a bot may be allowed.
const MOST_PROCESSES: u32 = 10_000;
/// The longest name of a tournament, bot or version, in characters.
const LONGEST_NAME: usize = 80;

type Reading<T> = Result<T, Complaint>;

/// Reads the name of a tournament or bot.
pub(crate) fn name(text: &str) -> Reading<String> {
    label(text, "for example `spring cup`")
}

/// Reads the version of a bot.
pub(crate) fn version(text: &str) -> Reading<String> {
    label(text, "for example `1.2`")
}

fn label(text: &str, hint: &str) -> Reading<String> {
    if text.trim().is_empty() {
        return Err(Complaint::new("is empty", hint));
    }
    if text.chars().count() > LONGEST_NAME {
        return Err(Complaint::new(format!("is longer than {LONGEST_NAME} characters"), hint));
    }
    if text.trim() != text || text.contains(',') || protocol::printable(text) != text {
        return Err(Complaint::new(
            format!("cannot be `{}`", protocol::printable(text)),
            "commas, control characters, characters that are not seen or turn the direction of others, and blanks at its ends \
             are not allowed",
        ));
    }
    Ok(text.to_owned())
}

/// Reads how meetings are chosen; `None` is the round robin.
pub(crate) fn schedule(text: &str) -> Reading<Option<ScheduleConfig>> {
    let hint = "allowed: `round-robin`, `rank` (until the order is settled), `best` (until the best bot is), these two \
                with the chance of a false verdict: `rank:0.01`";
    let (goal, alpha) = text.split_once(':').map_or((text, None), |(goal, alpha)| (goal, Some(alpha)));
    let level = alpha.map_or(Some(LEVEL), |alpha| alpha.parse().ok());
    match (goal, level) {
        ("round-robin", _) if alpha.is_none() => Ok(None),
        ("rank" | "best", Some(alpha)) if LEVELS.contains(&alpha) => {
            Ok(Some(ScheduleConfig { goal: goal.to_owned(), alpha }))
        }
        ("rank" | "best", _) => {
            let (least, most) = (LEVELS.start(), LEVELS.end());
            let predicate = format!(
                "cannot be `{}`: the chance of a false verdict is a number from {least} to {most}",
                text.escape_debug()
            );
            Err(Complaint::new(predicate, format!("for example `{goal}:{LEVEL}`")))
        }
        _ => Err(Complaint::new(format!("cannot be `{}`", text.escape_debug()), hint)),
    }
}

/// Reads the number of rounds.
pub(crate) fn rounds(text: &str) -> Reading<NonZeroU32> {
    let rounds = number(text, 1, MOST_ROUNDS, "10")?;
    Ok(NonZeroU32::new(rounds).unwrap_or(NonZeroU32::MIN))
}

/// Reads the number of random plies of an opening.
pub(crate) fn opening_plies(text: &str) -> Reading<u32> {
    number(text, 0, MOST_OPENING_PLIES, "2")
}

/// Reads the number of whole random turns of an opening.
pub(crate) fn opening_turns(text: &str) -> Reading<u32> {
    number(text, 0, MOST_OPENING_PLIES, "2")
}

/// Reads how many openings of a file are played.
pub(crate) fn opening_count(text: &str) -> Reading<u32> {
    number(text, 1, MOST_ROUNDS, "100")
}

/// Reads a seed.
pub(crate) fn seed(text: &str) -> Reading<u64> {
    number(text, 0, u64::MAX, "42")
}

/// Reads how many games are played at once; `None` is what the cores have room for.
pub(crate) fn concurrency(text: &str) -> Reading<Option<NonZeroUsize>> {
    if text == "auto" {
        return Ok(None);
    }
    number(text, 1, MOST_GAMES_AT_ONCE, "2")
        .map(NonZeroUsize::new)
        .map_err(|complaint| Complaint::new(complaint.predicate, "`auto`, or for example `2`"))
}

/// Reads how many games are played at once, as a flag says it.
///
/// # Errors
/// Says what is wrong with it.
pub fn read_concurrency(text: &str) -> Result<NonZeroUsize, String> {
    let games = concurrency(text).map(|games| games.unwrap_or_else(|| cores::spare(Pin::Off)));
    games.map_err(|complaint| format!("it {}; {}", complaint.predicate, complaint.hint))
}

/// Reads what is kept to cores of its own.
pub(crate) fn pin(text: &str) -> Reading<Pin> {
    text.parse().map_err(|error: settings::WordError| word(&error))
}

/// Reads a time control.
pub(crate) fn time_control(text: &str) -> Reading<TimeControl> {
    text.parse().map_err(|error: settings::TimeControlError| {
        let predicate = if error.part == text {
            format!("cannot be `{text}`: it {}", error.fault)
        } else {
            format!("cannot be `{text}`: `{}` {}", error.part, error.fault)
        };
        Complaint::new(
            predicate,
            "for example `60+0.6`, `40/60:30+1`, `60, delay 2s`, `600, byoyomi 5x30s`, `movetime 100ms`, `nodes 10000`, `depth 6`, or several with commas",
        )
    })
}

/// Reads how far a clock may be overrun.
pub(crate) fn margin(text: &str) -> Reading<Duration> {
    duration(text, Duration::ZERO, Duration::from_secs(60), "50ms")
}

/// Reads how long a decision may take where no clock limits it.
pub(crate) fn think_limit(text: &str) -> Reading<Duration> {
    duration(text, Duration::from_millis(1), Duration::from_secs(24 * 60 * 60), "60s")
}

/// Reads how long a test may play.
pub(crate) fn max_time(text: &str) -> Reading<Duration> {
    duration(text, Duration::from_secs(1), Duration::from_secs(365 * 24 * 60 * 60), "20m")
}

/// Reads what an illegal ply costs.
pub(crate) fn illegal(text: &str) -> Reading<Illegal> {
    text.parse().map_err(|error: settings::WordError| word(&error))
}

/// Reads what becomes of a decision that a bot fails to make.
pub(crate) fn on_fail(text: &str) -> Reading<OnFail> {
    text.parse().map_err(|error: settings::WordError| word(&error))
}

/// Reads after how many faults a bot is withdrawn.
pub(crate) fn max_faults(text: &str) -> Reading<Option<NonZeroU32>> {
    if text == "none" {
        return Ok(None);
    }
    number(text, 1, MOST_FAULTS, "20")
        .map(NonZeroU32::new)
        .map_err(|complaint| Complaint::new(complaint.predicate, "`none`, or for example `20`"))
}

/// Reads how often a game that was lost for noise is played again.
pub(crate) fn replay_noisy(text: &str) -> Reading<Option<NonZeroU32>> {
    if text == "none" {
        return Ok(None);
    }
    number(text, 1, MOST_REPLAYS, "2")
        .map(NonZeroU32::new)
        .map_err(|complaint| Complaint::new(complaint.predicate, "`none`, or for example `2`"))
}

/// Reads what a bot that cannot start means for the run.
pub(crate) fn on_start_failure(text: &str) -> Reading<OnStartFailure> {
    text.parse().map_err(|_| {
        Complaint::new(
            format!("cannot be `{}`", text.escape_debug()),
            "it can be `stop`, or `skip` to play without bots that cannot start",
        )
    })
}

/// Reads how many games of one bot are played at once.
pub(crate) fn at_once(text: &str) -> Reading<NonZeroUsize> {
    let games = number(text, 1, MOST_GAMES_AT_ONCE, "1")?;
    Ok(NonZeroUsize::new(games).unwrap_or(NonZeroUsize::MIN))
}

/// Reads how lines reach a bot.
pub(crate) fn carrier(text: &str) -> Reading<Carrier> {
    text.parse().map_err(|error: settings::WordError| word(&error))
}

/// Reads when a process is started anew.
pub(crate) fn restart(text: &str) -> Reading<Restart> {
    text.parse().map_err(|error: settings::WordError| word(&error))
}

/// Reads whether something is so.
pub(crate) fn truth(text: &str) -> Reading<bool> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => {
            Err(Complaint::new(format!("cannot be `{}`", text.escape_debug()), "it can be `true` or `false`"))
        }
    }
}

/// Reads whether bots may think in their opponents' time: whether they are asked to, and whether they are kept from it.
pub(crate) fn ponder(text: &str) -> Reading<(bool, bool)> {
    match text {
        "true" => Ok((true, false)),
        "false" => Ok((false, false)),
        "freeze" => Ok((false, true)),
        _ => {
            let hint = "it can be `true`, `false` or `freeze`";
            Err(Complaint::new(format!("cannot be `{}`", text.escape_debug()), hint))
        }
    }
}

/// Reads how much memory the processes of a bot may hold.
pub(crate) fn memory(text: &str) -> Reading<Memory> {
    text.parse().map_err(|_| {
        let hint = "a whole number with a unit, such as `512MiB` or `2GiB`";
        Complaint::new(format!("cannot be `{}`", text.escape_debug()), hint)
    })
}

/// Reads how much processor time the processes of a bot may use in a game.
pub(crate) fn cpu(text: &str) -> Reading<Duration> {
    let read = settings::parse_duration(text).ok().filter(|time| *time >= Duration::from_millis(1));
    read.ok_or_else(|| {
        let hint = "a time with a unit, such as `60s` or `5m`";
        Complaint::new(format!("cannot be `{}`", text.escape_debug()), hint)
    })
}

/// Reads how many processes a bot may have.
pub(crate) fn processes(text: &str) -> Reading<NonZeroU32> {
    let count = number(text, 1, MOST_PROCESSES, "16")?;
    Ok(NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN))
}

/// Reads how opponents meet.
pub(crate) fn format(text: &str) -> Reading<Format> {
    if let Ok(format) = text.parse() {
        return Ok(format);
    }
    let hint = match rules::nearest(text, Format::WORDS.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("allowed: {}", Format::WORDS.join(", ")),
    };
    Err(Complaint::new(format!("cannot be `{}`", text.escape_debug()), hint))
}

fn word(error: &settings::WordError) -> Complaint {
    Complaint::new(format!("cannot be `{}`", error.text), format!("allowed: {}", error.expected))
}

/// Reads a whole number within a range, both ends included.
pub(crate) fn number<T: Copy + Display + FromStr + PartialOrd>(
    text: &str,
    least: T,
    most: T,
    example: &str,
) -> Reading<T> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<T>() {
        Ok(number) if is_number && number >= least && number <= most => Ok(number),
        _ => Err(Complaint::new(
            format!("cannot be `{}`: it must be a whole number from {least} to {most}", text.escape_debug()),
            format!("for example `{example}`"),
        )),
    }
}

fn duration(text: &str, least: Duration, most: Duration, example: &str) -> Reading<Duration> {
    let hint = format!("for example `{example}`");
    let time = settings::parse_duration(text).map_err(|_| {
        let fault = format!("cannot be `{}`: it must be a duration with a unit", text.escape_debug());
        Complaint::new(fault, hint.as_str())
    })?;
    if time < least || time > most {
        let range =
            format!("from {} to {}", settings::format_duration(least), settings::format_duration(most));
        return Err(Complaint::new(format!("cannot be `{text}`: it must be {range}"), hint));
    }
    Ok(time)
}
