//! The positions that are asked about: found by random play with a seed, by the rules engine itself.

use std::num::NonZeroU8;

use protocol::{After, GameEnd, Pairs, SeatNumber, Start};
use rules::{Dice, Referee, RulesFault, Seat, Setup, StartError};

/// How many plies are played at the most in search of positions.
const MOST_PLIES: usize = 40_000;

/// How many games are played at the most.
const MOST_GAMES: usize = 400;

/// How many positions of each special kind are kept.
const OF_A_KIND: usize = 3;

/// A position somebody decides in, and the plies that led there.
pub(crate) struct Spot {
    /// Where the game began.
    pub(crate) start: Start,
    /// The plies since.
    pub(crate) moves: Vec<String>,
    /// The game at that point.
    pub(crate) referee: Box<dyn Referee>,
}

/// The positions of one game.
#[derive(Default)]
pub(crate) struct Spots {
    /// Positions of random play, in no order.
    pub(crate) random: Vec<Spot>,
    /// Positions with one legal ply, which is no pass.
    pub(crate) single: Vec<Spot>,
    /// Positions in which `swap` is legal, or which follow on a `swap` or a `pass`, or in which a school is kept:
    /// what the special ply is, and the position.
    pub(crate) special: Vec<(&'static str, Spot)>,
    /// Positions in which a turn of several plies begins or goes on.
    pub(crate) several: Vec<Spot>,
}

impl Spot {
    /// Returns the seat that decides.
    pub(crate) fn seat(&self) -> Seat {
        self.referee.seat()
    }

    /// Returns the start of a game.
    ///
    /// # Errors
    /// When the rules of a game of one's own fail.
    pub(crate) fn start(setup: &Setup) -> Result<Self, RulesFault> {
        let referee = setup.referee(None).map_err(|error| match error {
            StartError::Rules(fault) => fault,
            StartError::Position(error) => unreachable!("a game has a start: {error}"),
        })?;
        Ok(Self { start: Start::StartPosition, moves: Vec::new(), referee })
    }

    /// Returns an independent copy.
    pub(crate) fn fork(&self) -> Self {
        Self { start: self.start.clone(), moves: self.moves.clone(), referee: self.referee.fork() }
    }

    /// Plays a legal ply.
    ///
    /// # Errors
    /// When the rules of a game of one's own fail.
    pub(crate) fn play(&mut self, ply: &str) -> Result<(), RulesFault> {
        self.referee.submit(ply).map_err(|rejection| rejection.into_fault(ply))?;
        self.moves.push(ply.to_owned());
        Ok(())
    }

    /// Plays the passes that are forced: nobody is asked about them.
    ///
    /// # Errors
    /// When the rules of a game of one's own fail.
    pub(crate) fn play_forced(&mut self) -> Result<(), RulesFault> {
        while self.referee.must_pass() {
            self.play("pass")?;
        }
        Ok(())
    }

    /// Returns whether somebody has a decision to make.
    pub(crate) fn is_open(&self) -> bool {
        self.referee.outcome().is_none() && !self.referee.must_pass()
    }

    /// Returns what every legal ply leads to, in the order of the legal plies.
    pub(crate) fn after(&self) -> Vec<After> {
        let follow = |ply: String| {
            let mut next = self.referee.fork();
            next.submit(&ply).ok()?;
            let end = next.outcome().map(|verdict| GameEnd {
                outcome: told(verdict.outcome),
                code: verdict.reason.code().to_owned(),
                pairs: Pairs::new(),
            });
            Some(After { ply: ply.parse().ok()?, board: next.position(), end })
        };
        self.referee.legal().into_iter().filter_map(follow).collect()
    }
}

impl Spots {
    /// Plays random games from `start` and keeps `count` positions of them, and those of the special kinds that turn up.
    ///
    /// # Errors
    /// When the rules of a game of one's own fail.
    pub(crate) fn find(start: &Spot, seed: u64, count: usize) -> Result<Self, RulesFault> {
        let mut dice = Dice::new(seed);
        let mut spots = Self::default();
        let mut plies = 0;
        for game in 0..MOST_GAMES {
            if plies > MOST_PLIES && spots.random.len() >= count {
                break;
            }
            plies += spots.play(start.fork(), &mut dice, count, game)?;
        }
        Ok(spots)
    }

