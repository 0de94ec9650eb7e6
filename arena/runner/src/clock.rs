//! The clock of one bot in one game: what it may spend, what it has spent.
//!
//! It measures nothing: the match loop says how long a decision took.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::{Period, Settings, TimeControl};

/// The clock of one bot in one game.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    control: TimeControl,
    margin: Duration,
    think_limit: Duration,
    is_lenient: bool,
    /// The period that is running.
    period: usize,
    /// The turns left in it.
    turns_left: Option<u32>,
    /// What the clock shows.
    remaining: Option<Duration>,
    /// What is left of the time for this turn.
    turn_time: Option<Duration>,
    overruns: u32,
}

/// What a decision did to a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charge {
    /// It was paid for.
    Paid,
    /// It took longer than it might, by so much: more than the margin.
    Flagged(Duration),
}

impl Clock {
    /// Returns the clock at the start of a game.
    pub(crate) fn new(control: &TimeControl, settings: &Settings) -> Self {
        let first = control.periods().first();
        Self {
            margin: settings.margin,
            think_limit: settings.think_limit,
            is_lenient: settings.no_timeout,
            period: 0,
            turns_left: first.and_then(|period| period.turns).map(NonZeroU32::get),
            remaining: first.map(|period| period.base),
            turn_time: control.movetime(),
            overruns: 0,
            control: control.clone(),
        }
    }

    /// Returns the limits that the clock follows.
    pub(crate) const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Returns what the clock shows, where there is one.
    pub(crate) const fn remaining(&self) -> Option<Duration> {
        self.remaining
    }

    /// Returns what is added after every own turn.
    pub(crate) fn increment(&self) -> Duration {
        self.running().map_or(Duration::ZERO, |period| period.increment)
    }

    /// Returns the turns left in the period that is running, this one included.
    pub(crate) const fn turns_left(&self) -> Option<u32> {
        self.turns_left
    }

    /// Returns what is left of the time for this turn, where turns have one.
    pub(crate) const fn turn_time(&self) -> Option<Duration> {
        self.turn_time
    }

    /// Returns how often the bot was late within the margin.
    pub(crate) const fn overruns(&self) -> u32 {
        self.overruns
    }

    /// Returns how far the bot may be late without loss.
    pub(crate) const fn margin(&self) -> Duration {
        self.margin
    }

    /// Begins a turn, or a decision in a turn of the other seat: the time for a turn is whole again.
    pub(crate) const fn begin(&mut self) {
        self.turn_time = self.control.movetime();
    }

    /// Returns what the next decision may take.
    pub(crate) fn limit(&self) -> Duration {
        // Where the time is limited, the limits are the backstop; elsewhere the limit on thinking is.
        [self.remaining, self.turn_time].into_iter().flatten().min().unwrap_or(self.think_limit)
    }

