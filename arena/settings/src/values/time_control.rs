//! What a bot may spend: clocks, time per turn, nodes, depth. One string each.
//!
//! `60+0.6` is 60 seconds and 0.6 seconds a turn, `40/60:30+1` is 40 turns in 60 seconds and then 30 seconds
//! with 1 second a turn, and `movetime 100ms`, `nodes 10000` and `depth 6` limit every turn or decision. A clock
//! may have a delay (`60, delay 2s` or `60, bronstein 2s`) or byoyomi (`600, byoyomi 5x30s`), or be an hourglass
//! (`hourglass 60s`), and a bank forgives overruns (`60, bank 3x500ms`). `60, cpu` counts processor time. Limits combine with commas. Seconds are
//! read exactly to the millisecond, never by way of binary fractions.

mod factor;
mod intended;
mod read;

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use thiserror::Error;

pub use self::factor::TimeFactor;
use crate::format_duration;

/// The most seconds that a clock may have.
const MOST_SECONDS: u64 = 9_999_999;

/// What a bot may spend. At least one limit is set.
///
/// ```
/// let tc: settings::TimeControl = "60+0.600, nodes 5000".parse()?;
/// assert_eq!(tc.to_string(), "60+0.6, nodes 5000");
/// assert_eq!(tc.pgn(), "60+0.6");
/// # Ok::<(), settings::TimeControlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    periods: Vec<Period>,
    is_hourglass: bool,
    delay: Option<Delay>,
    byoyomi: Option<Byoyomi>,
    bank: Option<Bank>,
    movetime: Option<Duration>,
    nodes: Option<NonZeroU64>,
    depth: Option<NonZeroU32>,
    is_cpu: bool,
}

/// A period of a clock: a time for a number of turns.
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

/// What a clock lets a turn take for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delay {
    /// The clock stands still for this time at the start of every own turn.
    Simple(Duration),
    /// What a turn took is given back after it, up to this time. The clock itself must suffice until then.
    Bronstein(Duration),
}

/// What follows the time of a clock: a number of periods, each of which a turn that stays within it leaves whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Byoyomi {
    /// How many periods there are.
    pub periods: NonZeroU32,
    /// How long each is.
    pub time: Duration,
}

