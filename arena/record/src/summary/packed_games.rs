//! Many games in a third of the memory that their summaries take.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use rules::Seat;
use rustc_hash::FxBuildHasher;

use super::game_summary::{GameContext, GameSummary, Lineup};
use super::thinking_time::ThinkingTime;
use crate::{GameResult, Termination};

/// The games of a run without their plies: a list of [`GameSummary`] in 30 to 40 bytes each instead of more than 100. They are
/// read from the first to the last; any other order costs more.
///
/// Most figures of a game are small beside those of the game before, and are written as the difference, seven bits to a byte
/// ([LEB128](https://en.wikipedia.org/wiki/LEB128)). What repeats is written once and then named: lineups, results, and round
/// and opening of a pair.
#[derive(Clone, Debug, Default)]
pub struct PackedGames {
    /// All blocks but the last. Nothing in a block refers to an earlier one. Each has its own memory: one list of all bytes would
    /// leave holes as large as itself when it grows.
    blocks: Vec<Box<[u8]>>,
    /// The last block.
    open: Vec<u8>,
    contexts: Vec<GameContext>,
    /// The places of contexts without remarks, by the address of the lineup, which they hold.
    by_lineup: HashMap<usize, u32, FxBuildHasher>,
    outcomes: Vec<Outcome>,
    by_outcome: HashMap<Outcome, u32, FxBuildHasher>,
    /// The number of games.
    len: usize,
    /// What the next game is written as different from.
    window: Window,
    /// Whether a game has a lower number than the one before it, or the same.
    is_unsorted: bool,
}

/// How many games a block has; the last one may have fewer.
const BLOCK: usize = 64;

/// How many decoded blocks are held while games are read in another order than that of the list.
const HELD_BLOCKS: usize = 8;

/// How many games back the other game of a pair is looked for. Less than 16, because it is written in half a byte.
const PARTNERS: usize = 15;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Outcome {
    result: GameResult,
    reason: Termination,
    failed: Option<Seat>,
}

/// What a game is written as different from: the figures of earlier games of its block.
#[derive(Clone, Debug, Default)]
struct Window {
    number: u64,
    started: u32,
    place: u64,
    /// The games of the block so far.
    len: usize,
    /// What the last games have in common with others of their pairs. Game `n` of the block is at `n % (PARTNERS + 1)`.
    meetings: [Meeting; PARTNERS + 1],
}

/// What the games of a pair share, if they begin alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Meeting {
    pair: u64,
    round: u32,
    opening: u64,
}

impl Window {
    fn last(&self) -> Meeting {
        self.meetings[self.len.wrapping_sub(1) % (PARTNERS + 1)]
    }

    /// Returns how many games back the same meeting is; 0 if it is not near.
    fn way_to(&self, meeting: Meeting) -> usize {
        (1..=self.len.min(PARTNERS)).find(|way| self.back(*way) == meeting).unwrap_or(0)
    }

    /// Returns the meeting of the game so many before.
    fn back(&self, way: usize) -> Meeting {
        self.meetings[self.len.wrapping_sub(way) % (PARTNERS + 1)]
    }

    fn take(&mut self, number: u64, started: u32, place: u64, meeting: Meeting) {
        self.meetings[self.len % (PARTNERS + 1)] = meeting;
        (self.number, self.started, self.place) = (number, started, place);
        self.len += 1;
    }
}

