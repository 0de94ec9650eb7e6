//! What the bots did at their decisions, counted one game after the other: thinking times, and evaluations with what came
//! of them.

use std::collections::HashMap;

use record::{InfoRecord, LineGame};
use report::Contestants;
use rules::Seat;
use rustc_hash::FxBuildHasher;

/// How many different times of a bot are counted exactly. If there are more, all are rounded to four digits: then no more
/// than ten thousand are left for each power of ten, however many decisions there are.
const MOST_EXACT: usize = 1 << 15;

/// How many times of a bot are gathered before they are counted.
const MOST_PENDING: usize = 1 << 11;

/// Where the classes of evaluations begin, in hundredths of the game's unit.
const EDGES: [i64; 6] = [-1000, -300, -100, 100, 300, 1000];

/// How many parts a point has: the scores at tables of any size are whole parts, so that their sums do not depend on the order.
pub(crate) const PARTS: f64 = 840.0;

/// How often a bot said something of each class, and how many [`PARTS`] of points it scored in those games together.
pub(crate) type Evaluations = [(u64, u64); EDGES.len() + 1];

/// The decisions of all bots, by the numbers of their [rows](report::Row::number).
#[derive(Clone, Debug, Default)]
pub(crate) struct Decisions {
    times: Vec<Times>,
    evaluations: Vec<Evaluations>,
}

impl Decisions {
    /// Takes a game.
    pub(crate) fn push(&mut self, game: &LineGame<'_>, contestants: &Contestants) {
        let seats = game.seats.each_ref().map(|seat| contestants.number(seat));
        for (seat, bot) in Seat::all(seats.len()).zip(seats.iter()) {
            let Some(bot) = *bot else { continue };
            let score = game.result.score(seat).map(|score| (score * PARTS).round() as u64);
            // A bot's counts are looked up once a game, and only if there is something to count.
            let plies = || game.plies.iter().filter(|ply| usize::from(ply.seat) == seat.index() + 1);
            let mut times = plies().filter_map(|ply| ply.us).peekable();
            if times.peek().is_some() {
                let counts = of_bot(&mut self.times, bot);
                times.for_each(|time| counts.push(time.max(1)));
            }
            let mut evaluations = plies().filter_map(|ply| said(ply.info.as_ref()?)).peekable();
            if let (Some(score), Some(_)) = (score, evaluations.peek()) {
                let counts = of_bot(&mut self.evaluations, bot);
                for said in evaluations {
                    let count = &mut counts[EDGES.iter().filter(|edge| said >= **edge).count()];
                    count.0 += 1;
                    count.1 += score;
                }
            }
        }
    }

    /// Takes what another count has. What only one of them has is moved: counts may take megabytes.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (bot, mut times) in other.times.into_iter().enumerate() {
            times.count_pending();
            let own = of_bot(&mut self.times, bot);
            own.count_pending();
            if own.decisions == 0 {
                *own = times;
            } else {
                own.absorb(times);
            }
        }
        for (bot, others) in other.evaluations.into_iter().enumerate() {
            for (own, other) in of_bot(&mut self.evaluations, bot).iter_mut().zip(others) {
                own.0 += other.0;
                own.1 += other.1;
            }
        }
    }

    /// Returns the thinking times of a bot; `None` where it made no decision.
    pub(crate) fn times(&self, bot: usize) -> Option<&Times> {
        self.times.get(bot).filter(|times| times.decisions > 0)
    }

    /// Returns what a bot said of its positions; `None` where it said nothing.
    pub(crate) fn evaluations(&self, bot: usize) -> Option<&Evaluations> {
        self.evaluations.get(bot).filter(|counts| counts.iter().any(|(count, _)| *count > 0))
    }
}

/// Returns what a list has of a bot; of bots beyond its end it has nothing yet.
fn of_bot<T: Clone + Default>(list: &mut Vec<T>, bot: usize) -> &mut T {
    if list.len() <= bot {
        list.resize(bot + 1, T::default());
    }
    &mut list[bot]
}

/// Returns what a bot said of its position, in hundredths of the game's unit: a mate is beyond all others.
fn said<T>(info: &InfoRecord<T>) -> Option<i64> {
    info.cp.or_else(|| info.mate.map(|mate| if mate < 0 { i64::MIN } else { i64::MAX }))
}

