//! How long a bot should think: the arena's advice, sent as `budget=`.

use std::time::Duration;

use crate::{GoLimits, SeatNumber};

/// Returns the time within which an answer does not lose on time: a twentieth of what remains and nine tenths
/// of the increment, at most four fifths of what remains, in whole milliseconds.
///
/// ```
/// use std::time::Duration;
///
/// let advice = protocol::advise(Duration::from_secs(60), Duration::from_millis(500));
/// assert_eq!(advice, Duration::from_millis(3450));
/// ```
#[must_use]
pub fn advise(remaining: Duration, increment: Duration) -> Duration {
    let (remaining, increment) = (remaining.as_millis(), increment.as_millis());
    let share = (remaining + 18 * increment) / 20;
    let most = remaining * 4 / 5;
    Duration::from_millis(u64::try_from(share.min(most)).unwrap_or(u64::MAX))
}

/// Returns the advice for `seat` under these limits, or `None` if nothing limits its time.
///
/// A bot may use four fifths of a time for this turn. If both a clock and such a time apply, the lower advice counts.
#[must_use]
pub fn advise_limits(limits: &GoLimits, seat: SeatNumber) -> Option<Duration> {
    let clock = limits.clock(seat).and_then(|clock| {
        let remaining = clock.remaining?;
        Some(advise(remaining, clock.increment.unwrap_or_default()))
    });
    let turn = limits.move_time.map(|time| {
        let most = time.as_millis() * 4 / 5;
        Duration::from_millis(u64::try_from(most).unwrap_or(u64::MAX))
    });
    match (clock, turn) {
        (Some(clock), Some(turn)) => Some(clock.min(turn)),
        (clock, turn) => clock.or(turn),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeatClock;

    fn check(remaining: u64, increment: u64, expected: u64) {
        let advice = advise(Duration::from_millis(remaining), Duration::from_millis(increment));
        assert_eq!(advice, Duration::from_millis(expected), "{remaining}+{increment}");
    }

    #[test]
    fn the_advice_is_that_of_the_specification() {
        check(60_000, 500, 3450);
        check(59_600, 500, 3430);
        check(60_499, 500, 3474);
        check(300_000, 0, 15_000);
        check(291_000, 0, 14_550);
    }

    #[test]
    fn the_increment_is_not_spent_before_it_is_there() {
        check(100, 10_000, 80);
        check(0, 10_000, 0);
    }

    #[test]
    fn no_time_is_too_long() {
        assert!(advise(Duration::MAX, Duration::MAX) < Duration::MAX);
    }

    #[test]
    fn the_tighter_limit_counts() {
        let clock =
            SeatClock { seat: SeatNumber::P1, remaining: Some(Duration::from_secs(60)), increment: None };
        let mut limits = GoLimits { clocks: vec![clock], ..GoLimits::default() };
        assert_eq!(advise_limits(&limits, SeatNumber::P1), Some(Duration::from_secs(3)));
        assert_eq!(advise_limits(&limits, SeatNumber::P2), None);
        limits.move_time = Some(Duration::from_secs(1));
        assert_eq!(advise_limits(&limits, SeatNumber::P1), Some(Duration::from_millis(800)));
    }
}