impl PackedGames {
    /// Returns the number of games.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no games.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a game.
    ///
    /// # Panics
    /// With more than 2^32 lineups or remarks.
    pub fn push(&mut self, game: &GameSummary<'_>) {
        self.is_unsorted |= self.len > 0 && game.number <= self.window.number;
        if self.len > 0 && self.len.is_multiple_of(BLOCK) {
            self.window = Window::default();
            self.blocks.push(self.open.as_slice().into());
            self.open.clear();
        }
        let context = self.context(&game.context);
        let outcome = Outcome { result: game.result, reason: game.reason, failed: game.failed };
        let outcome = numbered(&mut self.outcomes, &mut self.by_outcome, outcome);
        let Self { open: bytes, window, .. } = self;
        let meeting = Meeting { pair: game.pair, round: game.round, opening: game.opening };
        let way = window.way_to(meeting);
        bytes.push(way as u8 | game.leg.min(15) << 4);
        if game.leg >= 15 {
            bytes.push(game.leg);
        }
        difference(bytes, window.number, game.number);
        if way == 0 {
            let last = window.last();
            difference(bytes, last.pair, meeting.pair);
            difference(bytes, last.round.into(), meeting.round.into());
            bytes.extend(meeting.opening.to_le_bytes());
        }
        number(bytes, context.into());
        number(bytes, outcome.into());
        number(bytes, game.plies.into());
        bytes.extend(game.seconds.to_le_bytes());
        difference(bytes, window.started.into(), game.started.into());
        for time in game.thinking {
            number(bytes, time.decisions);
            number(bytes, time.micros);
        }
        difference(bytes, window.place, game.place);
        bytes.extend(game.fingerprint.to_le_bytes());
        window.take(game.number, game.started, game.place, meeting);
        self.len += 1;
    }

    /// Returns the place of a context, which is added if it is new.
    fn context(&mut self, context: &GameContext) -> u32 {
        let next = u32::try_from(self.contexts.len()).expect("there are fewer than 2^32 lineups and remarks");
        if context.remarks.is_some() {
            self.contexts.push(context.clone());
            return next;
        }
        *self.by_lineup.entry(Arc::as_ptr(&context.lineup).addr()).or_insert_with(|| {
            self.contexts.push(context.clone());
            next
        })
    }

    /// Returns the games, in the order in which they were added.
    #[must_use]
    pub fn iter(&self) -> PackedIter<'_> {
        PackedIter { games: self, next: 0, rest: &[], window: Window::default() }
    }

    /// Returns a game by its place in the list; `None` beyond its end.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<GameSummary<'_>> {
        self.starting_at_block(place / BLOCK)?.nth(place % BLOCK)
    }

    /// Returns the games from the one at the start of a block on.
    fn starting_at_block(&self, block: usize) -> Option<PackedIter<'_>> {
        let next = block.checked_mul(BLOCK).filter(|next| *next <= self.len)?;
        Some(PackedIter { next, ..self.iter() })
    }

    /// Returns the games at these places of the list; all games in the order of the list for `None`. What is near in the list is
    /// read once if it is near in the new order.
    ///
    /// # Panics
    /// When it comes to a place beyond the end of the list.
    #[must_use]
    pub fn in_order<O: AsRef<[u32]>>(&self, order: Option<O>) -> PackedOrder<'_, O> {
        PackedOrder {
            all: self.iter(),
            held: vec![None; HELD_BLOCKS * usize::from(order.is_some())],
            next: 0,
            order,
        }
    }

    /// Returns the places of the games in the order of their numbers, those of one number in the order of the list; `None` if
    /// the list has this order and every number once.
    #[must_use]
    pub fn order_by_number(&self) -> Option<Vec<u32>> {
        self.is_unsorted.then(|| {
            let numbers: Vec<u64> = self.iter().map(|game| game.number).collect();
            let mut order: Vec<u32> = (0..self.len as u32).collect();
            order.sort_unstable_by_key(|place| (numbers[*place as usize], *place));
            order
        })
    }

    /// Sorts the games by number; games with the same number stay in the order in which they were added.
    pub fn sort_by_number(&mut self) {
        if let Some(order) = self.order_by_number() {
            let mut sorted = Self::default();
            sorted.extend(self.in_order(Some(order)));
            *self = sorted;
        }
    }

    /// Keeps only the games for which `is_kept` holds.
    pub fn retain(&mut self, is_kept: impl FnMut(&GameSummary<'_>) -> bool) {
        *self = self.iter().filter(is_kept).collect();
    }

    /// Returns the lineups of all games, some of them several times.
    pub fn lineups(&self) -> impl Iterator<Item = &Arc<Lineup>> {
        self.contexts.iter().map(|context| &context.lineup)
    }
}

impl PartialEq for PackedGames {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other)
    }
}

