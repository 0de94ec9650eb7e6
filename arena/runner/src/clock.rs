//! The clock of one bot in one game: what it may spend and what it has spent.
//!
//! It measures nothing: the match loop supplies the duration of a decision.

pub(crate) mod processor_time;
pub(crate) mod timer;
pub(crate) mod watchdog;

use std::num::NonZeroU32;
use std::time::Duration;

use protocol::{Pair, Pairs};
use settings::{Delay, Period, TimeControl};

use crate::PlaySettings;

/// The clock of one bot in one game.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    control: TimeControl,
    margin: Duration,
    think_limit: Duration,
    is_lenient: bool,
    /// The current period.
    period: usize,
    /// The turns left in the current period.
    turns_left: Option<u32>,
    /// The time left before byoyomi.
    remaining: Option<Duration>,
    /// The periods of byoyomi left.
    reserve: u32,
    /// The time of these periods that this turn has used.
    debt: Duration,
    /// The time that this turn has used in total.
    turn_spent: Duration,
    /// Whether this turn belongs to the bot.
    is_own: bool,
    /// The time left for this turn.
    turn_time: Option<Duration>,
    /// How many more overruns beyond the margin are forgiven.
    bank: u32,
    overruns: u32,
}

/// The effect of a decision on a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charge {
    /// The clock covered it.
    Paid,
    /// It overran the limit by this much, which is more than the margin. No time is left.
    Flagged(Duration),
}

impl Clock {
    /// Returns the clock at the start of a game.
    pub(crate) fn new(control: &TimeControl, settings: &PlaySettings) -> Self {
        let first = control.periods().first();
        Self {
            margin: settings.conditions.margin,
            think_limit: settings.conditions.think_limit,
            is_lenient: settings.no_timeout,
            period: 0,
            turns_left: first.and_then(|period| period.turns).map(NonZeroU32::get),
            remaining: control.has_clock().then(|| first.map_or(Duration::ZERO, |period| period.base)),
            reserve: control.byoyomi().map_or(0, |byoyomi| byoyomi.periods.get()),
            debt: Duration::ZERO,
            turn_spent: Duration::ZERO,
            is_own: true,
            turn_time: control.movetime(),
            bank: control.bank().map_or(0, |bank| bank.overruns.get()),
            overruns: 0,
            control: control.clone(),
        }
    }

    /// Returns the time control that the clock follows.
    pub(crate) const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Returns the time that the clock shows, if there is a clock: including periods of byoyomi, but not a delay.
    pub(crate) fn remaining(&self) -> Option<Duration> {
        let reserve = self.control.byoyomi().map_or(Duration::ZERO, |byoyomi| byoyomi.time * self.reserve);
        self.remaining.map(|remaining| remaining + reserve.saturating_sub(self.debt))
    }

    /// Returns how long the bot may think from here without loss, if there is a clock.
    pub(crate) fn allowance(&self) -> Option<Duration> {
        self.remaining().map(|remaining| remaining + self.free())
    }

    /// Returns what is left of this turn's simple delay.
    fn free(&self) -> Duration {
        match self.control.delay() {
            Some(Delay::Simple(delay)) if self.is_own => delay.saturating_sub(self.turn_spent),
            _ => Duration::ZERO,
        }
    }

    /// Returns the facts that a bot gets beyond the usual clock: delays, byoyomi, and what is counted. SPEC 6.5.
    pub(crate) fn pairs(&self) -> Pairs {
        let mut pairs = Pairs::new();
        match self.control.delay() {
            Some(Delay::Simple(delay)) => pairs.push(Pair::new("delay", delay.as_millis())),
            Some(Delay::Bronstein(delay)) => pairs.push(Pair::new("bronstein", delay.as_millis())),
            None => {}
        }
        if let Some(byoyomi) = self.control.byoyomi() {
            pairs.push(Pair::new("byoyomi", byoyomi.time.as_millis()));
            pairs.push(Pair::new("periods", self.reserve));
        }
        if self.control.is_cpu() {
            pairs.push(Pair::new("clock", "cpu"));
        }
        pairs
    }

    /// Returns the longest overrun that the bank would forgive next, if there is a bank.
    pub(crate) fn bank(&self) -> Option<Duration> {
        self.control.bank().map(|bank| if self.bank > 0 { bank.most } else { Duration::ZERO })
    }

