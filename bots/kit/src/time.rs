//! Time management: from clocks to the limits of a search.

use std::time::{Duration, Instant};

use protocol::{Question, SeatNumber};

use crate::search::{MAX_DEPTH, SearchLimits};

/// What the way between bot and arena may cost; it is kept back.
const OVERHEAD: Duration = Duration::from_millis(15);

/// How long to think when nothing limits a decision.
const UNLIMITED: Duration = Duration::from_secs(1);

/// Returns the limits of a search for the answer to `question`, which came at `since`.
pub(crate) fn limits(question: &Question, seat: SeatNumber, since: Instant) -> SearchLimits {
    let given = &question.limits;
    let clock = given.clock(seat).and_then(|clock| {
        let remaining = clock.remaining?;
        Some(share(remaining, clock.increment.unwrap_or_default(), given.moves_to_go))
    });
    let turn = given.move_time.map(|time| {
        let time = time.saturating_sub(OVERHEAD).max(time / 2);
        (time, time)
    });
    let is_limited = given.depth.is_some() || given.nodes.is_some();
    let time = match (clock, turn) {
        (Some(clock), Some(turn)) => Some((clock.0.min(turn.0), clock.1.min(turn.1))),
        (None, None) if !is_limited => Some((UNLIMITED / 2, UNLIMITED)),
        (clock, turn) => clock.or(turn),
    };
    SearchLimits {
        depth: given.depth.map(|depth| depth.clamp(1, u64::from(MAX_DEPTH)) as u32),
        nodes: given.nodes,
        soft: time.map(|(soft, _)| since + soft),
        hard: time.map(|(_, hard)| since + hard),
        stop: None,
    }
}

/// Returns after how much time no new iteration begins, and after how much the search is broken off.
fn share(remaining: Duration, increment: Duration, moves_to_go: Option<u64>) -> (Duration, Duration) {
    let usable = remaining.saturating_sub(OVERHEAD);
    let turns = moves_to_go.map_or(20, |turns| turns.clamp(1, 20) as u32);
    let target = (usable / turns + increment * 9 / 10).min(usable * 8 / 10);
    (target / 2, (target * 3 / 2).min(usable * 8 / 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_never_takes_more_than_the_clock_shows() {
        for milliseconds in [0, 1, 20, 50, 1000, 60_000] {
            for increment in [0, 10, 5000] {
                for moves_to_go in [None, Some(1), Some(40)] {
                    let remaining = Duration::from_millis(milliseconds);
                    let (soft, hard) = share(remaining, Duration::from_millis(increment), moves_to_go);
                    assert!(soft <= hard && hard <= remaining, "{milliseconds} {increment} {moves_to_go:?}");
                }
            }
        }
    }
}