/// What forgives overruns beyond the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bank {
    /// How many overruns are forgiven in a game.
    pub overruns: NonZeroU32,
    /// How long each may be at the most, margin aside.
    pub most: Duration,
}

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{part}` {fault}; a time control is for example `60+0.6`, `40/60:30+1`, `movetime 100ms`, `nodes 10000`, `depth 6`, `60, delay 2s`, `60, bronstein 2s`, `600, byoyomi 5x30s`, `hourglass 60s`, `60, bank 3x500ms`, `60, cpu` or several of these with commas"
)]
pub struct TimeControlError {
    /// The part of the text that is wrong.
    pub part: String,
    /// What is wrong with it, as a fragment that follows the part.
    pub fault: String,
}

/// The part of a time control that is a clock, as a regular expression that matches all that is read, and some more.
macro_rules! clock {
    () => {
        r"([0-9]+/)?[0-9]+(\.[0-9]+)?(\+[0-9]+(\.[0-9]+)?)?(:([0-9]+/)?[0-9]+(\.[0-9]+)?(\+[0-9]+(\.[0-9]+)?)?)*"
    };
}

/// Any other part, likewise.
macro_rules! limit {
    () => {
        r"((movetime|delay|bronstein|hourglass)\s[^,]*[0-9][^,]*|(byoyomi|bank)\s+[0-9]+x[^,]*[0-9][^,]*|(nodes|depth)\s+[0-9]+|cpu)"
    };
}

impl TimeControl {
    /// A regular expression of all texts that are read, and of some more.
    pub(crate) const PATTERN: &str = concat!(
        // One clock at the most: `10+0,1` is none with a decimal comma.
        r"\s*(",
        limit!(),
        r"\s*,\s*)*(",
        clock!(),
        "|",
        limit!(),
        r")(\s*,\s*",
        limit!(),
        r")*\s*"
    );

    /// Returns what limits nothing, to which limits are added.
    const fn unlimited() -> Self {
        Self {
            periods: Vec::new(),
            is_hourglass: false,
            delay: None,
            byoyomi: None,
            bank: None,
            movetime: None,
            nodes: None,
            depth: None,
            is_cpu: false,
        }
    }

    /// Returns the time control that was meant by a text that is none, and what is wrong with the text; `None` where that
    /// cannot be guessed.
    #[must_use]
    pub fn intended(text: &str) -> Option<(Self, &'static str)> {
        intended::by(text)
    }

    /// Returns the periods of the clock; none when there is no clock, or nothing but byoyomi.
    #[must_use]
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// Returns whether there is a clock.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        !self.periods.is_empty() || self.byoyomi.is_some()
    }

    /// Returns whether anything in it limits time, be it a clock or [`TimeControl::movetime`]: without, the same bot plays
    /// the same on a fast and on a slow machine.
    #[must_use]
    pub fn limits_time(&self) -> bool {
        self.has_clock() || self.movetime.is_some()
    }

    /// Returns whether what one side spends is given to the other one.
    #[must_use]
    pub const fn is_hourglass(&self) -> bool {
        self.is_hourglass
    }

    /// Returns what a turn may take for nothing.
    #[must_use]
    pub const fn delay(&self) -> Option<Delay> {
        self.delay
    }

    /// Returns what follows the time of the clock.
    #[must_use]
    pub const fn byoyomi(&self) -> Option<Byoyomi> {
        self.byoyomi
    }

    /// Returns which overruns are forgiven.
    #[must_use]
    pub const fn bank(&self) -> Option<Bank> {
        self.bank
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

    /// Returns whether clock and `movetime` count the processor time of the bot, not real time.
    #[must_use]
    pub const fn is_cpu(&self) -> bool {
        self.is_cpu
    }

    /// Returns the clock in the syntax of PGN's `TimeControl` tag, `*` when there is none. Delays, byoyomi and
    /// banks have no word there: byoyomi without time before it is `0`.
    #[must_use]
    pub fn pgn(&self) -> String {
        let clock = self.clock();
        match (self.is_hourglass, clock.is_empty()) {
            (true, _) => format!("*{clock}"),
            (false, true) => if self.has_clock() { "0" } else { "*" }.to_owned(),
            (false, false) => clock,
        }
    }

    fn clock(&self) -> String {
        self.periods.iter().map(Period::to_string).collect::<Vec<_>>().join(":")
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        match self.periods.first() {
            Some(only) if self.is_hourglass => {
                parts.push(format!("hourglass {}", format_duration(only.base)));
            }
            Some(_) => parts.push(self.clock()),
            None => {}
        }
        parts.extend(self.delay.map(|delay| match delay {
            Delay::Simple(time) => format!("delay {}", format_duration(time)),
            Delay::Bronstein(time) => format!("bronstein {}", format_duration(time)),
        }));
        parts.extend(self.byoyomi.map(|it| format!("byoyomi {}x{}", it.periods, format_duration(it.time))));
        parts.extend(self.bank.map(|bank| format!("bank {}x{}", bank.overruns, format_duration(bank.most))));
        parts.extend(self.movetime.map(|time| format!("movetime {}", format_duration(time))));
        parts.extend(self.nodes.map(|nodes| format!("nodes {nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        parts.extend(self.is_cpu.then(|| "cpu".to_owned()));
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
        check("60,delay 2000ms", "60, delay 2s", "60");
        check("bronstein 1500ms, 40/60", "40/60, bronstein 1500ms", "40/60");
        check("600, byoyomi 5x30s", "600, byoyomi 5x30s", "600");
        check("byoyomi 1x10s", "byoyomi 1x10s", "0");
        check("hourglass 1m", "hourglass 60s", "*60");
        check("60+1, bank 3x500ms", "60+1, bank 3x500ms", "60+1");
        check("bank 1x1s, movetime 1s", "bank 1x1s, movetime 1s", "*");
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
        check_error("delay 2s", "delay 2s", "needs a clock");
        check_error("60+1, bronstein 2s", "bronstein 2s", "increment");
        check_error("60, delay 2s, bronstein 2s", "bronstein 2s", "already");
        check_error("hourglass 60s, delay 2s", "delay 2s", "needs a clock");
        check_error("60, hourglass 60s", "hourglass 60s", "already");
        check_error("40/60:30, byoyomi 5x30s", "byoyomi 5x30s", "whole game");
        check_error("hourglass 60s, byoyomi 5x30s", "byoyomi 5x30s", "whole game");
        check_error("600, byoyomi 30s", "byoyomi 30s", "3x500ms");
        check_error("600, byoyomi 0x30s", "byoyomi 0x30s", "3x500ms");
        check_error("nodes 5, bank 3x500ms", "bank 3x500ms", "neither");
        check_error("60, 30", "30", "already");
        check_error("nodes 5, cpu", "cpu", "neither");
        check_error("60, cpu, cpu", "cpu", "already");
        check_error("nodes 1, nodes 1", "nodes 1", "already");
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
        let time = || (1_u64..10_000_000).prop_map(Duration::from_millis);
        let movetime = proptest::option::of(time());
        let bank = proptest::option::of(
            (any::<NonZeroU32>(), time()).prop_map(|(overruns, most)| Bank { overruns, most }),
        );
        let (nodes, depth) = (any::<Option<NonZeroU64>>(), any::<Option<NonZeroU32>>());
        (periods, special(), bank, movetime, nodes, depth, any::<bool>()).prop_map(
            |((mut periods, last), special, bank, movetime, nodes, depth, is_cpu)| {
                periods.push(last);
                let plain = TimeControl {
                    periods,
                    is_hourglass: false,
                    delay: None,
                    byoyomi: None,
                    bank,
                    movetime,
                    nodes,
                    depth,
                    is_cpu,
                };
                let only = |base: u64| Period {
                    turns: None,
                    base: Duration::from_millis(base),
                    increment: Duration::ZERO,
                };
                match special {
                    Special::None => plain,
                    Special::Delay(delay) => {
                        let mut control = TimeControl { delay: Some(delay), ..plain };
                        control.periods.iter_mut().for_each(|period| period.increment = Duration::ZERO);
                        control
                    }
                    Special::Byoyomi(byoyomi, base) => {
                        let periods = if base == 0 { Vec::new() } else { vec![only(base)] };
                        TimeControl { periods, byoyomi: Some(byoyomi), ..plain }
                    }
                    Special::Hourglass(base) => {
                        TimeControl { periods: vec![only(base)], is_hourglass: true, ..plain }
                    }
                }
            },
        )
    }

    /// What a clock may have that excludes other things.
    #[derive(Clone, Debug)]
    enum Special {
        None,
        Delay(Delay),
        Byoyomi(Byoyomi, u64),
        Hourglass(u64),
    }

    fn special() -> impl Strategy<Value = Special> {
        let time = || (1_u64..10_000_000).prop_map(Duration::from_millis);
        prop_oneof![
            Just(Special::None),
            time().prop_map(Delay::Simple).prop_map(Special::Delay),
            time().prop_map(Delay::Bronstein).prop_map(Special::Delay),
            (any::<NonZeroU32>(), time(), 0_u64..10_000_000)
                .prop_map(|(periods, time, base)| Special::Byoyomi(Byoyomi { periods, time }, base)),
            (1_u64..10_000_000).prop_map(Special::Hourglass),
        ]
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
