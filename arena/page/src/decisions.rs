//! What the bots did at their decisions, counted one game after the other: thinking times, and evaluations with what came
//! of them.

use std::cmp::Ordering;
use std::hash::BuildHasher as _;

use record::{InfoRecord, LineGame, SeatRecord};
use report::ContestantId;
use rustc_hash::FxBuildHasher;

/// How many different times of a bot are counted exactly. If there are more, all are rounded to four digits: then no more
/// than ten thousand are left for each power of ten, however many decisions there are.
const MOST_EXACT: usize = 1 << 15;

/// How many times of a bot are gathered before they are counted.
const MOST_PENDING: usize = 1 << 13;

/// Where the classes of evaluations begin, in hundredths of the game's unit.
const EDGES: [i64; 6] = [-1000, -300, -100, 100, 300, 1000];

/// How many parts a point has: the scores at tables of any size are whole parts, so that their sums do not depend on the order.
pub(crate) const PARTS: f64 = 840.0;

/// How often a bot said something of each class, and how many [`PARTS`] of points it scored in those games together.
pub(crate) type Evaluations = [(u64, u64); EDGES.len() + 1];

/// The decisions in the games of a run, counted on any number of threads.
#[derive(Clone, Debug, Default)]
pub struct GameDecisions {
    /// With the labels of the games.
    by_label: Vec<(String, Decisions)>,
}

/// The decisions of all bots in some games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decisions {
    bots: Vec<(ContestantId, Counts)>,
    /// The hash of each contestant with its place in `bots`, in order: they are found without a look at their texts.
    places: Vec<(u64, usize)>,
}

/// What one of them decided.
#[derive(Clone, Debug, Default)]
struct Counts {
    times: Times,
    evaluations: Evaluations,
}

impl GameDecisions {
    /// Takes a game.
    pub fn push(&mut self, game: &LineGame<'_>) {
        self.of_label(game.label.as_ref()).push(game);
    }

    /// Takes what another count has. The result does not depend on which of them has counted a game.
    pub fn absorb(&mut self, other: Self) {
        for (label, decisions) in other.by_label {
            self.of_label(&label).absorb(decisions);
        }
    }

    /// Returns the decisions in the games of a label, which are gone from here.
    pub(crate) fn take(&mut self, label: &str) -> Decisions {
        let known = self.by_label.iter().position(|(known, _)| known == label);
        known.map(|place| self.by_label.swap_remove(place).1).unwrap_or_default()
    }

    fn of_label(&mut self, label: &str) -> &mut Decisions {
        let known = self.by_label.iter().position(|(known, _)| known == label);
        let place = known.unwrap_or_else(|| {
            self.by_label.push((label.to_owned(), Decisions::default()));
            self.by_label.len() - 1
        });
        &mut self.by_label[place].1
    }
}

impl Decisions {
    /// Takes a game.
    fn push(&mut self, game: &LineGame<'_>) {
        for (seat, bot) in game.seats.by_seat() {
            let plies = || game.plies.iter().filter(|ply| usize::from(ply.seat) == seat.index() + 1);
            let score = game.result.score(seat).map(|score| (score * PARTS).round() as u64);
            let mut times = plies().filter_map(|ply| ply.us).peekable();
            let mut evaluations = plies().filter_map(|ply| said(ply.info.as_ref()?)).peekable();
            let is_scored = score.is_some() && evaluations.peek().is_some();
            // A bot's counts are looked up once a game, and only if there is something to count.
            if times.peek().is_none() && !is_scored {
                continue;
            }
            let counts = self.of_seat(bot);
            times.for_each(|time| counts.times.push(time.max(1)));
            if let Some(score) = score {
                for said in evaluations {
                    let count = &mut counts.evaluations[EDGES.iter().filter(|edge| said >= **edge).count()];
                    count.0 += 1;
                    count.1 += score;
                }
            }
        }
    }