impl<'a> Extend<GameSummary<'a>> for PackedGames {
    fn extend<I: IntoIterator<Item = GameSummary<'a>>>(&mut self, games: I) {
        games.into_iter().for_each(|game| self.push(&game));
    }
}

impl<'a> FromIterator<GameSummary<'a>> for PackedGames {
    fn from_iter<I: IntoIterator<Item = GameSummary<'a>>>(games: I) -> Self {
        let mut packed = Self::default();
        packed.extend(games);
        packed
    }
}

impl<'a> IntoIterator for &'a PackedGames {
    type Item = GameSummary<'a>;
    type IntoIter = PackedIter<'a>;

    fn into_iter(self) -> PackedIter<'a> {
        self.iter()
    }
}

/// The games of a [`PackedGames`], from one on to the last.
#[derive(Clone, Debug)]
pub struct PackedIter<'a> {
    games: &'a PackedGames,
    /// The place of the next game in the list.
    next: usize,
    /// What is still to be read of its block.
    rest: &'a [u8],
    window: Window,
}

impl<'a> Iterator for PackedIter<'a> {
    type Item = GameSummary<'a>;

    fn next(&mut self) -> Option<GameSummary<'a>> {
        let Self { games, next, rest, window } = self;
        if *next == games.len {
            return None;
        }
        if next.is_multiple_of(BLOCK) {
            *rest = games.blocks.get(*next / BLOCK).map_or(&games.open, |block| block);
            *window = Window::default();
        }
        *next += 1;
        let [first] = fixed(rest);
        let leg = if first >> 4 == 15 { fixed::<1>(rest)[0] } else { first >> 4 };
        let number = add(rest, window.number);
        let meeting = match usize::from(first & 15) {
            0 => {
                let last = window.last();
                let (pair, round) = (add(rest, last.pair), add(rest, last.round.into()) as u32);
                Meeting { pair, round, opening: u64::from_le_bytes(fixed(rest)) }
            }
            way => window.back(way),
        };
        let context = &games.contexts[read(rest) as usize];
        let Outcome { result, reason, failed } = games.outcomes[read(rest) as usize];
        let plies = read(rest) as u32;
        let seconds = f32::from_le_bytes(fixed(rest));
        let started = add(rest, window.started.into()) as u32;
        let thinking = [(); 2].map(|()| {
            let decisions = read(rest);
            ThinkingTime { micros: read(rest), decisions }
        });
        let place = add(rest, window.place);
        let fingerprint = u64::from_le_bytes(fixed(rest));
        window.take(number, started, place, meeting);
        let Meeting { pair, round, opening } = meeting;
        Some(GameSummary {
            number,
            pair,
            context: Cow::Borrowed(context),
            seconds,
            started,
            thinking,
            place,
            fingerprint,
            opening,
            round,
            plies,
            leg,
            result,
            reason,
            failed,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = self.games.len - self.next;
        (rest, Some(rest))
    }
}

impl ExactSizeIterator for PackedIter<'_> {}

/// The games of a [`PackedGames`] in another order.
#[derive(Clone, Debug)]
pub struct PackedOrder<'a, O> {
    /// The games in the order of the list.
    all: PackedIter<'a>,
    order: Option<O>,
    /// How many places of the order were read.
    next: usize,
    /// The games of some blocks, each at the number of its block modulo the length.
    held: Vec<Option<(usize, Vec<GameSummary<'a>>)>>,
}

impl<'a, O: AsRef<[u32]>> Iterator for PackedOrder<'a, O> {
    type Item = GameSummary<'a>;

    fn next(&mut self) -> Option<GameSummary<'a>> {
        let Some(order) = &self.order else { return self.all.next() };
        let place = *order.as_ref().get(self.next)? as usize;
        self.next += 1;
        let (block, games) = (place / BLOCK, self.all.games);
        let held = &mut self.held[block % HELD_BLOCKS];
        if held.as_ref().is_none_or(|(known, _)| *known != block) {
            let read = games
                .starting_at_block(block)
                .expect("an order names games of the list")
                .take(BLOCK)
                .collect();
            *held = Some((block, read));
        }
        held.as_ref().map(|(_, held)| held[place % BLOCK].clone())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let Some(order) = &self.order else { return self.all.size_hint() };
        let rest = order.as_ref().len() - self.next;
        (rest, Some(rest))
    }
}