    /// Returns advice on how long to think if the usual advice does not fit: a twentieth of the time before byoyomi plus nine
    /// tenths of the free time of a turn, at most four fifths of the time that costs no period.
    pub(crate) fn advice(&self) -> Option<Duration> {
        let remaining = self.remaining?;
        let (bonus, ready) = match (self.control.delay(), self.control.byoyomi()) {
            (Some(Delay::Simple(_)), _) => (self.free(), self.free()),
            (Some(Delay::Bronstein(delay)), _) => (delay, Duration::ZERO),
            (None, Some(byoyomi)) if self.debt < byoyomi.time * self.reserve => {
                // What is left of the period that this turn has begun.
                let begun = Duration::from_nanos((self.debt.as_nanos() % byoyomi.time.as_nanos()) as u64);
                (byoyomi.time - begun, byoyomi.time - begun)
            }
            (None, _) => return None,
        };
        let most = (remaining + ready) * 4 / 5;
        let clock = (remaining / 20 + bonus * 9 / 10).min(most);
        Some(self.turn_time.map_or(clock, |turn| clock.min(turn * 4 / 5)))
    }

    /// Returns the time added after every own turn.
    pub(crate) fn increment(&self) -> Duration {
        self.running().map_or(Duration::ZERO, |period| period.increment)
    }

    /// Returns the turns left in the current period, including this one.
    pub(crate) const fn turns_left(&self) -> Option<u32> {
        self.turns_left
    }

    /// Returns the time left for this turn, if turns have a limit.
    pub(crate) const fn turn_time(&self) -> Option<Duration> {
        self.turn_time
    }

    /// Returns how often the bot overran within the margin.
    pub(crate) const fn overruns(&self) -> u32 {
        self.overruns
    }

    /// Returns how much the bot may overrun without loss.
    pub(crate) const fn margin(&self) -> Duration {
        self.margin
    }

    /// Begins a turn, or a decision in a turn of the other seat (not `is_own`), which has neither increment nor delay. The time
    /// for a turn is full again.
    pub(crate) fn begin(&mut self, is_own: bool) {
        self.settle();
        self.is_own = is_own;
        self.turn_time = self.control.movetime();
    }

    /// Returns how long the next decision may take.
    pub(crate) fn limit(&self) -> Duration {
        // If time is limited, these limits apply. Otherwise the think limit does.
        [self.allowance(), self.turn_time].into_iter().flatten().min().unwrap_or(self.think_limit)
    }