    /// Takes what another count has. What only one of them has is moved: counts may take megabytes.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (bot, mut counts) in other.bots {
            counts.times.finish();
            match self.find(hash_of(&bot), |known| *known == bot) {
                Some(place) => {
                    let own = &mut self.bots[place].1;
                    own.times.finish();
                    own.times.absorb(counts.times);
                    for (own, other) in own.evaluations.iter_mut().zip(counts.evaluations) {
                        own.0 += other.0;
                        own.1 += other.1;
                    }
                }
                None => drop(self.insert(bot, counts)),
            }
        }
    }

    /// Returns the thinking times of a bot; `None` where it made no decision.
    pub(crate) fn times(&self, bot: &ContestantId) -> Option<&Times> {
        Some(&self.of(bot)?.times).filter(|times| times.decisions > 0)
    }

    /// Returns what a bot said of its positions; `None` where it said nothing.
    pub(crate) fn evaluations(&self, bot: &ContestantId) -> Option<&Evaluations> {
        Some(&self.of(bot)?.evaluations).filter(|counts| counts.iter().any(|(count, _)| *count > 0))
    }

    fn of(&self, bot: &ContestantId) -> Option<&Counts> {
        let place = self.find(hash_of(bot), |known| known == bot)?;
        Some(&self.bots[place].1)
    }

    fn of_seat<T: AsRef<str>, C>(&mut self, seat: &SeatRecord<T, C>) -> &mut Counts {
        let hash = hash([&seat.bot, &seat.version, &seat.digest].map(AsRef::as_ref));
        match self.find(hash, |known| known.cmp_seat(seat).is_eq()) {
            Some(place) => &mut self.bots[place].1,
            None => self.insert(ContestantId::of_seat(seat), Counts::default()),
        }
    }

    /// Returns the place of a bot in the list.
    fn find(&self, hash: u64, is_it: impl Fn(&ContestantId) -> bool) -> Option<usize> {
        let first = self.places.partition_point(|(known, _)| *known < hash);
        let same = self.places[first..].iter().take_while(|(known, _)| *known == hash);
        same.map(|(_, place)| *place).find(|place| is_it(&self.bots[*place].0))
    }

    fn insert(&mut self, bot: ContestantId, counts: Counts) -> &mut Counts {
        let hash = hash_of(&bot);
        let place = self.places.partition_point(|(known, _)| *known < hash);
        self.places.insert(place, (hash, self.bots.len()));
        self.bots.push((bot, counts));
        &mut self.bots.last_mut().expect("it has just been added").1
    }
}

fn hash_of(bot: &ContestantId) -> u64 {
    hash([&bot.name, &bot.version, &bot.digest].map(String::as_str))
}

fn hash(bot: [&str; 3]) -> u64 {
    FxBuildHasher.hash_one(bot)
}

/// Returns what a bot said of its position, in hundredths of the game's unit: a mate is beyond all others.
fn said<T>(info: &InfoRecord<T>) -> Option<i64> {
    info.cp.or_else(|| info.mate.map(|mate| if mate < 0 { i64::MIN } else { i64::MAX }))
}