impl<O: AsRef<[u32]>> ExactSizeIterator for PackedOrder<'_, O> {}

/// Returns the place of a value in a list, to which it is added if it is new.
fn numbered<T: Copy + Eq + Hash>(
    list: &mut Vec<T>,
    known: &mut HashMap<T, u32, FxBuildHasher>,
    value: T,
) -> u32 {
    *known.entry(value).or_insert_with(|| {
        list.push(value);
        u32::try_from(list.len() - 1).expect("there are fewer than 2^32 results")
    })
}

/// Writes a number, low bits first, seven to a byte; the highest bit says that more follow.
fn number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 1 << 7 {
        bytes.push(value as u8 | 1 << 7);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Writes how much a number is above or below another, with the sign in the lowest bit. Differences wrap around.
fn difference(bytes: &mut Vec<u8>, from: u64, to: u64) {
    let way = to.wrapping_sub(from).cast_signed();
    number(bytes, (way << 1 ^ way >> 63).cast_unsigned());
}

/// Reads what [`number`] wrote.
#[inline]
fn read(rest: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let [byte] = fixed(rest);
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 1 << 7 {
            return value;
        }
        shift += 7;
    }
}

/// Reads what [`difference`] wrote.
#[inline]
fn add(rest: &mut &[u8], from: u64) -> u64 {
    let way = read(rest);
    from.wrapping_add(way >> 1 ^ (way & 1).wrapping_neg())
}

