//! The openings of one game of a tournament, in the order of its rounds.

use std::collections::HashSet;
use std::sync::Arc;

use rules::{RulesFault, Setup};
use rustc_hash::FxBuildHasher;
use settings::OpeningScope;
use thiserror::Error;

use super::all::all;
use super::length::OpeningLength;
use super::line::Opening;
use super::random::Start;
use crate::PairPlace;
use crate::random::{RandomStream, hash};

/// How many consecutive openings may be old ones before all openings are listed.
const PATIENCE: u32 = 1000;

/// How much longer openings become if there are too few, in steps of one ply or turn.
const MOST_STEPS: u32 = 10;

/// With fewer openings than this, pairings share them evenly instead of in the order of the schedule.
const FEW: u32 = 1000;

/// The source of a game's openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// Random legal plies from the game's own start.
    Random {
        /// Their length.
        length: OpeningLength,
        /// Whether longer ones follow when all of this length have been used.
        deepens: bool,
    },
    /// These openings, in this order.
    Listed(Arc<[Opening]>),
}

/// Why a game has no opening.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoOpening {
    /// Every opening of this length decides the game.
    #[error("every opening of {length} decides a game of {label}")]
    Decided {
        /// The game's label.
        label: String,
        /// The requested length.
        length: String,
    },
    /// The rules of a game of one's own failed.
    #[error(transparent)]
    Rules(#[from] RulesFault),
}

/// The openings of one game of a tournament, made on demand. Each takes about thirty bytes.
///
/// ```
/// use runner::{OpeningLength, OpeningSource, Openings};
///
/// let setup = rules::find("farook")?.setup(&[])?;
/// let source = OpeningSource::Random { length: OpeningLength::Plies(3), deepens: false };
/// let openings = || Openings::new(&setup, &source, 7);
/// let (first, second) = (openings().get(1)?, openings().get(2)?);
/// assert_eq!(first.plies.len(), 3);
/// assert_ne!(first, second);
/// // The same seed gives the same openings.
/// assert_eq!(openings().get(1)?, first);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Openings {
    setup: Setup,
    /// The start of random openings, once one was made.
    start: Option<Start>,
    length: OpeningLength,
    steps_left: u32,
    stream: RandomStream,
    found: Found,
    /// The hashes of the positions to which openings lead. Among a million openings two collide once in forty million runs,
    /// which costs one opening.
    positions: HashSet<u64, FxBuildHasher>,
    /// Openings of the current length that random play has not found: the hash of the position, and the plies.
    rest: Vec<(u64, Box<str>)>,
    is_listed: bool,
    is_exhausted: bool,
    per: OpeningScope,
    /// Whether there are so few that pairings may have to share them from the start; determined on demand.
    are_few: Option<bool>,
}

impl Openings {
    /// Returns the openings for a run's seed.
    #[must_use]
    pub fn new(setup: &Setup, source: &OpeningSource, seed: u64) -> Self {
        let stream = RandomStream::new(seed, &["opening", &setup.label()]);
        let (length, deepens, found) = match source {
            OpeningSource::Random { length, deepens } => (*length, *deepens, Found::Made(Made::default())),
            OpeningSource::Listed(openings) => {
                (OpeningLength::Plies(0), false, Found::Listed(Arc::clone(openings)))
            }
        };
        Self {
            setup: setup.clone(),
            start: None,
            length,
            steps_left: if deepens { MOST_STEPS } else { 0 },
            stream,
            is_exhausted: matches!(source, OpeningSource::Listed(_)),
            found,
            positions: HashSet::default(),
            rest: Vec::new(),
            is_listed: false,
            per: OpeningScope::Round,
            are_few: None,
        }
    }

    /// Sets which pairs of games share an opening. The default is those of a round.
    #[must_use]
    pub fn per(self, per: OpeningScope) -> Self {
        Self { per, ..self }
    }

    /// Returns the opening of a pair, by its round, from 1, and its place among the pairs of its game.
    ///
    /// With [`OpeningScope::Pair`] every pair has a different one as long as there are enough. If they run out, or if there are
    /// few from the start, each pairing goes through them from its own starting point, one per round, so that the same two bots
    /// play all of them before any repeats.
    ///
    /// # Errors
    /// When games of this length are always decided, or the rules fail.
    pub fn of_pair(&mut self, round: u32, place: PairPlace) -> Result<Opening, NoOpening> {
        if self.per == OpeningScope::Round {
            return self.get(round);
        }
        let index = usize::try_from(place.ordinal).unwrap_or(usize::MAX);
        if !self.are_few()? {
            while self.found.len() <= index && !self.is_exhausted {
                self.find()?;
            }
            if index < self.found.len() {
                return Ok(self.found.get(index));
            }
        }
        let count = self.count(u32::MAX)?;
        let start = (f64::from(count) * radical_inverse(place.pairing)) as u32;
        self.get((u64::from(start) + u64::from(round.max(1) - 1)) as u32 % count.max(1) + 1)
    }

