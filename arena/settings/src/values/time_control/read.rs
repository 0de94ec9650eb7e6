//! Reading time controls.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use super::{Bank, Byoyomi, Delay, MOST_SECONDS, Period, TimeControl, TimeControlError};
use crate::parse_duration;
use crate::reading::digits;

/// A part of a time control, read.
enum Part {
    Clock(Vec<Period>),
    Hourglass(Duration),
    Delay(Delay),
    Byoyomi(Byoyomi),
    Bank(Bank),
    MoveTime(Duration),
    Nodes(std::num::NonZeroU64),
    Depth(NonZeroU32),
    Cpu,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let mut control = Self::unlimited();
        for part in text.split(',').map(str::trim) {
            let fault = |fault: &str| TimeControlError { part: part.to_owned(), fault: fault.to_owned() };
            let is_given_twice = match read_part(part)? {
                Part::Clock(periods) => !std::mem::replace(&mut control.periods, periods).is_empty(),
                Part::Hourglass(base) => {
                    control.is_hourglass = true;
                    let only = Period { turns: None, base, increment: Duration::ZERO };
                    !std::mem::replace(&mut control.periods, vec![only]).is_empty()
                }
                Part::Delay(delay) => control.delay.replace(delay).is_some(),
                Part::Byoyomi(byoyomi) => control.byoyomi.replace(byoyomi).is_some(),
                Part::Bank(bank) => control.bank.replace(bank).is_some(),
                Part::MoveTime(time) => control.movetime.replace(time).is_some(),
                Part::Nodes(nodes) => control.nodes.replace(nodes).is_some(),
                Part::Depth(depth) => control.depth.replace(depth).is_some(),
                Part::Cpu => std::mem::replace(&mut control.is_cpu, true),
            };
            if is_given_twice {
                return Err(fault("limits what another part has limited already"));
            }
        }
        match misfit(&control) {
            Some((word, fault)) => {
                let part = text.split(',').map(str::trim).find(|part| part.starts_with(word));
                Err(TimeControlError { part: part.unwrap_or(text).to_owned(), fault: fault.to_owned() })
            }
            None => Ok(control),
        }
    }
}

/// Returns the first word of a part that does not go with the others, and why.
fn misfit(control: &TimeControl) -> Option<(&'static str, &'static str)> {
    let has_increment = control.periods.iter().any(|period| !period.increment.is_zero());
    let is_plain = match &control.periods[..] {
        [] => true,
        [only] => only.turns.is_none() && only.increment.is_zero() && !control.is_hourglass,
        _ => false,
    };
    if let Some(delay) = control.delay {
        let word = match delay {
            Delay::Simple(_) => "delay",
            Delay::Bronstein(_) => "bronstein",
        };
        if control.periods.is_empty() || control.is_hourglass {
            return Some((word, "needs a clock beside it, as in `60, delay 2s`"));
        }
        if has_increment {
            return Some((word, "does not go with an increment: a turn has one or the other"));
        }
    }
    if control.byoyomi.is_some() && (!is_plain || control.delay.is_some()) {
        return Some((
            "byoyomi",
            "goes with nothing but one time for the whole game, as in `600, byoyomi 5x30s`",
        ));
    }
    if control.bank.is_some() && !control.has_clock() && control.movetime.is_none() {
        return Some(("bank", "forgives overruns of a clock or a `movetime`, and there is neither"));
    }
    if control.is_cpu && !control.has_clock() && control.movetime.is_none() {
        return Some(("cpu", "says what a clock or a `movetime` counts, and there is neither"));
    }
    None
}

