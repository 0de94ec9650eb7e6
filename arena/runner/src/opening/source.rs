//! The openings of one game of a tournament, in the order of its rounds.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use rules::Setup;
use rustc_hash::FxBuildHasher;
use thiserror::Error;

use super::all::all;
use super::line::Opening;
use super::random::Start;
use crate::seed::{Stream, hash};

/// How many openings in a row may be no new ones before all of them are listed.
const PATIENCE: u32 = 1000;

/// How much longer openings are made where there are too few, in steps of one ply or turn.
const MOST_STEPS: u32 = 10;

/// How long random openings are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// So many plies.
    Plies(u32),
    /// So many whole turns.
    Turns(u32),
}

impl Length {
    /// Returns the next greater length.
    const fn longer(self) -> Self {
        match self {
            Self::Plies(plies) => Self::Plies(plies + 1),
            Self::Turns(turns) => Self::Turns(turns + 1),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, unit) = match self {
            Self::Plies(count) => (count, "ply"),
            Self::Turns(count) => (count, "turn"),
        };
        let unit = match (count, unit) {
            (1, unit) => unit,
            (_, "ply") => "plies",
            _ => "turns",
        };
        write!(f, "{count} {unit}")
    }
}

/// Where the openings of a game come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// Random legal plies from the game's own start.
    Random {
        /// How long they are.
        length: Length,
        /// Whether longer ones follow when all of this length have been played.
        deepens: bool,
    },
    /// These, in this order.
    Listed(Arc<[Opening]>),
}

/// No opening of this length leaves a game undecided.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("openings of {length} leave no game of {label} to play")]
pub struct NoOpening {
    /// The game's label.
    pub label: String,
    /// The length asked for.
    pub length: String,
}

/// The openings of one game of a tournament, each made when it is first asked for. One that was made costs some thirty bytes.
pub struct Openings {
    setup: Setup,
    start: Start,
    length: Length,
    steps_left: u32,
    stream: Stream,
    found: Found,
    /// The hashes of the positions to which openings lead. Of a million there are two with one hash once in forty million
    /// runs, and then one opening less.
    positions: HashSet<u64, FxBuildHasher>,
    /// Openings of the present length that chance has not found.
    rest: Vec<(String, Vec<String>)>,
    is_listed: bool,
    is_exhausted: bool,
}

impl Openings {
    /// Returns the openings that belong to a run's seed.
    #[must_use]
    pub fn new(setup: &Setup, source: &OpeningSource, seed: u64) -> Self {
        let stream = Stream::new(seed, &["opening", &setup.label()]);
        let (length, deepens, found) = match source {
            OpeningSource::Random { length, deepens } => (*length, *deepens, Found::Made(Made::default())),
            OpeningSource::Listed(openings) => (Length::Plies(0), false, Found::Listed(Arc::clone(openings))),
        };
        Self {
            setup: setup.clone(),
            start: Start::of(setup),
            length,
            steps_left: if deepens { MOST_STEPS } else { 0 },
            stream,
            is_exhausted: matches!(source, OpeningSource::Listed(_)),
            found,
            positions: HashSet::default(),
            rest: Vec::new(),
            is_listed: false,
        }
    }

    /// Returns the opening of a round, counted from 1. Each round has another one, by the position that it
    /// leads to (one that only lies otherwise on the board is the same), until there are no more; then they begin
    /// again in the same order. It depends on the game, the source and the seed only.
    ///
    /// # Errors
    /// When games of this length are always decided.
    pub fn get(&mut self, round: u32) -> Result<Opening, NoOpening> {
        let index = round.saturating_sub(1) as usize;
        while self.found.len() <= index && !self.is_exhausted {
            self.find();
        }
        match self.found.len() {
            0 => Err(NoOpening { label: self.setup.label(), length: self.length.to_string() }),
            count => Ok(self.found.get(index % count)),
        }
    }

    /// Returns how many openings there are, but no more than `most`.
    ///
    /// They are found by random play, and listed when random play finds no more: where there are many more than
    /// `most`, few are looked at.
    #[must_use]
    pub fn count(&mut self, most: u32) -> u32 {
        while self.found.len() < most as usize && !self.is_exhausted {
            self.find();
        }
        self.found.len().min(most as usize) as u32
    }

