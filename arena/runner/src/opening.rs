//! How games begin: random legal plies, the same for everybody in a round.

use std::collections::HashSet;

use rules::{Referee, Setup};
use thiserror::Error;

use crate::seed::Stream;

/// How many openings in a row may be no new ones before there are taken to be no more.
const PATIENCE: u32 = 1000;

/// No opening of this length leaves a game undecided.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{plies} random plies of {label} leave no game to play")]
pub struct NoOpening {
    /// The game's label.
    pub label: String,
    /// The length asked for.
    pub plies: u32,
}

/// The openings of one game of a tournament, each made when it is first asked for.
pub struct Openings {
    setup: Setup,
    plies: u32,
    stream: Stream,
    found: Vec<Vec<String>>,
    positions: HashSet<String>,
    is_exhausted: bool,
}

impl Openings {
    /// Returns the openings of `plies` plies that belong to a run's seed.
    #[must_use]
    pub fn new(setup: &Setup, plies: u32, seed: u64) -> Self {
        let stream = Stream::new(seed, &["opening", &setup.label()]);
        let (found, positions) = (Vec::new(), HashSet::new());
        Self { setup: setup.clone(), plies, stream, found, positions, is_exhausted: false }
    }

    /// Returns the opening of a round, counted from 1. Each round has another one, by the position that it
    /// leads to (one that only lies otherwise on the board is the same), until there are no more; then they begin
    /// again in the same order.
    ///
    /// # Errors
    /// When games of this length are always decided.
    pub fn get(&mut self, round: u32) -> Result<&[String], NoOpening> {
        let index = round.saturating_sub(1) as usize;
        while self.found.len() <= index && !self.is_exhausted {
            self.find();
        }
        match self.found.len() {
            0 => Err(NoOpening { label: self.setup.label(), plies: self.plies }),
            count => Ok(&self.found[index % count]),
        }
    }

    /// Returns how many openings there are, but no more than `most`.
    ///
    /// They are found by random play: where there are many more than `most`, few are looked at.
    #[must_use]
    pub fn count(&mut self, most: u32) -> u32 {
        while self.found.len() < most as usize && !self.is_exhausted {
            self.find();
        }
        self.found.len().min(most as usize) as u32
    }

    /// Looks for one more opening.
    fn find(&mut self) {
        for _ in 0..PATIENCE {
            let mut referee = self.setup.referee(None).expect("a game's own start can be set up");
            if let Some(plies) = random_plies(referee.as_mut(), self.plies, &mut self.stream)
                && self.positions.insert(rules::canonical(self.setup.game().id, &referee.position()))
            {
                self.found.push(plies);
                return;
            }
        }
        self.is_exhausted = true;
    }
}

/// Returns the opening of a round: see [`Openings::get`]. It depends on nothing but what is given here.
///
/// # Errors
/// When games of this length are always decided.
pub fn opening(setup: &Setup, plies: u32, seed: u64, round: u32) -> Result<Vec<String>, NoOpening> {
    Openings::new(setup, plies, seed).get(round).map(<[String]>::to_vec)
}

/// Plays random plies; `None` when the game is decided by them.
fn random_plies(referee: &mut dyn Referee, count: u32, stream: &mut Stream) -> Option<Vec<String>> {
    let mut plies = Vec::new();
    for _ in 0..count {
        let mut legal = referee.legal();
        if legal.is_empty() {
            return None;
        }
        let ply = legal.swap_remove(stream.below(legal.len()));
        referee.submit(&ply).expect("a ply from the list of legal plies is legal");
        plies.push(ply);
    }
    referee.outcome().is_none().then_some(plies)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn setup(game: &str, options: &[(&str, &str)]) -> Setup {
        rules::find(game).unwrap().setup(options).unwrap()
    }

    /// Returns the position that an opening leads to.
    fn position(setup: &Setup, plies: &[String]) -> String {
        let mut referee = setup.referee(None).unwrap();
        plies.iter().for_each(|ply| referee.submit(ply).unwrap());
        assert_eq!(referee.outcome(), None);
        referee.position()
    }

    #[test]
    fn every_round_begins_elsewhere() {
        for game in rules::GAMES {
            let setup = game.setup(&[]).unwrap();
            let mut openings = Openings::new(&setup, 4, 1);
            let positions: HashSet<_> =
                (1..=50).map(|round| position(&setup, openings.get(round).unwrap())).collect();
            assert_eq!(positions.len(), 50, "{}", game.id);
        }
    }

    #[test]
    fn exhausted_openings_begin_again_in_the_same_order() {
        let setup = setup("fanorona", &[("size", "3x3")]);
        let count = setup.perft(None, 1).unwrap() as u32;
        let mut openings = Openings::new(&setup, 1, 1);
        let all: Vec<_> = (1..=3 * count).map(|round| openings.get(round).unwrap().to_vec()).collect();
        assert_eq!(all[..count as usize].iter().collect::<HashSet<_>>().len(), count as usize);
        for (i, opening) in all.iter().enumerate() {
            assert_eq!(opening, &all[i % count as usize]);
        }
        assert_eq!((openings.count(3), openings.count(1_000_000)), (3, count));
    }

    #[test]
    fn what_only_lies_otherwise_is_the_same_opening() {
        // A corner, an edge, the centre.
        let setup = setup("faust", &[("size", "3")]);
        assert_eq!((setup.perft(None, 1), Openings::new(&setup, 1, 1).count(9)), (Ok(9), 3));
    }

    #[test]
    fn openings_that_decide_the_game_are_refused() {
        let setup = setup("fanorona", &[("size", "3x3")]);
        let error = opening(&setup, 10_000, 1, 1).unwrap_err();
        assert_eq!(error.to_string(), "10000 random plies of fanorona size=3x3 leave no game to play");
    }

    #[test]
    fn no_plies_are_one_opening() {
        assert_eq!(opening(&setup("frenzy", &[]), 0, 1, 9), Ok(Vec::new()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn an_opening_depends_on_what_is_given_only(seed: u64, plies in 0..6_u32, rounds in 1..6_u32) {
            let setup = setup("frenzy", &[]);
            let mut openings = Openings::new(&setup, plies, seed);
            for round in (1..=rounds).rev() {
                let expected = opening(&setup, plies, seed, round).unwrap();
                prop_assert_eq!(openings.get(round).unwrap(), &expected[..]);
            }
        }
    }
}