    /// Returns the words for the limit that binds the next decision.
    pub(crate) fn limit_words(&self) -> &'static str {
        match (self.remaining, self.turn_time) {
            (Some(remaining), Some(turn)) if turn < remaining => "the time for its turn",
            (Some(_), _) => "its clock",
            (None, Some(_)) => "the time for its turn",
            (None, None) => "the limit on thinking",
        }
    }

    /// Returns what the next decision may take, margin included, before the game is lost; `None` when it
    /// cannot be lost on time.
    pub(crate) fn patience(&self) -> Option<Duration> {
        (!self.is_lenient).then(|| self.limit() + self.margin)
    }

    /// Charges a decision. Up to the margin of overrun is forgiven and the clock then reads zero: the noise of
    /// the scheduler is not the bot's fault.
    pub(crate) fn charge(&mut self, spent: Duration) -> Charge {
        let overrun = spent.saturating_sub(self.limit());
        for time in [&mut self.remaining, &mut self.turn_time].into_iter().flatten() {
            *time = time.saturating_sub(spent);
        }
        if overrun > self.margin && !self.is_lenient {
            return Charge::Flagged(overrun);
        }
        self.overruns += u32::from(!overrun.is_zero());
        Charge::Paid
    }

    /// Ends an own turn in which the bot was asked: the increment is due, and one turn of the period is over.
    pub(crate) fn end_turn(&mut self) {
        let increment = self.increment();
        let Some(remaining) = &mut self.remaining else { return };
        *remaining += increment;
        if let Some(turns) = &mut self.turns_left {
            *turns -= 1;
            if *turns == 0 {
                let periods = self.control.periods();
                self.period = (self.period + 1).min(periods.len() - 1);
                *remaining += periods[self.period].base;
                self.turns_left = periods[self.period].turns.map(NonZeroU32::get);
            }
        }
    }

    fn running(&self) -> Option<&Period> {
        self.control.periods().get(self.period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(control: &str) -> Clock {
        Clock::new(&control.parse().unwrap(), &Settings::new(1))
    }

    /// Plays turns that take so many milliseconds and says what the clock shows after each.
    fn check(control: &str, turns: &[u64], shown: &[u64]) {
        let mut clock = clock(control);
        let after = turns.iter().map(|spent| {
            clock.begin();
            assert_eq!(clock.charge(ms(*spent)), Charge::Paid);
            clock.end_turn();
            clock.remaining().unwrap().as_millis() as u64
        });
        assert_eq!(after.collect::<Vec<_>>(), shown);
    }

    #[test]
    fn the_increment_comes_after_every_turn() {
        check("1+0.1", &[300, 0, 50], &[800, 900, 950]);
    }

    #[test]
    fn a_period_adds_its_time_when_it_begins() {
        check("2/10:1+0.5", &[1000, 1000, 0], &[9000, 9000, 9500]);
        check("2/1", &[100, 100, 100, 100], &[900, 1800, 1700, 2600]);
        check("1/1+0.1:1/2:3", &[0, 0, 0], &[3100, 6100, 6100]);
    }

    #[test]
    fn an_overrun_within_the_margin_empties_the_clock_and_is_counted() {
        check("1+0.1", &[1050, 90], &[100, 110]);
        let mut clock = clock("1");
        assert_eq!(clock.charge(ms(1000)), Charge::Paid);
        assert_eq!(clock.overruns(), 0);
        assert_eq!(clock.charge(ms(50)), Charge::Paid);
        assert_eq!(clock.overruns(), 1);
    }

    #[test]
    fn a_longer_overrun_is_the_end() {
        assert_eq!(clock("1+10").charge(ms(1051)), Charge::Flagged(ms(51)));
        assert_eq!(clock("movetime 100ms").charge(ms(151)), Charge::Flagged(ms(51)));
        assert_eq!(clock("10, movetime 100ms").charge(ms(151)), Charge::Flagged(ms(51)));
        assert_eq!(clock("nodes 5").charge(ms(60_051)), Charge::Flagged(ms(51)));
    }

    #[test]
    fn the_time_for_a_turn_is_shared_by_its_plies() {
        let mut clock = clock("movetime 100ms");
        assert_eq!(clock.charge(ms(70)), Charge::Paid);
        assert_eq!(clock.turn_time(), Some(ms(30)));
        assert_eq!(clock.patience(), Some(ms(80)));
        clock.end_turn();
        clock.begin();
        assert_eq!(clock.turn_time(), Some(ms(100)));
    }

    #[test]
    fn the_limit_on_thinking_holds_where_no_clock_does() {
        assert_eq!(clock("depth 3").limit(), ms(60_000));
        assert_eq!(clock("600, depth 3").limit(), ms(600_000));
    }

    #[test]
    fn nobody_loses_on_time_in_a_debugger() {
        let settings = Settings { no_timeout: true, ..Settings::new(1) };
        let mut clock = Clock::new(&"1+1".parse().unwrap(), &settings);
        assert_eq!((clock.patience(), clock.charge(ms(5000))), (None, Charge::Paid));
        clock.end_turn();
        assert_eq!(clock.remaining(), Some(ms(1000)));
    }
}