/// The thinking times of a bot: how many decisions took each number of microseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    /// By [`packed`] times: a run with many bots and longer games counts hundreds of thousands of them.
    counts: HashMap<u32, u32, FxBuildHasher>,
    /// Packed times that are not yet counted. Many are counted at once, so that the counts are in the processor's cache, however
    /// many bots there are.
    pending: Vec<u32>,
    decisions: u64,
    is_rounded: bool,
}

impl Times {
    /// Takes one more time.
    fn push(&mut self, time: u64) {
        self.pending.push(packed(time));
        if self.pending.len() == MOST_PENDING {
            self.count_pending();
        }
    }

    fn count_pending(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.drain(..).for_each(|time| self.add(time, 1));
        self.pending = pending;
    }

    fn add(&mut self, time: u32, count: u32) {
        let time = if self.is_rounded { shortened(time) } else { time };
        self.count(time, count);
        self.decisions += u64::from(count);
        if self.counts.len() > MOST_EXACT {
            self.round();
        }
    }

    fn round(&mut self) {
        if !std::mem::replace(&mut self.is_rounded, true) {
            for (time, count) in std::mem::take(&mut self.counts) {
                self.count(shortened(time), count);
            }
        }
    }

    fn count(&mut self, time: u32, count: u32) {
        let known = self.counts.entry(time).or_default();
        *known = known.saturating_add(count);
    }

    /// Takes what another count has: both have nothing pending. What comes of it does not depend on which thread has counted what.
    fn absorb(&mut self, mut other: Self) {
        if self.counts.len() < other.counts.len() {
            std::mem::swap(self, &mut other);
        }
        if other.is_rounded {
            self.round();
        }
        other.counts.into_iter().for_each(|(time, count)| self.add(time, count));
    }

    /// Returns the times at these shares of all decisions, from 0, the shortest, to 1, the longest; the shares ascend.
    pub(crate) fn at<const N: usize>(&self, shares: [f64; N]) -> [u64; N] {
        let times = self.counts.iter().map(|(time, count)| (unpacked(*time), u64::from(*count)));
        let mut sorted: Vec<(u64, u64)> = times.collect();
        sorted.sort_unstable();
        let mut sorted = sorted.into_iter();
        let (mut time, mut below) = (0, 0);
        shares.map(|share| {
            let place = (self.decisions.saturating_sub(1) as f64 * share) as u64;
            while below <= place
                && let Some((next, count)) = sorted.next()
            {
                time = next;
                below += count;
            }
            time
        })
    }
}

/// Returns a number with its first four digits, and zeros after them.
const fn rounded(time: u64) -> u64 {
    let unit = 10_u64.pow(zeros(time));
    time / unit * unit
}

/// Returns how many digits follow the first four.
const fn zeros(time: u64) -> u32 {
    match time.checked_ilog10() {
        Some(digits) => digits.saturating_sub(3),
        None => 0,
    }
}

/// The bit of a packed time that says that it is a long one.
const LONG: u32 = 1 << 31;

/// The bits for the first four digits of a long time; those above them count the zeros after them.
const DIGITS: u32 = 14;

/// Packs a time, in microseconds: as it is below 2^31, which is 36 minutes, else with four digits.
const fn packed(time: u64) -> u32 {
    let zeros = zeros(time);
    if time < LONG as u64 { time as u32 } else { LONG | zeros << DIGITS | (time / 10_u64.pow(zeros)) as u32 }
}

/// Returns a packed time with its first four digits.
const fn shortened(time: u32) -> u32 {
    packed(rounded(unpacked(time)))
}