fn read_part(part: &str) -> Result<Part, TimeControlError> {
    let fault = |fault: &str| TimeControlError { part: part.to_owned(), fault: fault.to_owned() };
    if part == "cpu" {
        return Ok(Part::Cpu);
    }
    let Some((word, value)) = part.split_once(char::is_whitespace) else {
        return if part.is_empty() { Err(fault("is empty")) } else { read_periods(part).map(Part::Clock) };
    };
    let value = value.trim();
    let time = || read_time(value).map_err(|text| fault(&text));
    match word {
        "hourglass" => time().map(Part::Hourglass),
        "delay" => time().map(Delay::Simple).map(Part::Delay),
        "bronstein" => time().map(Delay::Bronstein).map(Part::Delay),
        "byoyomi" => {
            let (periods, time) = read_times(value).map_err(|text| fault(&text))?;
            Ok(Part::Byoyomi(Byoyomi { periods, time }))
        }
        "bank" => {
            let (overruns, most) = read_times(value).map_err(|text| fault(&text))?;
            Ok(Part::Bank(Bank { overruns, most }))
        }
        "movetime" => time().map(Part::MoveTime),
        "nodes" => digits(value).map(Part::Nodes).ok_or_else(|| fault("needs a count from 1 up")),
        "depth" => digits(value).map(Part::Depth).ok_or_else(|| fault("needs a count from 1 up")),
        _ => Err(fault(
            "is neither a clock nor `movetime`, `nodes`, `depth`, `delay`, `bronstein`, `byoyomi`, `hourglass`, `bank` or `cpu`",
        )),
    }
}

/// Reads a count and a duration: `3x500ms`.
fn read_times(text: &str) -> Result<(NonZeroU32, Duration), String> {
    let fault = "needs a count and a duration such as `3x500ms`";
    let (count, time) = text.split_once('x').ok_or(fault)?;
    let count = digits(count).ok_or(fault)?;
    Ok((count, read_time(time)?))
}

fn read_time(text: &str) -> Result<Duration, String> {
    let time = parse_duration(text).map_err(|_| "needs a duration with a unit".to_owned())?;
    if time.is_zero() || time.as_secs() > MOST_SECONDS {
        return Err(format!("needs a duration from 1ms to {MOST_SECONDS}s"));
    }
    Ok(time)
}

fn read_periods(text: &str) -> Result<Vec<Period>, TimeControlError> {
    let mut periods: Vec<Period> = Vec::new();
    for part in text.split(':') {
        let fault = |fault: String| TimeControlError { part: part.to_owned(), fault };
        if periods.last().is_some_and(|last| last.turns.is_none()) {
            return Err(fault("comes after a period that lasts for the rest of the game".to_owned()));
        }
        periods.push(read_period(part).map_err(fault)?);
    }
    Ok(periods)
}

fn read_period(text: &str) -> Result<Period, String> {
    let (turns, rest) = match text.split_once('/') {
        Some((turns, rest)) => {
            let turns =
                digits(turns).ok_or_else(|| format!("needs a count of turns before the `/`, not `{turns}`"));
            (Some(turns?), rest)
        }
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        Some((base, increment)) => (read_seconds(base)?, read_seconds(increment)?),
        None => (read_seconds(rest)?, Duration::ZERO),
    };
    if base.is_zero() {
        return Err("begins with an empty clock".to_owned());
    }
    Ok(Period { turns, base, increment })
}

/// Reads seconds with up to three decimals.
fn read_seconds(text: &str) -> Result<Duration, String> {
    let fault = || format!("needs seconds such as `60` or `0.6` (milliseconds at the finest), not `{text}`");
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let decimals = decimals.trim_end_matches('0');
    if !is_number(whole)
        || !(decimals.is_empty() || is_number(decimals))
        || decimals.len() > 3
        || text.ends_with('.')
    {
        return Err(fault());
    }
    let seconds = whole.parse::<u64>().ok().filter(|seconds| *seconds <= MOST_SECONDS);
    let seconds = seconds.ok_or_else(|| format!("has more than {MOST_SECONDS} seconds"))?;
    let millis = format!("{decimals:0<3}").parse::<u64>().map_err(|_| fault())?;
    Ok(Duration::from_millis(seconds * 1000 + millis))
}
