//! Random legal plies.

use rules::{Referee, RulesFault, Setup, StartError};

use super::length::OpeningLength;
use crate::random::RandomStream;

/// The most plies per turn of an opening that is measured in turns. No turn of any game is as long.
const LONGEST_TURN: u32 = 64;

/// The start of every random opening.
pub(super) struct Start {
    game: &'static str,
    referee: Box<dyn Referee>,
    /// The first plies, which are more than most later ones.
    legal: Vec<String>,
}

impl Start {
    /// Returns a game's own start.
    pub(super) fn of(setup: &Setup) -> Result<Self, RulesFault> {
        let referee = own_start(setup)?;
        Ok(Self { game: setup.game().id, legal: referee.legal(), referee })
    }

    /// Plays random plies and returns the position that they lead to, in canonical form, and the plies; `None` if they decide
    /// the game.
    pub(super) fn random_plies(
        &self,
        length: OpeningLength,
        stream: &mut RandomStream,
    ) -> Result<Option<(String, Vec<String>)>, RulesFault> {
        let mut referee = self.referee.fork();
        let mut plies = Vec::new();
        let mut measure = Measure::new(length);
        while measure.goes_on(referee.as_ref()) {
            let later;
            let legal = if plies.is_empty() {
                &self.legal
            } else {
                later = referee.legal();
                &later
            };
            if legal.is_empty() {
                return Ok(None);
            }
            let ply = legal[stream.below(legal.len())].clone();
            referee.submit(&ply).map_err(|rejection| rejection.into_fault(&ply))?;
            plies.push(ply);
        }
        let is_open = referee.outcome().is_none();
        Ok(is_open.then(|| (rules::canonical(self.game, &referee.position()), plies)))
    }
}

/// Starts a game from its own start.
pub(super) fn own_start(setup: &Setup) -> Result<Box<dyn Referee>, RulesFault> {
    setup.referee(None).map_err(|error| match error {
        StartError::Rules(fault) => fault,
        StartError::Position(error) => unreachable!("a game's own start can be set up: {error}"),
    })
}

/// How much of an opening has been played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    length: OpeningLength,
    plies: u32,
    turns: u32,
}

impl Measure {
    /// Returns the measure of an opening that is about to begin.
    pub(super) const fn new(length: OpeningLength) -> Self {
        Self { length, plies: 0, turns: 0 }
    }

    /// Returns whether another ply must be played, and counts it.
    pub(super) fn goes_on(&mut self, referee: &dyn Referee) -> bool {
        let is_fresh = referee.turn().is_fresh;
        let goes_on = match self.length {
            OpeningLength::Plies(plies) => self.plies < plies,
            OpeningLength::Turns(turns) => {
                let is_open = self.turns < turns || (self.plies > 0 && !is_fresh);
                is_open && turns > 0 && self.plies < turns.saturating_mul(LONGEST_TURN)
            }
        };
        if goes_on {
            self.plies += 1;
            self.turns += u32::from(is_fresh);
        }
        goes_on
    }
}