const fn unpacked(time: u32) -> u64 {
    let code = time & !LONG;
    if time == code { time as u64 } else { (code & ((1 << DIGITS) - 1)) as u64 * 10_u64.pow(code >> DIGITS) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SHARES: [f64; 5] = [0.0, 0.1, 0.5, 0.9, 1.0];

    fn check(times: &[u64]) {
        let counted = |times: &[u64]| {
            let mut decisions = Decisions::default();
            times.iter().for_each(|time| of_bot(&mut decisions.times, 0).push(*time));
            decisions
        };
        // Two threads may have had any part of them.
        let parts = [0, 1, times.len() / 2, times.len()].map(|middle| {
            let mut together = Decisions::default();
            together.absorb(counted(&times[..middle]));
            together.absorb(counted(&times[middle..]));
            together.times.remove(0)
        });
        parts.iter().for_each(|part| assert_eq!(part.at(SHARES), parts[0].at(SHARES), "{}", times.len()));
        let [counted, ..] = parts;
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let expected = SHARES.map(|share| sorted[((sorted.len() - 1) as f64 * share) as usize]);
        let found = counted.at(SHARES);
        match times.len() <= MOST_EXACT {
            true => assert_eq!(found, expected),
            false => {
                assert_eq!(found, expected.map(rounded));
                assert!(counted.counts.len() <= MOST_EXACT, "{} are kept", counted.counts.len());
            }
        }
    }

    #[test]
    fn few_times_are_told_exactly_and_many_to_four_digits() {
        check(&[7]);
        check(&[5, 1, 1, 1, 900_001, 3]);
        // Times of half an hour and more are packed with four digits.
        check(&[(1 << 31) + 1, 5].map(rounded));
        let many = |count: u64| (0..count).map(|i| i * 7_919 % 1_000_003 + 10_000).collect::<Vec<_>>();
        check(&many(1000));
        check(&many(300_000));
    }

    #[test]
    fn at_a_table_every_bot_has_its_own_decisions() {
        let seat = |bot: &str| json!({"bot": bot, "version": "1", "digest": "d", "tc": "10+0.1", "seed": 3, "overruns": 0, "exit": null});
        let ply = |seat: u8, us: u64| json!({"ply": "a1", "seat": seat, "turn": seat, "us": us, "info": {"cp": 50}});
        let line = json!({
            "number": 1, "pair": 1, "leg": 1, "round": 1, "game": "2-frenzy", "options": {"players": "3"},
            "label": "2-frenzy players=3", "seats": [seat("a"), seat("b"), seat("c")], "opening": 0,
            "result": "places", "places": [1, 3, 2], "reason": "rules", "started": "2026-11-21T09:30:05.123Z", "seconds": 0.25,
            "plies": [ply(1, 100), ply(2, 200), ply(3, 300), ply(3, 300)],
        });
        let line = line.to_string();
        let game: LineGame<'_> = serde_json::from_str(&line).unwrap();
        let mut summarizer = record::Summarizer::default();
        summarizer.push(&serde_json::from_str(&line).unwrap(), 0);
        let contents = summarizer.finish();
        let report = report::RunReport::of(&contents);
        let mut decisions = Decisions::default();
        decisions.push(&game, &report.contestants());
        let mut counted = Decisions::default();
        counted.absorb(decisions);
        for row in &report.tally().standings(None).rows {
            let (bot, name) = (row.number, &row.label);
            let (time, count, score) = match name.as_str() {
                "a" => (100, 1, 1.0),
                "b" => (200, 1, 0.0),
                _ => (300, 2, 0.5),
            };
            assert_eq!(counted.times(bot).unwrap().at([0.0, 1.0]), [time; 2], "{name}");
            let said = counted.evaluations(bot).unwrap().iter().find(|(count, _)| *count > 0);
            assert_eq!(said.copied(), Some((count, (score * count as f64 * PARTS) as u64)), "{name}");
        }
    }

    #[test]
    fn long_times_are_packed_with_four_digits() {
        for exact in [0, 1, 9_999, 12_345_678, (1 << 31) - 1] {
            assert_eq!(unpacked(packed(exact)), exact);
        }
        for long in [1 << 31, 12_345_678_901, 99_999_999_999, 10_u64.pow(19), u64::MAX] {
            assert_eq!(unpacked(packed(long)), rounded(long));
        }
    }

    #[test]
    fn numbers_keep_four_digits() {
        assert_eq!(
            [0, 9_999, 10_001, 123_456, u64::MAX].map(rounded),
            [0, 9_999, 10_000, 123_400, 18_440_000_000_000_000_000]
        );
    }
}