    /// Returns whether there are fewer than [`FEW`] openings. A source whose openings become longer always has many.
    fn are_few(&mut self) -> Result<bool, RulesFault> {
        let are_few = match (self.are_few, &self.found) {
            (Some(are_few), _) => are_few,
            (None, Found::Listed(_)) => true,
            (None, Found::Made(_)) => self.steps_left == 0 && self.count(FEW)? < FEW,
        };
        self.are_few = Some(are_few);
        Ok(are_few)
    }

    /// Returns the opening of a round, from 1. Openings of different rounds lead to different positions, also up to symmetry,
    /// until all are used; then they repeat in the same order. The opening depends on the game, the source and the seed only.
    ///
    /// # Errors
    /// When games of this length are always decided, or the rules fail.
    pub fn get(&mut self, round: u32) -> Result<Opening, NoOpening> {
        let index = round.saturating_sub(1) as usize;
        while self.found.len() <= index && !self.is_exhausted {
            self.find()?;
        }
        match self.found.len() {
            0 => Err(NoOpening::Decided { label: self.setup.label(), length: self.length.to_string() }),
            count => Ok(self.found.get(index % count)),
        }
    }

    /// Returns how many openings there are, at most `most`.
    ///
    /// It finds them by random play, and lists them when random play finds no more. If there are many more than `most`, it
    /// examines few.
    ///
    /// # Errors
    /// When the rules of a game of one's own fail.
    pub fn count(&mut self, most: u32) -> Result<u32, RulesFault> {
        while self.found.len() < most as usize && !self.is_exhausted {
            self.find()?;
        }
        Ok(self.found.len().min(most as usize) as u32)
    }

    /// Searches for one more opening.
    fn find(&mut self) -> Result<(), RulesFault> {
        if !self.is_listed {
            let start = match self.start.take() {
                Some(start) => start,
                None => Start::of(&self.setup)?,
            };
            let start = self.start.insert(start);
            for _ in 0..PATIENCE {
                if let Some((position, plies)) = start.random_plies(self.length, &mut self.stream)?
                    && add(&mut self.positions, &mut self.found, hash(&[&position]), &plies.join(" "))
                {
                    return Ok(());
                }
            }
            self.is_listed = true;
            self.rest = all(&self.setup, self.length)?.unwrap_or_default();
        }
        while !self.rest.is_empty() {
            let chosen = self.stream.below(self.rest.len());
            let (position, plies) = self.rest.swap_remove(chosen);
            if add(&mut self.positions, &mut self.found, position, plies.trim_end()) {
                return Ok(());
            }
        }
        if self.steps_left == 0 {
            self.is_exhausted = true;
            return Ok(());
        }
        self.steps_left -= 1;
        self.rest = Vec::new();
        self.length = self.length.longer();
        self.is_listed = false;
        Ok(())
    }
}

/// Adds an opening unless the hash of its position is known; returns whether it is new.
fn add(positions: &mut HashSet<u64, FxBuildHasher>, found: &mut Found, position: u64, plies: &str) -> bool {
    let is_new = positions.insert(position);
    if is_new && let Found::Made(made) = found {
        made.push(plies);
    }
    is_new
}