    /// Looks for one more opening.
    fn find(&mut self) {
        if !self.is_listed {
            for _ in 0..PATIENCE {
                if let Some((position, plies)) = self.start.random_plies(self.length, &mut self.stream)
                    && self.add(&position, &plies)
                {
                    return;
                }
            }
            self.is_listed = true;
            self.rest = all(&self.setup, self.length).unwrap_or_default();
        }
        while !self.rest.is_empty() {
            let chosen = self.stream.below(self.rest.len());
            let (position, plies) = self.rest.swap_remove(chosen);
            if self.add(&position, &plies) {
                return;
            }
        }
        if self.steps_left == 0 {
            self.is_exhausted = true;
            return;
        }
        self.steps_left -= 1;
        self.rest = Vec::new();
        self.length = self.length.longer();
        self.is_listed = false;
    }

    /// Adds an opening unless it leads to a position that is known; returns whether it is new.
    fn add(&mut self, position: &str, plies: &[String]) -> bool {
        let is_new = self.positions.insert(hash(&[position]));
        if is_new && let Found::Made(made) = &mut self.found {
            made.push(plies);
        }
        is_new
    }
}

/// The openings so far.
enum Found {
    /// All there are.
    Listed(Arc<[Opening]>),
    /// Those that were made.
    Made(Made),
}

impl Found {
    fn len(&self) -> usize {
        match self {
            Self::Listed(openings) => openings.len(),
            Self::Made(made) => made.ends.len(),
        }
    }

    /// Returns one, counted from 0.
    fn get(&self, index: usize) -> Opening {
        match self {
            Self::Listed(openings) => openings[index].clone(),
            Self::Made(made) => made.get(index),
        }
    }
}

/// The plies of openings from a game's own start, in one text.
#[derive(Default)]
struct Made {
    /// A space after each ply.
    plies: String,
    /// Where each opening ends.
    ends: Vec<usize>,
}

impl Made {
    fn push(&mut self, plies: &[String]) {
        for ply in plies {
            self.plies.push_str(ply);
            self.plies.push(' ');
        }
        self.ends.push(self.plies.len());
    }

    fn get(&self, index: usize) -> Opening {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let plies = self.plies[start..self.ends[index]].split_terminator(' ');
        Opening { start: None, plies: plies.map(str::to_owned).collect() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PLIES: fn(u32) -> OpeningSource =
        |plies| OpeningSource::Random { length: Length::Plies(plies), deepens: false };
    const TURNS: fn(u32) -> OpeningSource =
        |turns| OpeningSource::Random { length: Length::Turns(turns), deepens: false };

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
        assert_eq!((openings.count(3), openings.count(1_000_000)), (3, count));
    }

    #[test]
    fn deeper_openings_come_after_all_of_the_usual_length() {
        let setup = setup("fanorona", &[("size", "3x3")]);
        let source = OpeningSource::Random { length: Length::Plies(1), deepens: true };
        let mut deep = Openings::new(&setup, &source, 1);
        let mut plain = Openings::new(&setup, &PLIES(1), 1);
        let count = plain.count(100);
        let total = deep.count(100_000);
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
        assert_eq!((setup.perft(None, 1), Openings::new(&setup, &PLIES(1), 1).count(9)), (Ok(9), 3));
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
            let expected = all(&setup, Length::Plies(length)).expect("few enough");
            let expected = expected.len() as u32;
            assert_eq!(Openings::new(&setup, &PLIES(length), 3).count(100_000), expected, "{game}");
        }
    }

    #[test]
    fn openings_that_decide_the_game_are_refused() {
        let setup = setup("fanorona", &[("size", "3x3")]);
        let error = Openings::new(&setup, &PLIES(10_000), 1).get(1).unwrap_err();
        assert_eq!(error.to_string(), "openings of 10000 plies leave no game of fanorona size=3x3 to play");
    }

    #[test]
    fn no_plies_are_one_opening() {
        for source in [PLIES(0), TURNS(0)] {
            let mut openings = Openings::new(&setup("frenzy", &[]), &source, 1);
            assert_eq!(openings.get(9), Ok(Opening::default()));
            assert_eq!(openings.count(9), 1);
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
