//! The clock of a seat, recomputed from a record.
//!
//! Records round times, so what the clock holds is known between two bounds only; every time that it is shown
//! brings them together again. This is arithmetic of its own and not the runner's: a check that shares the code
//! that it checks would find nothing.

use std::num::NonZeroU32;
use std::time::Duration;

use settings::{Delay, TimeControl};

use crate::recorded_game::Spent;

/// What is shown is cut to whole milliseconds: there may be up to this much more.
const CUT: Duration = Duration::from_nanos(999_999);

/// The clock of a seat.
#[derive(Debug)]
pub(crate) struct ClockBounds {
    control: Option<TimeControl>,
    period: usize,
    turns_left: Option<u32>,
    /// What the clock holds, at the least and at the most, where there is one.
    held: Option<[HeldTime; 2]>,
    /// Whether this turn is one of the seat's own.
    is_own: bool,
    /// The most that is left of the time for this turn, where turns have one.
    turn: Option<Duration>,
    /// How many overruns the bank still forgives.
    bank: u32,
}

/// What a clock holds if everything took just this long.
#[derive(Clone, Copy, Debug, Default)]
struct HeldTime {
    /// The time before byoyomi.
    main: Duration,
    /// The periods of byoyomi.
    periods: u32,
    /// What this turn has taken of them.
    debt: Duration,
    /// What this turn has taken in all.
    turn: Duration,
}

impl HeldTime {
    /// Returns what the clock shows with periods of this length.
    fn shown(&self, period: Duration) -> Duration {
        (self.main + period * self.periods).saturating_sub(self.debt)
    }

    /// Takes off what a decision took, after what is left of a simple delay.
    fn spend(&mut self, spent: Duration, delay: Duration) {
        let due = spent.saturating_sub(delay.saturating_sub(self.turn));
        self.turn += spent;
        self.debt += due.saturating_sub(self.main);
        self.main = self.main.saturating_sub(due);
    }

    /// Ends the account of a turn.
    fn settle(&mut self, period: Duration) {
        if !period.is_zero() {
            // A turn that ends with a period just used up has stayed in it, and the last one is never lost
            // without the game.
            while self.debt > period && self.periods > 1 {
                (self.debt, self.periods) = (self.debt - period, self.periods - 1);
            }
        }
        (self.debt, self.turn) = (Duration::ZERO, Duration::ZERO);
    }
}

impl ClockBounds {
    /// Returns the clock at the start of a game; `None` stands for no limit at all.
    pub(crate) fn new(control: Option<TimeControl>) -> Self {
        let first = control.as_ref().and_then(|control| control.periods().first().copied());
        let byoyomi = control.as_ref().and_then(TimeControl::byoyomi);
        let held = HeldTime {
            main: first.map_or(Duration::ZERO, |period| period.base),
            periods: byoyomi.map_or(0, |byoyomi| byoyomi.periods.get()),
            ..HeldTime::default()
        };
        Self {
            period: 0,
            turns_left: first.and_then(|period| period.turns).map(NonZeroU32::get),
            held: control.as_ref().is_some_and(TimeControl::has_clock).then_some([held; 2]),
            is_own: true,
            turn: None,
            bank: control.as_ref().and_then(TimeControl::bank).map_or(0, |bank| bank.overruns.get()),
            control,
        }
    }

    /// Returns whether there is a clock to be shown.
    pub(crate) const fn is_shown(&self) -> bool {
        self.held.is_some()
    }

    /// Begins a turn, or a decision in the other seat's turn.
    pub(crate) fn begin(&mut self, is_own: bool) {
        let period = self.byoyomi();
        self.held.iter_mut().flatten().for_each(|held| held.settle(period));
        self.is_own = is_own;
        self.turn = self.control.as_ref().and_then(TimeControl::movetime);
    }

    /// Returns the most that the next decision may take; `None` where no time is limited.
    pub(crate) fn limit(&self) -> Option<Duration> {
        let clock = self
            .held
            .map(|[_, most]| most.shown(self.byoyomi()) + self.free_delay().saturating_sub(most.turn));
        [clock, self.turn].into_iter().flatten().min()
    }

    /// Returns whether the bank forgives that a decision was late by this much, and takes note of it.
    pub(crate) fn forgives(&mut self, overrun: Duration) -> bool {
        let most = self.control.as_ref().and_then(TimeControl::bank).map(|bank| bank.most);
        let is_forgiven = self.bank > 0 && most.is_some_and(|most| overrun <= most);
        self.bank -= u32::from(is_forgiven);
        is_forgiven
    }

    /// Takes off what a decision took; an overrun leaves nothing. Returns what it took of the clock, at the least
    /// and at the most.
    pub(crate) fn charge(&mut self, spent: Spent) -> [Duration; 2] {
        let (delay, period) = (self.free_delay(), self.byoyomi());
        if let Some(turn) = &mut self.turn {
            *turn = turn.saturating_sub(spent.least);
        }
        let Some([least, most]) = &mut self.held else { return [Duration::ZERO; 2] };
        let before = [least.shown(period), most.shown(period)];
        least.spend(spent.most, delay);
        most.spend(spent.least, delay);
        let taken = [before[0] - least.shown(period), before[1] - most.shown(period)];
        [taken[0].min(taken[1]), taken[0].max(taken[1])]
    }

    /// Adds what the other side has lost, at the least and at the most, where this is an hourglass.
    pub(crate) fn gain(&mut self, lost: [Duration; 2]) {
        if self.is_hourglass() {
            self.held.iter_mut().flatten().zip(lost).for_each(|(held, lost)| held.main += lost);
        }
    }