    /// Plays one game and returns how many plies it had.
    fn play(
        &mut self,
        mut spot: Spot,
        dice: &mut Dice,
        count: usize,
        game: usize,
    ) -> Result<usize, RulesFault> {
        // A few positions of each game, early in some games and late in others.
        let mut until_next = dice.below(4);
        loop {
            spot.play_forced()?;
            if !spot.is_open() {
                return Ok(spot.moves.len());
            }
            if until_next == 0 && self.random.len() < count {
                self.random.push(spot.fork());
                until_next = 1 + dice.below(2 + game % 7 * 2);
            }
            until_next = until_next.saturating_sub(1);
            let legal = spot.referee.legal();
            self.keep(&spot, &legal);
            // One ply among hundreds, and the one that is worth a look.
            let is_swapped = game.is_multiple_of(2) && legal.iter().any(|ply| ply == "swap");
            let ply = if is_swapped { "swap" } else { &legal[dice.below(legal.len())] };
            spot.play(ply)?;
        }
    }

    fn keep(&mut self, spot: &Spot, legal: &[String]) {
        if legal.len() == 1 && self.single.len() < OF_A_KIND {
            self.single.push(spot.fork());
        }
        if self.several.len() < 2 * OF_A_KIND && !spot.referee.turn().is_fresh {
            self.several.push(spot.fork());
        }
        let has = |word: &str| spot.moves.iter().any(|ply| ply == word);
        let kinds = [
            ("swap", legal.iter().any(|ply| ply == "swap")),
            ("keep", legal.iter().any(|ply| ply.starts_with("keep="))),
            ("after swap", has("swap")),
            ("after pass", has("pass")),
        ];
        for (kind, is_it) in kinds {
            if is_it && self.special.iter().filter(|(known, _)| *known == kind).count() < OF_A_KIND {
                self.special.push((kind, spot.fork()));
            }
        }
    }
}

/// Returns the seat as the protocol counts it.
pub(crate) fn number(seat: Seat) -> SeatNumber {
    SeatNumber::new(seat.index() as u8 + 1).unwrap_or(SeatNumber::P1)
}

/// Returns the outcome as the protocol tells it.
pub(crate) fn told(outcome: rules::Outcome) -> protocol::AnnouncedResult {
    match outcome {
        rules::Outcome::Win(seat) => protocol::AnnouncedResult::Win(number(seat)),
        rules::Outcome::Draw => protocol::AnnouncedResult::Draw,
        rules::Outcome::Places(places) => {
            let places = places.iter().filter_map(|(_, place)| NonZeroU8::new(place));
            protocol::AnnouncedResult::Places(places.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(game: &str) -> Spots {
        let setup = rules::find(game).unwrap().setup(&[]).unwrap();
        Spots::find(&Spot::start(&setup).unwrap(), 1, 100).unwrap()
    }

    #[test]
    fn every_game_has_its_hundred_positions_and_nobody_is_asked_to_pass() {
        for game in rules::GAMES {
            let spots = spots(game.id);
            assert_eq!(spots.random.len(), 100, "{}", game.id);
            let all = spots.random.iter().chain(&spots.single).chain(&spots.several);
            for spot in all.chain(spots.special.iter().map(|(_, spot)| spot)) {
                assert!(spot.is_open() && !spot.referee.legal().is_empty(), "{}", game.id);
            }
        }
    }

    #[test]
    fn the_special_plies_of_the_games_turn_up() {
        let kinds = |game| {
            let mut kinds: Vec<_> = spots(game).special.iter().map(|(kind, _)| *kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds
        };
        assert_eq!(kinds("faust"), ["after pass", "after swap", "swap"]);
        assert_eq!(kinds("frenzy"), ["keep"]);
        assert!(!spots("2-frenzy").several.is_empty());
        assert!(!spots("frenzy").several.is_empty());
    }

    #[test]
    fn the_same_seed_finds_the_same_positions() {
        let moves = || spots("farook").random.into_iter().map(|spot| spot.moves).collect::<Vec<_>>();
        assert_eq!(moves(), moves());
    }
}