    /// Returns the name of the limit that binds the next decision.
    pub(crate) fn limit_words(&self) -> &'static str {
        match (self.allowance(), self.turn_time) {
            (Some(remaining), Some(turn)) if turn < remaining => "the time for its turn",
            (Some(_), _) => "its clock",
            (None, Some(_)) => "the time for its turn",
            (None, None) => "the limit on thinking",
        }
    }

    /// Returns how long the next decision may take before the game is lost, including margin and bank; `None` if it cannot be
    /// lost on time.
    pub(crate) fn patience(&self) -> Option<Duration> {
        let bank = self.bank().unwrap_or_default();
        (!self.is_lenient).then(|| self.limit().saturating_add(self.margin).saturating_add(bank))
    }

    /// Returns the real time that the next decision may take if the clock counts processor time, because a bot that sleeps must
    /// not hang the game. It is twice the time that the bot may spend, plus the think limit. `None` if there is no such limit.
    pub(crate) fn real_limit(&self) -> Option<Duration> {
        let patience = self.patience().filter(|_| self.control.is_cpu())?;
        Some(patience.saturating_mul(2).saturating_add(self.think_limit))
    }

    /// Charges a decision, in time or not. An overrun up to the margin is forgiven and the clock then reads zero, because the
    /// scheduler may have caused it. Beyond the margin the bank forgives as often as it can. If nothing forgives, the clock
    /// also reads zero, because a game may continue (`on-fail: random`).
    pub(crate) fn charge(&mut self, spent: Duration) -> Charge {
        let overrun = spent.saturating_sub(self.limit());
        let charge = self.judge(overrun);
        if charge == Charge::Paid {
            self.overruns += u32::from(!overrun.is_zero());
        }
        self.deduct(spent);
        charge
    }

    /// Charges a decision that did not come in time. Without an answer nothing is forgiven. Returns the time that counts as
    /// spent.
    pub(crate) fn charge_silence(&mut self) -> Duration {
        let spent = self.patience().unwrap_or_default();
        self.deduct(spent);
        spent
    }

    /// Judges an overrun, and uses the bank if that forgives it.
    fn judge(&mut self, overrun: Duration) -> Charge {
        if overrun <= self.margin || self.is_lenient {
            return Charge::Paid;
        }
        let most = self.bank().filter(|most| !most.is_zero());
        if most.is_none_or(|most| overrun > self.margin + most) {
            return Charge::Flagged(overrun);
        }
        self.bank -= 1;
        Charge::Paid
    }

    /// Deducts the time of a decision, down to zero.
    fn deduct(&mut self, spent: Duration) {
        let due = spent.saturating_sub(self.free());
        self.turn_spent += spent;
        if let Some(remaining) = &mut self.remaining {
            let paid = due.min(*remaining);
            *remaining -= paid;
            if let Some(byoyomi) = self.control.byoyomi() {
                self.debt = (self.debt + (due - paid)).min(byoyomi.time * self.reserve);
            }
        }
        self.turn_time = self.turn_time.map(|time| time.saturating_sub(spent));
    }

    /// Returns whether the other clock gains what this one loses.
    pub(crate) const fn is_hourglass(&self) -> bool {
        self.control.is_hourglass()
    }

    /// Adds the time that the other side of an hourglass has lost.
    pub(crate) fn gain(&mut self, time: Duration) {
        self.remaining = self.remaining.map(|remaining| remaining + time);
    }

    /// Ends an own turn in which the bot was asked: adds the increment and counts the turn of the period.
    pub(crate) fn end_turn(&mut self) {
        let increment = match self.control.delay() {
            Some(Delay::Bronstein(delay)) => delay.min(self.turn_spent),
            _ => self.increment(),
        };
        self.settle();
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

    /// Settles the byoyomi of a turn: the periods that it exceeded are gone, and the one that it stayed in is full again.
    fn settle(&mut self) {
        if let Some(byoyomi) = self.control.byoyomi() {
            let begun = self.debt.as_nanos().div_ceil(byoyomi.time.as_nanos()).max(1);
            let lost = u32::try_from(begun - 1).unwrap_or(u32::MAX);
            self.reserve = self.reserve.saturating_sub(lost).max(1);
        }
        (self.debt, self.turn_spent) = (Duration::ZERO, Duration::ZERO);
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
        Clock::new(&control.parse().unwrap(), &PlaySettings::new(1))
    }

    /// Plays turns of these durations in milliseconds and checks the clock after each.
    fn check(control: &str, turns: &[u64], shown: &[u64]) {
        let mut clock = clock(control);
        let after = turns.iter().map(|spent| {
            clock.begin(true);
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
    fn what_is_late_takes_all_there_is_and_is_neither_forgiven_nor_counted() {
        for (control, left, next) in [
            ("1+0.1", 0, 100),
            ("1, byoyomi 3x2s", 0, 2000),
            ("1, delay 200ms", 0, 0),
            ("1+0.1, bank 1x500ms", 0, 100),
        ] {
            let late = |clock: &mut Clock| assert!(matches!(clock.charge(ms(9000)), Charge::Flagged(_)));
            let silent = |clock: &mut Clock| assert!(clock.charge_silence() > ms(1000));
            for charge in [late as fn(&mut Clock), silent] {
                let mut clock = clock(control);
                let bank = clock.bank();
                charge(&mut clock);
                assert_eq!((clock.remaining(), clock.overruns()), (Some(ms(left)), 0), "{control}");
                assert_eq!(clock.bank(), bank, "{control}");
                clock.end_turn();
                assert_eq!(clock.remaining(), Some(ms(next)), "{control}");
            }
        }
    }

    #[test]
    fn the_time_for_a_turn_is_shared_by_its_plies() {
        let mut clock = clock("movetime 100ms");
        assert_eq!(clock.charge(ms(70)), Charge::Paid);
        assert_eq!(clock.turn_time(), Some(ms(30)));
        assert_eq!(clock.patience(), Some(ms(80)));
        clock.end_turn();
        clock.begin(true);
        assert_eq!(clock.turn_time(), Some(ms(100)));
    }

    #[test]
    fn a_simple_delay_is_free_in_every_turn() {
        check("1, delay 200ms", &[150, 200, 300, 1000], &[1000, 1000, 900, 100]);
        let mut clock = clock("1, delay 200ms");
        assert_eq!((clock.remaining(), clock.allowance()), (Some(ms(1000)), Some(ms(1200))));
        assert_eq!(clock.charge(ms(150)), Charge::Paid);
        // The second ply of the turn has the time that the first one left.
        assert_eq!(clock.allowance(), Some(ms(1050)));
        assert_eq!(clock.clone().charge(ms(1101)), Charge::Flagged(ms(51)));
        // A decision in the other side's turn has no delay.
        clock.begin(false);
        assert_eq!(clock.allowance(), Some(ms(1000)));
    }

    #[test]
    fn a_bronstein_delay_gives_back_what_was_spent() {
        check("1, bronstein 200ms", &[150, 200, 300, 900], &[1000, 1000, 900, 200]);
        assert_eq!(clock("1, bronstein 200ms").charge(ms(1051)), Charge::Flagged(ms(51)));
    }

    #[test]
    fn byoyomi_loses_the_periods_that_a_turn_goes_beyond() {
        check("1, byoyomi 3x2s", &[400, 2600, 2001, 4000, 2000], &[6600, 6000, 4000, 2000, 2000]);
        check("byoyomi 1x10s", &[10_000, 10_050, 1], &[10_000, 10_000, 10_000]);
        assert_eq!(clock("1, byoyomi 2x2s").charge(ms(5051)), Charge::Flagged(ms(51)));
        let mut clock = clock("1, byoyomi 3x2s");
        assert_eq!(clock.charge(ms(4000)), Charge::Paid);
        assert_eq!(
            (clock.remaining(), clock.pairs().to_string().trim()),
            (Some(ms(3000)), "byoyomi=2000 periods=3")
        );
        clock.end_turn();
        assert_eq!(
            (clock.remaining(), clock.pairs().to_string().trim()),
            (Some(ms(4000)), "byoyomi=2000 periods=2")
        );
    }

    #[test]
    fn a_bank_forgives_so_many_overruns() {
        let mut clock = clock("1+0.1, bank 2x500ms");
        for (bank, spent) in [(500, 1500), (500, 650), (0, 100)] {
            assert_eq!(clock.bank(), Some(ms(bank)));
            assert_eq!(clock.charge(ms(spent)), Charge::Paid);
            clock.end_turn();
            assert_eq!(clock.remaining(), Some(ms(100)));
        }
        assert_eq!(clock.patience(), Some(ms(150)));
        assert_eq!((clock.overruns(), clock.charge(ms(151))), (2, Charge::Flagged(ms(51))));
        assert_eq!(self::clock("1, bank 2x500ms").charge(ms(1551)), Charge::Flagged(ms(551)));
    }

    #[test]
    fn the_advice_costs_no_period_and_no_loss() {
        for (control, spent, advice) in [
            ("60, delay 2s", 0, 3000 + 1800),
            ("60, bronstein 2s", 0, 3000 + 1800),
            ("600, byoyomi 5x30s", 0, 30_000 + 27_000),
            ("byoyomi 5x30s", 0, 24_000),
            ("byoyomi 5x30s", 31_000, 23_200),
            ("byoyomi 1x30s, movetime 1s", 0, 800),
        ] {
            let mut clock = clock(control);
            if spent > 0 {
                clock.charge(ms(spent));
            }
            assert_eq!(clock.advice(), Some(ms(advice)), "{control}");
        }
        assert_eq!(clock("60+1").advice(), None);
    }

    #[test]
    fn the_limit_on_thinking_holds_where_no_clock_does() {
        assert_eq!(clock("depth 3").limit(), ms(60_000));
        assert_eq!(clock("600, depth 3").limit(), ms(600_000));
    }

    #[test]
    fn nobody_loses_on_time_in_a_debugger() {
        let settings = PlaySettings { no_timeout: true, ..PlaySettings::new(1) };
        let mut clock = Clock::new(&"1+1".parse().unwrap(), &settings);
        assert_eq!((clock.patience(), clock.charge(ms(5000))), (None, Charge::Paid));
        clock.end_turn();
        assert_eq!(clock.remaining(), Some(ms(1000)));
    }
}
