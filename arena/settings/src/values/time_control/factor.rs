//! How much longer times are on one machine than on another.

use std::fmt;
use std::time::Duration;

use super::{Bank, Byoyomi, Delay, MOST_SECONDS, Period, TimeControl};

/// How many parts a whole has: factors are hundredths.
const WHOLE: u16 = 100;

/// By how much every time of a time control is longer on a machine than it is written: from a third to three times, in
/// hundredths.
///
/// ```
/// let slow = settings::TimeFactor::new(1.5).expect("it is in the range");
/// let tc: settings::TimeControl = "60+0.6, nodes 5000".parse()?;
/// assert_eq!(tc.scaled(slow).to_string(), "90+0.9, nodes 5000");
/// assert_eq!(settings::TimeFactor::new(3.2), None);
/// # Ok::<(), settings::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeFactor(u16);

impl TimeFactor {
    /// Times as they are written.
    pub const ONE: Self = Self(WHOLE);

    /// Returns a factor, rounded to hundredths; `None` for one below a third or above three.
    #[must_use]
    pub fn new(factor: f64) -> Option<Self> {
        let hundredths = (factor * f64::from(WHOLE)).round();
        (33.0..=300.0).contains(&hundredths).then_some(Self(hundredths as u16))
    }

    /// Returns the factor as a number.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.0) / f64::from(WHOLE)
    }

    /// Returns a time that is as much longer, in whole milliseconds and never none; none stays none.
    fn of(self, time: Duration) -> Duration {
        let millis = (time.as_millis() * u128::from(self.0) + u128::from(WHOLE / 2)) / u128::from(WHOLE);
        match time.is_zero() {
            true => time,
            false => Duration::from_millis(millis.clamp(1, u128::from(MOST_SECONDS) * 1000) as u64),
        }
    }
}

impl fmt::Display for TimeFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / WHOLE, self.0 % WHOLE)
    }
}

impl TimeControl {
    /// Returns the same limits with every time as much longer. Nodes, depth and counts stay.
    #[must_use]
    pub fn scaled(&self, factor: TimeFactor) -> Self {
        let period = |period: &Period| Period {
            turns: period.turns,
            base: factor.of(period.base),
            increment: factor.of(period.increment),
        };
        Self {
            periods: self.periods.iter().map(period).collect(),
            delay: self.delay.map(|delay| match delay {
                Delay::Simple(time) => Delay::Simple(factor.of(time)),
                Delay::Bronstein(time) => Delay::Bronstein(factor.of(time)),
            }),
            byoyomi: self.byoyomi.map(|it| Byoyomi { time: factor.of(it.time), ..it }),
            bank: self.bank.map(|bank| Bank { most: factor.of(bank.most), ..bank }),
            movetime: self.movetime.map(|time| factor.of(time)),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_scaled_and_nothing_else() {
        for (control, factor, scaled) in [
            ("60+0.6", 1.0, "60+0.6"),
            ("40/60:30+1", 2.0, "40/120:60+2"),
            ("60, delay 2s", 0.5, "30, delay 1s"),
            ("60, bronstein 2s", 3.0, "180, bronstein 6s"),
            ("600, byoyomi 5x30s", 1.1, "660, byoyomi 5x33s"),
            ("hourglass 60s", 0.33, "hourglass 19800ms"),
            ("60, bank 3x500ms", 1.5, "90, bank 3x750ms"),
            ("10, movetime 100ms, nodes 7, depth 3, cpu", 2.5, "25, movetime 250ms, nodes 7, depth 3, cpu"),
            ("movetime 1ms", 0.34, "movetime 1ms"),
            ("9999999", 3.0, "9999999"),
        ] {
            let control: TimeControl = control.parse().unwrap();
            let result = control.scaled(TimeFactor::new(factor).unwrap());
            assert_eq!(result.to_string(), scaled, "{control} times {factor}");
            assert_eq!(result.to_string().parse(), Ok(result));
        }
    }

    #[test]
    fn factors_go_from_a_third_to_three() {
        for (factor, shown) in [(1.0 / 3.0, "0.33"), (1.004, "1.00"), (3.0, "3.00"), (0.995, "1.00")] {
            assert_eq!(TimeFactor::new(factor).unwrap().to_string(), shown);
        }
        for factor in [0.32, 3.01, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(TimeFactor::new(factor), None, "{factor}");
        }
        let all = (33..=300).map(|hundredths| TimeFactor::new(f64::from(hundredths) / 100.0).unwrap());
        assert!(all.clone().all(|factor| TimeFactor::new(factor.get()) == Some(factor)));
        assert_eq!(all.count(), 268);
    }
}