/// Returns a number in \[0, 1) such that the first numbers are evenly spread for any count of them: the reversed binary digits
/// after the point (van der Corput 1935).
fn radical_inverse(number: u64) -> f64 {
    (number.reverse_bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// The openings so far.
enum Found {
    /// All there are.
    Listed(Arc<[Opening]>),
    /// Those made so far.
    Made(Made),
}

impl Found {
    fn len(&self) -> usize {
        match self {
            Self::Listed(openings) => openings.len(),
            Self::Made(made) => made.len,
        }
    }

    /// Returns an opening by its index, from 0.
    fn get(&self, index: usize) -> Opening {
        match self {
            Self::Listed(openings) => openings[index].clone(),
            Self::Made(made) => made.get(index),
        }
    }
}

/// The plies of openings from a game's own start, as text: some bytes for each of a million.
#[derive(Default)]
struct Made {
    /// All blocks but the last, of [`Self::BLOCK`] openings each: a space between plies, and a line feed after each opening.
    blocks: Vec<Box<str>>,
    /// The last block.
    open: String,
    /// The number of openings.
    len: usize,
}

impl Made {
    const BLOCK: usize = 64;

    /// Adds the plies of an opening, with a space between them.
    fn push(&mut self, plies: &str) {
        if self.len > 0 && self.len.is_multiple_of(Self::BLOCK) {
            self.blocks.push(self.open.as_str().into());
            self.open.clear();
        }
        self.open.push_str(plies);
        self.open.push('\n');
        self.len += 1;
    }

    /// Returns an opening by its index, from 0, which is less than [`Self::len`].
    fn get(&self, index: usize) -> Opening {
        let block = self.blocks.get(index / Self::BLOCK).map_or(self.open.as_str(), |block| block);
        let line = block.split('\n').nth(index % Self::BLOCK).unwrap_or_default();
        Opening { start: None, plies: line.split_terminator(' ').map(str::to_owned).collect() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PLIES: fn(u32) -> OpeningSource =
        |plies| OpeningSource::Random { length: OpeningLength::Plies(plies), deepens: false };
    const TURNS: fn(u32) -> OpeningSource =
        |turns| OpeningSource::Random { length: OpeningLength::Turns(turns), deepens: false };

    fn setup(game: &str, options: &[(&str, &str)]) -> Setup {
        rules::find(game).unwrap().setup(options).unwrap()
    }

    /// Returns the position that an opening leads to.
    fn position(setup: &Setup, opening: &Opening) -> String {
        let mut referee = opening.referee(setup).unwrap();
        opening.play(referee.as_mut()).unwrap();
        assert_eq!(referee.outcome(), None);
        referee.position()
    }

    #[test]
    fn every_round_begins_elsewhere() {
        for game in rules::GAMES {
            let setup = game.setup(&[]).unwrap();
            let mut openings = Openings::new(&setup, &PLIES(4), 1);
            let positions: HashSet<_> =
                (1..=50).map(|round| position(&setup, &openings.get(round).unwrap())).collect();
            assert_eq!(positions.len(), 50, "{}", game.id);
        }
    }

    #[test]
    fn every_pair_has_an_opening_of_its_own_where_there_are_enough() {
        let setup = setup("farook", &[]);
        let source = OpeningSource::Random { length: OpeningLength::Turns(2), deepens: true };
        let mut openings = Openings::new(&setup, &source, 1).per(OpeningScope::Pair);
        let mut seen = HashSet::new();
        for round in 1..=20 {
            for pairing in 0..10 {
                let place = PairPlace { ordinal: u64::from(round - 1) * 10 + pairing, pairing };
                assert!(seen.insert(position(&setup, &openings.of_pair(round, place).unwrap())));
            }
        }
        // Two bots alone play them in the order of the rounds.
        let mut rounds = Openings::new(&setup, &source, 1);
        for round in 1..=20 {
            let place = PairPlace { ordinal: u64::from(round - 1), pairing: 0 };
            assert_eq!(openings.of_pair(round, place), rounds.get(round));
        }
    }

    #[test]
    fn few_openings_are_shared_evenly_and_come_once_for_two_bots() {
        let setup = setup("fanorona", &[("size", "3x3")]);
        let count = Openings::new(&setup, &PLIES(1), 1).count(100).unwrap();
        let listed: Vec<Opening> = {
            let mut made = Openings::new(&setup, &PLIES(1), 1);
            (1..=count).map(|round| made.get(round).unwrap()).collect()
        };
        for source in [PLIES(1), OpeningSource::Listed(listed.clone().into())] {
            let mut openings = Openings::new(&setup, &source, 1).per(OpeningScope::Pair);
            let mut uses = vec![0; listed.len()];
            let pairings = 12;
            for pairing in 0..pairings {
                let mut own = HashSet::new();
                for round in 1..=count {
                    let place = PairPlace { ordinal: u64::from(round - 1) * pairings + pairing, pairing };
                    let opening = openings.of_pair(round, place).unwrap();
                    uses[listed.iter().position(|other| *other == opening).unwrap()] += 1;
                    assert!(own.insert(opening));
                }
            }
            assert!(uses.iter().all(|uses| *uses == pairings), "{uses:?}");
            // The first two bots play a list in its order.
            let first = openings.of_pair(1, PairPlace::default()).unwrap();
            assert_eq!(first, listed[0]);
        }
    }

    #[test]
    fn turns_are_whole() {
        for game in rules::GAMES {
            let setup = game.setup(&[]).unwrap();
            for turns in 1..5 {
                let mut openings = Openings::new(&setup, &TURNS(turns), 1);
                for round in 1..=5 {
                    let opening = openings.get(round).unwrap();
                    let mut referee = setup.referee(None).unwrap();
                    let mut begun = 0;
                    for ply in &opening.plies {
                        begun += u32::from(referee.turn().is_fresh);
                        referee.submit(ply).unwrap();
                    }
                    assert_eq!((begun, referee.turn().is_fresh), (turns, true), "{}", game.id);
                }
            }
        }
    }

    #[test]
    fn one_ply_a_turn_makes_the_same_openings_of_turns_and_plies() {
        for game in ["farook", "faust", "sophia", "fanorona"] {
            let setup = setup(game, &[]);
            let [mut plies, mut turns] = [PLIES(2), TURNS(2)].map(|source| Openings::new(&setup, &source, 7));
            for round in 1..=10 {
                assert_eq!(plies.get(round), turns.get(round), "{game}");
            }
        }
        let mut frenzy = Openings::new(&setup("frenzy", &[]), &TURNS(2), 1);
        assert_eq!(frenzy.get(1).unwrap().plies.len(), 3);
    }

    #[test]
    fn exhausted_openings_begin_again_in_the_same_order() {
        let setup = setup("fanorona", &[("size", "3x3")]);
        let count = setup.perft(None, 1).unwrap() as u32;
        let mut openings = Openings::new(&setup, &PLIES(1), 1);
        let all: Vec<_> = (1..=3 * count).map(|round| openings.get(round).unwrap()).collect();
        assert_eq!(all[..count as usize].iter().collect::<HashSet<_>>().len(), count as usize);
        for (i, opening) in all.iter().enumerate() {
            assert_eq!(opening, &all[i % count as usize]);
        }
        assert_eq!((openings.count(3).unwrap(), openings.count(1_000_000).unwrap()), (3, count));
    }

    #[test]
    fn deeper_openings_come_after_all_of_the_usual_length() {
        let setup = setup("fanorona", &[("size", "3x3")]);
        let source = OpeningSource::Random { length: OpeningLength::Plies(1), deepens: true };
        let mut deep = Openings::new(&setup, &source, 1);
        let mut plain = Openings::new(&setup, &PLIES(1), 1);
        let count = plain.count(100).unwrap();
        let total = deep.count(100_000).unwrap();
        assert!(total > count, "{total}");
        for round in 1..=count {
            assert_eq!(plain.get(round), deep.get(round));
        }
        let lengths: Vec<_> = (1..=total).map(|round| deep.get(round).unwrap().plies.len()).collect();
        assert!(lengths.is_sorted() && lengths[count as usize] == 2, "{lengths:?}");
        let positions: HashSet<_> =
            (1..=total).map(|round| position(&setup, &deep.get(round).unwrap())).collect();
        assert_eq!(positions.len(), total as usize);
    }

    #[test]
    fn what_only_lies_otherwise_is_the_same_opening() {
        // A corner, an edge, the centre.
        let setup = setup("faust", &[("size", "3")]);
        assert_eq!((setup.perft(None, 1), Openings::new(&setup, &PLIES(1), 1).count(9).unwrap()), (Ok(9), 3));
    }

    #[test]
    fn all_openings_are_found() {
        for (game, options, length) in [
            ("fanorona", &[("size", "5x5")][..], 3),
            ("faust", &[("size", "4")], 2),
            ("farook", &[], 2),
            ("fanorona", &[], 3),
        ] {
            let setup = setup(game, options);
            let expected = all(&setup, OpeningLength::Plies(length)).unwrap().expect("few enough");
            let expected = expected.len() as u32;
            assert_eq!(Openings::new(&setup, &PLIES(length), 3).count(100_000).unwrap(), expected, "{game}");
        }
    }

    #[test]
    fn openings_that_decide_the_game_are_refused() {
        let setup = setup("fanorona", &[("size", "3x3")]);
        let error = Openings::new(&setup, &PLIES(10_000), 1).get(1).unwrap_err();
        assert_eq!(error.to_string(), "every opening of 10000 plies decides a game of fanorona size=3x3");
    }

    #[test]
    fn no_plies_are_one_opening() {
        for source in [PLIES(0), TURNS(0)] {
            let mut openings = Openings::new(&setup("frenzy", &[]), &source, 1);
            assert_eq!(openings.get(9), Ok(Opening::default()));
            assert_eq!(openings.count(9).unwrap(), 1);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn an_opening_depends_on_what_is_given_only(seed: u64, plies in 0..6_u32, rounds in 1..6_u32) {
            let setup = setup("frenzy", &[]);
            let mut openings = Openings::new(&setup, &PLIES(plies), seed);
            for round in (1..=rounds).rev() {
                let mut others = Openings::new(&setup, &PLIES(plies), seed);
                prop_assert_eq!(openings.get(round).unwrap(), others.get(round).unwrap());
            }
        }
    }
}