    /// Returns whether what this clock loses the other one gains.
    pub(crate) fn is_hourglass(&self) -> bool {
        self.control.as_ref().is_some_and(TimeControl::is_hourglass)
    }

    /// Ends an own turn in which a decision was made: the increment, and at the end of a period the next one.
    pub(crate) fn end_turn(&mut self) {
        let (byoyomi, bronstein) = (self.byoyomi(), self.bronstein());
        let periods = self.control.as_ref().map(TimeControl::periods).unwrap_or_default();
        let mut more = periods.get(self.period).map_or(Duration::ZERO, |running| running.increment);
        if let Some(turns) = &mut self.turns_left {
            *turns -= 1;
            if *turns == 0 {
                self.period = (self.period + 1).min(periods.len() - 1);
                more += periods[self.period].base;
                self.turns_left = periods[self.period].turns.map(NonZeroU32::get);
            }
        }
        for held in self.held.iter_mut().flatten() {
            held.main += more + bronstein.min(held.turn);
            held.settle(byoyomi);
        }
    }

    /// Takes what the clock shows.
    ///
    /// # Errors
    /// Says what it must show.
    pub(crate) fn show(&mut self, shown: Duration) -> Result<(), String> {
        let period = self.byoyomi();
        let Some([least, most]) = &mut self.held else {
            return Err("there is no clock".to_owned());
        };
        let bounds = [least.shown(period), most.shown(period)];
        let millis = bounds.map(|time| time.as_millis());
        if !(millis[0]..=millis[1]).contains(&shown.as_millis()) {
            return Err(match millis {
                [least, most] if least == most => format!("the clock shows {least} ms"),
                [least, most] => format!("the clock shows {least} to {most} ms"),
            });
        }
        // What a turn has begun of byoyomi stays between its bounds until the turn is over.
        if least.debt.is_zero() && most.debt.is_zero() {
            // Of two clocks that show the same, the one with more of it in periods lasts longer.
            least.main += shown.saturating_sub(bounds[0]);
            if bounds[1] > shown + CUT {
                if let Some(whole) = (shown + CUT).as_nanos().checked_div(period.as_nanos()) {
                    most.periods = most.periods.min(u32::try_from(whole).unwrap_or(u32::MAX));
                }
                most.main = shown + CUT - period * most.periods;
            }
        }
        Ok(())
    }

    /// Returns the simple delay of this turn.
    fn free_delay(&self) -> Duration {
        match self.control.as_ref().and_then(TimeControl::delay) {
            Some(Delay::Simple(delay)) if self.is_own => delay,
            _ => Duration::ZERO,
        }
    }

    /// Returns the most that is given back after a turn.
    fn bronstein(&self) -> Duration {
        match self.control.as_ref().and_then(TimeControl::delay) {
            Some(Delay::Bronstein(delay)) => delay,
            _ => Duration::ZERO,
        }
    }

    /// Returns the length of a period of byoyomi; zero where there is none.
    fn byoyomi(&self) -> Duration {
        let byoyomi = self.control.as_ref().and_then(TimeControl::byoyomi);
        byoyomi.map_or(Duration::ZERO, |byoyomi| byoyomi.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(control: &str) -> ClockBounds {
        ClockBounds::new(Some(control.parse().expect("a time control")))
    }

    const fn spent(micros: u64) -> Spent {
        Spent { least: Duration::from_micros(micros), most: Duration::from_nanos(micros * 1000 + 999) }
    }

    /// Plays turns of this many microseconds and shows the clock after each.
    fn check(control: &str, turns: &[(u64, u64)]) {
        let mut clock = clock(control);
        for (micros, shown) in turns {
            clock.begin(true);
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
    fn delays_and_byoyomi_are_kept() {
        check("1, delay 200ms", &[(150_000, 1000), (200_000, 999), (300_000, 899), (1_000_000, 99)]);
        check("1, bronstein 200ms", &[(150_000, 1000), (300_000, 899), (900_000, 200)]);
        let turns = [(400_000, 6_599), (2_599_000, 6_000), (2_001_000, 4_000), (1_500_000, 4_000)];
        check("1, byoyomi 3x2s", &turns);
        check("byoyomi 2x2s", &[(1_999_999, 4_000), (2_000_000, 4_000), (1, 4_000)]);
    }

    #[test]
    fn what_an_hourglass_loses_the_other_one_gains() {
        let mut clocks = [clock("hourglass 10s"), clock("hourglass 10s")];
        let lost = clocks[0].charge(spent(2_500_000));
        clocks[1].gain(lost);
        assert_eq!((clocks[0].show(ms(7_499)), clocks[1].show(ms(12_500))), (Ok(()), Ok(())));
        assert_eq!(clocks[1].show(ms(12_501)), Err("the clock shows 12500 ms".to_owned()));
    }

    #[test]
    fn a_bank_forgives_so_often() {
        let mut clock = clock("1, bank 2x500ms");
        let overruns = [501, 500, 1, 1].map(|millis| clock.forgives(ms(millis)));
        assert_eq!(overruns, [false, true, true, false]);
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
        clock.begin(true);
        assert_eq!(clock.limit(), Some(ms(100)));
        clock.charge(spent(70_000));
        assert_eq!(clock.limit(), Some(ms(30)));
        assert_eq!(ClockBounds::new(None).limit(), None);
        assert!(ClockBounds::new(None).show(ms(1)).is_err());
    }
}