/// Reads so many bytes.
#[inline]
fn fixed<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let (first, after) = rest.split_first_chunk().expect("only whole games are written");
    *rest = after;
    *first
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;
    use rules::{PerSeat, Places};

    use super::super::game_summary::{Remarks, Ruleset, SeatedBot};
    use super::*;

    fn lineup(bots: [&str; 2]) -> Arc<Lineup> {
        let seat = |bot: &str| {
            let (bot, version, digest) = (bot.to_owned(), String::new(), String::new());
            Arc::new(SeatedBot { bot, version, digest, tc: String::new().into() })
        };
        let ruleset = Arc::new(Ruleset { game: "farook".to_owned(), label: "farook".to_owned() });
        Arc::new(Lineup { ruleset, seats: PerSeat::from(bots.map(seat)), worker: None })
    }

    /// Figures as in a run: mostly small or near the ones before, but any are possible.
    fn figure() -> impl Strategy<Value = u64> {
        prop_oneof![4 => 0_u64..200, 1 => any::<u64>(), 1 => select(vec![0, u64::MAX, 1 << 63])]
    }

    /// Games of two lineups, with and without remarks.
    fn games() -> impl Strategy<Value = Vec<GameSummary<'static>>> {
        let lineups = [lineup(["a", "b"]), lineup(["b", "a"])];
        let context = (select(lineups.to_vec()), prop::option::weighted(0.1, "[a-z]{0,3}")).prop_map(
            |(lineup, detail)| {
                let remarks =
                    detail.map(|detail| Box::new(Remarks { detail: Some(detail), ..Remarks::default() }));
                GameContext { lineup, remarks }
            },
        );
        let places = Places::new(&[1, 2, 2]).expect("places");
        let results =
            select(vec![GameResult::P1Win, GameResult::Draw, GameResult::None, GameResult::Places(places)]);
        let reasons = select(vec![Termination::Resign, Termination::Timeout, Termination::Rejected]);
        let failed = prop::option::weighted(0.1, select(vec![Seat::P1, Seat::P2]));
        let outcome = (results, reasons, failed);
        let time = || (figure(), figure()).prop_map(|(micros, decisions)| ThinkingTime { micros, decisions });
        let numbers = (figure(), 0_u64..4, 0_u32..3, figure(), figure(), 0_u64..3);
        let game =
            (context, outcome, numbers, [time(), time()], any::<[u32; 2]>(), any::<u8>(), -1.0_f32..1e9)
                .prop_map(|(context, outcome, numbers, thinking, [started, plies], leg, seconds)| {
                    let (number, pair, round, place, fingerprint, opening) = numbers;
                    let (result, reason, failed) = outcome;
                    let context = Cow::Owned(context);
                    GameSummary {
                        number,
                        pair,
                        context,
                        seconds,
                        started,
                        thinking,
                        place,
                        fingerprint,
                        opening,
                        round,
                        plies,
                        leg,
                        result,
                        reason,
                        failed,
                    }
                });
        vec(game, 0..3 * BLOCK)
    }

    proptest! {
        #[test]
        fn games_come_back_as_they_were(games in games()) {
            let packed: PackedGames = games.iter().cloned().collect();
            prop_assert_eq!(packed.iter().len(), games.len());
            prop_assert_eq!(packed.iter().collect::<Vec<_>>(), games.clone());
            for (place, game) in games.iter().enumerate() {
                let found = packed.get(place);
                prop_assert_eq!(found.as_ref(), Some(game));
            }
            prop_assert!(packed.get(games.len()).is_none());
            prop_assert_eq!(&packed, &packed.iter().collect());
            prop_assert_eq!(packed.lineups().count() > 0, !games.is_empty());
        }

        #[test]
        fn games_are_read_and_sorted_in_any_order(games in games(), seed in any::<u64>()) {
            let mut packed: PackedGames = games.iter().cloned().collect();
            let mut order: Vec<u32> = (0..games.len() as u32).collect();
            order.sort_by_key(|place| seed.wrapping_mul(u64::from(*place) + 1).rotate_left(17));
            let expected: Vec<_> = order.iter().map(|place| games[*place as usize].clone()).collect();
            prop_assert_eq!(packed.in_order(Some(&order)).collect::<Vec<_>>(), expected);
            let mut sorted = games.clone();
            sorted.sort_by_key(|game| game.number);
            let is_in_order = games.is_sorted_by(|one, next| one.number < next.number);
            prop_assert_eq!(packed.order_by_number().is_none(), is_in_order);
            packed.sort_by_number();
            prop_assert_eq!(packed.iter().collect::<Vec<_>>(), sorted);
        }

        #[test]
        fn games_that_are_not_kept_leave_no_trace(games in games()) {
            let mut packed: PackedGames = games.iter().cloned().collect();
            packed.retain(|game| game.round > 0);
            let kept: PackedGames = games.into_iter().filter(|game| game.round > 0).collect();
            prop_assert_eq!(packed, kept);
        }
    }

    /// Pairs of two bots as a run with three games at once records them.
    #[test]
    fn a_game_of_a_run_takes_few_bytes() {
        const PAIRS: u64 = 10_000;
        let lineups = [lineup(["a", "b"]), lineup(["b", "a"])];
        let mut packed = PackedGames::default();
        for (pair, leg) in (0..PAIRS / 3)
            .flat_map(|three| (1..=2).flat_map(move |leg| (0..3).map(move |slot| (3 * three + slot, leg))))
        {
            let number = 2 * pair + leg;
            let mix = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            packed.push(&GameSummary {
                number,
                pair: pair + 1,
                context: Cow::Owned(GameContext::new(Arc::clone(&lineups[leg as usize - 1]))),
                seconds: mix as f32 / 1e18,
                started: 1_795_000_000 + number as u32 / 20,
                thinking: [0, 7].map(|bits| ThinkingTime { micros: mix >> (40 + bits), decisions: 20 }),
                place: 3200 * number + mix % 400,
                fingerprint: mix,
                opening: pair.wrapping_mul(0x2545_f491_4f6c_dd1d),
                round: pair as u32 / 10 + 1,
                plies: 40 + (mix % 30) as u32,
                leg: leg as u8,
                result: GameResult::Draw,
                reason: Termination::PlyLimit,
                failed: None,
            });
        }
        let bytes: usize = packed.blocks.iter().map(|block| size_of_val(block) + block.len()).sum();
        assert!(bytes <= 36 * packed.len(), "{} bytes a game", bytes as f64 / packed.len() as f64);
    }
}
