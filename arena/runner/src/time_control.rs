//! What a bot may spend: clocks, time per turn, nodes, depth. One string each.
//!
//! `60+0.6` is 60 seconds and 0.6 seconds a turn, `40/60:30+1` is 40 turns in 60 seconds and then 30 seconds
//! with 1 second a turn, and `movetime 100ms`, `nodes 10000` and `depth 6` limit every turn or decision. Limits
//! combine with commas. Seconds are read exactly to the millisecond, never by way of binary fractions.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;
use thiserror::Error;

/// The most seconds that a clock may have.
const MOST_SECONDS: u64 = 9_999_999;

/// What a bot may spend. At least one limit is set.
///
/// ```
/// let tc: runner::TimeControl = "60+0.600, nodes 5000".parse()?;
/// assert_eq!(tc.to_string(), "60+0.6, nodes 5000");
/// assert_eq!(tc.pgn(), "60+0.6");
/// # Ok::<(), runner::TimeControlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    periods: Vec<Period>,
    movetime: Option<Duration>,
    nodes: Option<NonZeroU64>,
    depth: Option<NonZeroU32>,
}

/// A period of a clock: so much time for so many turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// The turns after which the next period begins; the last period, if it has them, begins again. `None` is
    /// the rest of the game.
    pub turns: Option<NonZeroU32>,
    /// What is added to the clock when the period begins.
    pub base: Duration,
    /// What is added to the clock after every own turn.
    pub increment: Duration,
}

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{part}` {fault}; a time control is for example `60+0.6`, `40/60:30+1`, `movetime 100ms`, `nodes 10000`, `depth 6` or several of these with commas"
)]
pub struct TimeControlError {
    /// The part of the text that is at fault.
    pub part: String,
    /// What is wrong with it, as a fragment that follows the part.
    pub fault: String,
}

/// Why a text is no duration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not a duration with a unit, such as `500ms`, `10s` or `1m`")]
pub struct DurationError {
    /// The text.
    pub text: String,
}

impl TimeControl {
    /// Returns the periods of the clock; none when there is no clock.
    #[must_use]
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// Returns whether there is a clock.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        !self.periods.is_empty()
    }

    /// Returns the time for one turn.
    #[must_use]
    pub const fn movetime(&self) -> Option<Duration> {
        self.movetime
    }

    /// Returns the limit on nodes for one decision.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.nodes.map(NonZeroU64::get)
    }

    /// Returns the limit on depth for one decision.
    #[must_use]
    pub fn depth(&self) -> Option<u32> {
        self.depth.map(NonZeroU32::get)
    }

    /// Returns the clock in the syntax of PGN's `TimeControl` tag, `*` when there is none.
    #[must_use]
    pub fn pgn(&self) -> String {
        if self.periods.is_empty() {
            return "*".to_owned();
        }
        self.periods.iter().map(Period::to_string).collect::<Vec<_>>().join(":")
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.has_clock() {
            parts.push(self.pgn());
        }
        parts.extend(self.movetime.map(|time| format!("movetime {}", format_duration(time))));
        parts.extend(self.nodes.map(|nodes| format!("nodes {nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(turns) = self.turns {
            write!(f, "{turns}/")?;
        }
        f.write_str(&format_seconds(self.base))?;
        if !self.increment.is_zero() {
            write!(f, "+{}", format_seconds(self.increment))?;
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let mut control = Self { periods: Vec::new(), movetime: None, nodes: None, depth: None };
        for part in text.split(',').map(str::trim) {
            let fault = |fault: &str| TimeControlError { part: part.to_owned(), fault: fault.to_owned() };
            let is_given_twice = match part.split_once(char::is_whitespace) {
                None if part.is_empty() => return Err(fault("is empty")),
                None => !std::mem::replace(&mut control.periods, read_periods(part)?).is_empty(),
                Some(("movetime", value)) => {
                    let time = read_movetime(value.trim()).map_err(|text| fault(&text))?;
                    control.movetime.replace(time).is_some()
                }
                Some(("nodes", value)) => {
                    let nodes = value.trim().parse().map_err(|_| fault("needs a count from 1 up"))?;
                    control.nodes.replace(nodes).is_some()
                }
                Some(("depth", value)) => {
                    let depth = value.trim().parse().map_err(|_| fault("needs a count from 1 up"))?;
                    control.depth.replace(depth).is_some()
                }
                Some(_) => return Err(fault("is neither a clock nor `movetime`, `nodes` or `depth`")),
            };
            if is_given_twice {
                return Err(fault("limits what another part has limited already"));
            }
        }
        Ok(control)
    }
}

/// Reads a duration with a unit, exact to the millisecond.
///
/// # Errors
/// When it is not one.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let parsed = text.parse::<SignedDuration>().ok().and_then(|time| Duration::try_from(time).ok());
    let exact = parsed.filter(|time| time.subsec_nanos().is_multiple_of(1_000_000));
    exact.ok_or_else(|| DurationError { text: text.to_owned() })
}

/// Writes a duration as [`parse_duration`] reads it: `10s`, `500ms`.
#[must_use]
pub fn format_duration(time: Duration) -> String {
    match time.subsec_millis() {
        0 => format!("{}s", time.as_secs()),
        _ => format!("{}ms", time.as_millis()),
    }
}

fn read_movetime(text: &str) -> Result<Duration, String> {
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
                turns.parse().map_err(|_| format!("needs a count of turns before the `/`, not `{turns}`"));
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

fn format_seconds(time: Duration) -> String {
    let (seconds, millis) = (time.as_secs(), time.subsec_millis());
    match millis {
        0 => seconds.to_string(),
        _ => format!("{seconds}.{millis:03}").trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, canonical: &str, pgn: &str) {
        let control: TimeControl = text.parse().unwrap();
        assert_eq!((control.to_string().as_str(), control.pgn().as_str()), (canonical, pgn));
    }

    #[test]
    fn the_written_forms_are_read() {
        check("60+0.6", "60+0.6", "60+0.6");
        check("0.050", "0.05", "0.05");
        check("1.0+0", "1", "1");
        check("40/60:30+1", "40/60:30+1", "40/60:30+1");
        check("40/9000+2:300+5", "40/9000+2:300+5", "40/9000+2:300+5");
        check("movetime 100ms", "movetime 100ms", "*");
        check("movetime 1m", "movetime 60s", "*");
        check("nodes 10000", "nodes 10000", "*");
        check("depth  6", "depth 6", "*");
        check("nodes 5000,10+0.1", "10+0.1, nodes 5000", "10+0.1");
    }

    #[test]
    fn seconds_are_exact() {
        let control: TimeControl = "60+0.6".parse().unwrap();
        assert_eq!(control.periods()[0].increment, Duration::from_millis(600));
    }

    fn check_error(text: &str, part: &str, fault: &str) {
        let error = text.parse::<TimeControl>().unwrap_err();
        assert_eq!(error.part, part, "{error}");
        assert!(error.fault.contains(fault), "{error}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        check_error("", "", "empty");
        check_error("10+0.1,", "", "empty");
        check_error("sixty", "sixty", "needs seconds");
        check_error("60+", "60+", "needs seconds");
        check_error("60+0.0001", "60+0.0001", "milliseconds");
        check_error("1.", "1.", "needs seconds");
        check_error("0+1", "0+1", "empty clock");
        check_error("-1", "-1", "needs seconds");
        check_error("0/60", "0/60", "count of turns");
        check_error("60:30", "30", "rest of the game");
        check_error("99999999", "99999999", "more than");
        check_error("movetime 100", "movetime 100", "unit");
        check_error("movetime 0s", "movetime 0s", "from 1ms");
        check_error("nodes 0", "nodes 0", "from 1 up");
        check_error("plies 7", "plies 7", "neither");
        check_error("60, 30", "30", "already");
        check_error("nodes 1, nodes 1", "nodes 1", "already");
    }

    #[test]
    fn durations_carry_a_unit() {
        assert_eq!(parse_duration("1500ms"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("1m"), Ok(Duration::from_secs(60)));
        for text in ["10", "", "-1s", "1us", "ten"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    fn period(turns: Option<u32>) -> impl Strategy<Value = Period> {
        (1_u64..10_000_000_000, 0_u64..10_000_000).prop_map(move |(base, increment)| Period {
            turns: turns.and_then(NonZeroU32::new),
            base: Duration::from_millis(base.min(MOST_SECONDS * 1000)),
            increment: Duration::from_millis(increment),
        })
    }

    fn control() -> impl Strategy<Value = TimeControl> {
        let periods =
            (proptest::collection::vec((1_u32..200).prop_flat_map(|n| period(Some(n))), 0..3), period(None));
        let movetime = proptest::option::of((1_u64..10_000_000).prop_map(Duration::from_millis));
        (periods, movetime, any::<Option<NonZeroU64>>(), any::<Option<NonZeroU32>>()).prop_map(
            |((mut periods, last), movetime, nodes, depth)| {
                periods.push(last);
                TimeControl { periods, movetime, nodes, depth }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(control in control()) {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }

        #[test]
        fn nothing_panics(text in "[-0-9+/:., a-z]{0,24}") {
            if let Ok(control) = text.parse::<TimeControl>() {
                prop_assert_eq!(control.to_string().parse(), Ok(control));
            }
        }
    }
}
