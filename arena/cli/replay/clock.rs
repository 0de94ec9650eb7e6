//! The clock of a seat, kept once more from what a record tells.
//!
//! Records round times, so what the clock holds is known between two bounds only; every time that it is shown
//! brings them together again. This is arithmetic of its own and not the runner's: a check that shares the code
//! that it checks would find nothing.

use std::num::NonZeroU32;
use std::time::Duration;

use runner::TimeControl;

use crate::replay::recorded::Spent;

/// What is shown is cut to whole milliseconds: it may be so much less than what there is.
const CUT: Duration = Duration::from_nanos(999_999);

/// The clock of a seat.
#[derive(Debug)]
pub(super) struct Clock {
    control: Option<TimeControl>,
    period: usize,
    turns_left: Option<u32>,
    /// What is left, at the least and at the most, where there is a clock.
    left: Option<[Duration; 2]>,
    /// The most that is left of the time for this turn, where turns have one.
    turn: Option<Duration>,
}

impl Clock {
    /// Returns the clock at the start of a game; `None` stands for no limit at all.
    pub(super) fn new(control: Option<TimeControl>) -> Self {
        let first = control.as_ref().and_then(|control| control.periods().first().copied());
        Self {
            period: 0,
            turns_left: first.and_then(|period| period.turns).map(NonZeroU32::get),
            left: first.map(|period| [period.base; 2]),
            turn: None,
            control,
        }
    }

    /// Returns whether there is a clock to be shown.
    pub(super) const fn is_shown(&self) -> bool {
        self.left.is_some()
    }

    /// Begins a turn, or a decision in the other seat's turn.
    pub(super) fn begin(&mut self) {
        self.turn = self.control.as_ref().and_then(TimeControl::movetime);
    }

    /// Returns the most that the next decision may take; `None` where no time is limited.
    pub(super) fn limit(&self) -> Option<Duration> {
        [self.left.map(|[_, most]| most), self.turn].into_iter().flatten().min()
    }

    /// Takes off what a decision took; an overrun leaves nothing.
    pub(super) fn charge(&mut self, spent: Spent) {
        if let Some([least, most]) = &mut self.left {
            *least = least.saturating_sub(spent.most);
            *most = most.saturating_sub(spent.least);
        }
        if let Some(turn) = &mut self.turn {
            *turn = turn.saturating_sub(spent.least);
        }
    }

    /// Ends an own turn in which a decision was made: the increment, and at the end of a period the next one.
    pub(super) fn end_turn(&mut self) {
        let periods = self.control.as_ref().map(TimeControl::periods).unwrap_or_default();
        let (Some(left), Some(running)) = (&mut self.left, periods.get(self.period)) else { return };
        let mut more = running.increment;
        if let Some(turns) = &mut self.turns_left {
            *turns -= 1;
            if *turns == 0 {
                self.period = (self.period + 1).min(periods.len() - 1);
                more += periods[self.period].base;
                self.turns_left = periods[self.period].turns.map(NonZeroU32::get);
            }
        }
        *left = left.map(|time| time + more);
    }

    /// Takes what the clock shows.
    ///
    /// # Errors
    /// Says what it must show.
    pub(super) fn show(&mut self, shown: Duration) -> Result<(), String> {
        let Some([least, most]) = &mut self.left else {
            return Err("there is no clock".to_owned());
        };
        let bounds = [*least, *most].map(|time| time.as_millis());
        if !(bounds[0]..=bounds[1]).contains(&shown.as_millis()) {
            return Err(match bounds {
                [least, most] if least == most => format!("the clock shows {least} ms"),
                [least, most] => format!("the clock shows {least} to {most} ms"),
            });
        }
        *least = (*least).max(shown);
        *most = (*most).min(shown + CUT);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(control: &str) -> Clock {
        Clock::new(Some(control.parse().expect("a time control")))
    }

    const fn spent(micros: u64) -> Spent {
        Spent { least: Duration::from_micros(micros), most: Duration::from_nanos(micros * 1000 + 999) }
    }

    /// Plays turns of so many microseconds and shows the clock after each.
    fn check(control: &str, turns: &[(u64, u64)]) {
        let mut clock = clock(control);
        for (micros, shown) in turns {
            clock.begin();
            clock.charge(spent(*micros));
            clock.end_turn();
            assert_eq!(clock.show(ms(*shown)), Ok(()), "{control}");
        }
    }

    #[test]
    fn increments_and_periods_are_added_at_the_end_of_a_turn() {
        check("1+0.1", &[(300_000, 799), (0, 899), (50_000, 949)]);
        check("2/10:1+0.5", &[(1_000_000, 8_999), (1_000_000, 8_999), (0, 9_499)]);
        check("2/1", &[(100_000, 899), (100_000, 1_799), (100_000, 1_699), (100_000, 2_599)]);
        check("1+0.1", &[(1_050_000, 100), (90_000, 109)]);
    }

    #[test]
    fn what_was_rounded_may_be_either() {
        for shown in [599, 600] {
            check("1", &[(400_000, shown)]);
        }
        let mut clock = clock("1");
        clock.charge(spent(400_500));
        assert_eq!(clock.show(ms(600)), Err("the clock shows 599 ms".to_owned()));
        assert_eq!(clock.show(ms(599)), Ok(()));
    }

    #[test]
    fn the_time_for_a_turn_is_a_limit_too() {
        let mut clock = clock("10, movetime 100ms");
        clock.begin();
        assert_eq!(clock.limit(), Some(ms(100)));
        clock.charge(spent(70_000));
        assert_eq!(clock.limit(), Some(ms(30)));
        assert_eq!(Clock::new(None).limit(), None);
        assert!(Clock::new(None).show(ms(1)).is_err());
    }
}