/// The thinking times of a bot: how many decisions took each number of microseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    /// Each [`packed`] time with its count, in order. A run with many bots and longer games has hundreds of thousands of them, so
    /// they are read from the first to the last, and none is looked for.
    counts: Vec<(u32, u32)>,
    /// Packed times that are not yet counted.
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

    /// Counts what is still to be counted, and keeps no room for more.
    fn finish(&mut self) {
        if !self.pending.is_empty() {
            self.count_pending();
        }
        self.pending = Vec::new();
    }

    fn count_pending(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        if self.is_rounded {
            pending.iter_mut().for_each(|time| *time = shortened(*time));
        }
        pending.sort_unstable();
        let counts: Vec<_> = pending.chunk_by(u32::eq).map(|equal| (equal[0], equal.len() as u32)).collect();
        self.add(&counts);
        pending.clear();
        self.pending = pending;
    }

    /// Adds counts of other times, which are rounded if the own ones are.
    fn add(&mut self, counts: &[(u32, u32)]) {
        self.decisions += counts.iter().map(|(_, count)| u64::from(*count)).sum::<u64>();
        self.counts = merged(&self.counts, counts);
        if self.counts.len() > MOST_EXACT {
            self.round();
        }
    }

    fn round(&mut self) {
        if !std::mem::replace(&mut self.is_rounded, true) {
            self.counts.iter_mut().for_each(|(time, _)| *time = shortened(*time));
            self.counts.dedup_by(|next, known| {
                let is_same = next.0 == known.0;
                known.1 = known.1.saturating_add(if is_same { next.1 } else { 0 });
                is_same
            });
        }
    }

    /// Takes what another count has: both have nothing pending. What comes of it does not depend on which thread has counted what.
    fn absorb(&mut self, mut other: Self) {
        if self.is_rounded || other.is_rounded {
            self.round();
            other.round();
        }
        self.add(&other.counts);
    }

    /// Returns the times at these shares of all decisions, from 0, the shortest, to 1, the longest; the shares ascend.
    pub(crate) fn at<const N: usize>(&self, shares: [f64; N]) -> [u64; N] {
        let mut sorted = self.counts.iter().map(|(time, count)| (unpacked(*time), u64::from(*count)));
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

/// Returns the counts of two ordered lists together, in order.
fn merged(mut one: &[(u32, u32)], mut other: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut all = Vec::with_capacity(one.len() + other.len());
    while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
        let order = first.0.cmp(&second.0);
        all.push(match order {
            Ordering::Less => *first,
            Ordering::Greater => *second,
            Ordering::Equal => (first.0, first.1.saturating_add(second.1)),
        });
        if order.is_le() {
            one = rest;
        }
        if order.is_ge() {
            other = others;
        }
    }
    all.extend_from_slice(one);
    all.extend_from_slice(other);
    all
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

/// Packs a time, in microseconds, so that longer ones are greater: as it is below 2^31, which is 36 minutes, else with four digits.
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
            let mut counts = Counts::default();
            times.iter().for_each(|time| counts.times.push(*time));
            let bot = ContestantId { name: "a".to_owned(), version: String::new(), digest: String::new() };
            let mut decisions = Decisions::default();
            *decisions.insert(bot, Counts::default()) = counts;
            decisions
        };
        // Two threads may have had any part of them.
        let count = times.len();
        let parts = [0, 1, count / 10, count / 2, count - 1, count].map(|middle| {
            let mut together = Decisions::default();
            together.absorb(counted(&times[..middle]));
            together.absorb(counted(&times[middle..]));
            together.bots.remove(0).1.times
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
        let many = |count: u64| (0..count).map(|i| i * 7_919 % 1_000_003 + 12_345).collect::<Vec<_>>();
        check(&many(1000));
        // Neither half has too many, both together have.
        check(&many(40_000));
        check(&many(300_000));
    }

    #[test]
    fn every_bot_has_its_own_decisions_in_the_games_of_each_label() {
        const LABELS: [&str; 2] = ["2-frenzy players=3", "2-frenzy players=3 size=7"];
        let seat = |bot: &str| json!({"bot": bot, "version": "1", "digest": "d", "tc": "10+0.1", "seed": 3, "overruns": 0, "exit": null});
        let ply = |seat: u8, us: u64| json!({"ply": "a1", "seat": seat, "turn": seat, "us": us, "info": {"cp": 50}});
        let line = |label: &str, bots: [&str; 3]| {
            json!({
                "number": 1, "pair": 1, "leg": 1, "round": 1, "game": "2-frenzy", "options": {"players": "3"},
                "label": label, "seats": bots.map(seat), "opening": 0,
                "result": "places", "places": [1, 3, 2], "reason": "rules", "started": "2026-11-21T09:30:05.123Z", "seconds": 0.25,
                "plies": [ply(1, 100), ply(2, 200), ply(3, 300), ply(3, 300)],
            })
            .to_string()
        };
        let games = [
            (0, ["c", "a", "b"]),
            (1, ["b", "d", "c"]),
            (0, ["a", "b", "c"]),
            (0, ["a", "c", "d"]),
            (1, ["e", "d", "a"]),
        ];
        // Two threads count them.
        let mut counters = [GameDecisions::default(), GameDecisions::default()];
        for (number, (label, bots)) in games.into_iter().enumerate() {
            let line = line(LABELS[label], bots);
            counters[number % 2].push(&serde_json::from_str(&line).unwrap());
        }
        let mut counted = GameDecisions::default();
        counters.into_iter().for_each(|counter| counted.absorb(counter));
        assert!(counted.take("another").bots.is_empty());
        for (label, name) in LABELS.iter().enumerate() {
            let decisions = counted.take(name);
            for bot in ["a", "b", "c", "d", "e"] {
                let own = games.iter().filter(|(other, _)| *other == label);
                let seats: Vec<_> =
                    own.filter_map(|(_, bots)| bots.iter().position(|other| *other == bot)).collect();
                let id =
                    ContestantId { name: bot.to_owned(), version: "1".to_owned(), digest: "d".to_owned() };
                let times = seats.iter().map(|seat| [100, 200, 300][*seat]);
                let range = times.clone().min().zip(times.max());
                let found = decisions.times(&id).map(|times| times.at([0.0, 1.0]));
                assert_eq!(found, range.map(|(low, high)| [low, high]), "{bot} {name}");
                // Whoever came second moved twice.
                let count: u64 = seats.iter().map(|seat| [1, 1, 2][*seat]).sum();
                let score: f64 = seats.iter().map(|seat| [1.0, 0.0, 2.0 * 0.5][*seat]).sum();
                let said =
                    decisions.evaluations(&id).and_then(|all| all.iter().find(|(count, _)| *count > 0));
                assert_eq!(
                    said.copied(),
                    (count > 0).then_some((count, (score * PARTS) as u64)),
                    "{bot} {name}"
                );
            }
        }
    }

    #[test]
    fn long_times_are_packed_with_four_digits() {
        for exact in [0, 1, 9_999, 12_345_678, (1 << 31) - 1] {
            assert_eq!(unpacked(packed(exact)), exact);
        }
        let long = [1 << 31, 12_345_678_901, 99_999_999_999, 10_u64.pow(19), u64::MAX];
        assert_eq!(long.map(|time| unpacked(packed(time))), long.map(rounded));
        assert!(packed((1 << 31) - 1) < packed(long[0]) && long.map(packed).is_sorted());
    }

    #[test]
    fn numbers_keep_four_digits() {
        assert_eq!(
            [0, 9_999, 10_001, 123_456, u64::MAX].map(rounded),
            [0, 9_999, 10_000, 123_400, 18_440_000_000_000_000_000]
        );
    }
}
