//! A question to a partner: the game so far, the clocks, and the decider.

use protocol::GameSetup;
use rules::{PerSeat, Rejection, Seat, Setup, StartError};
use settings::TimeControl;
use thiserror::Error;

use crate::PlaySettings;
use crate::clock::Clock;
use crate::game::assignment::{opponents, setup_of};
use crate::game::scoresheet::Scoresheet;
use crate::random::bot_seed;

/// Why a question about a game is not possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InquiryError {
    /// The start is not a position of the game.
    #[error("not a position: {0}")]
    Start(StartError),
    /// A ply is not legal.
    #[error("ply {number}: {rejection}")]
    Ply {
        /// The number of the ply, from 1.
        number: usize,
        /// What is wrong with it.
        rejection: Rejection,
    },
    /// The game is over.
    #[error("the game is over")]
    Over,
}

/// A question to a partner.
pub struct Inquiry {
    /// The id, which comes back with the answer.
    pub(super) id: u64,
    /// The game so far.
    pub(super) scoresheet: Scoresheet,
    /// The `game` line for the bot.
    pub(super) setup: GameSetup,
}

impl Inquiry {
    /// Asks for the decision after these plies, from the start of the game or from a position string. All clocks are as at the
    /// start of a game. Forced passes at the end are played.
    ///
    /// # Errors
    /// When the start or a ply is invalid, or the game is over.
    pub fn new(
        id: u64,
        setup: &Setup,
        start: Option<&str>,
        plies: &[String],
        tc: &TimeControl,
        settings: &PlaySettings,
    ) -> Result<Self, InquiryError> {
        let referee = setup.referee(start).map_err(InquiryError::Start)?;
        let clocks = PerSeat::new(setup.seats(), |_| Clock::new(tc, settings));
        let ply_fault = |number, rejection| InquiryError::Ply { number, rejection };
        let mut scoresheet =
            Scoresheet::new(referee, start, clocks, &[]).map_err(|fault| ply_fault(1, fault))?;
        for (index, ply) in plies.iter().enumerate() {
            scoresheet.play(ply, None).map_err(|fault| ply_fault(index + 1, fault))?;
        }
        while scoresheet.outcome().is_none() && scoresheet.referee().must_pass() {
            scoresheet.pass().map_err(|fault| ply_fault(plies.len() + 1, fault))?;
        }
        if scoresheet.outcome().is_some() {
            return Err(InquiryError::Over);
        }
        let seat = scoresheet.ask();
        let seed = bot_seed(settings.seed, &setup.label(), &vec!["adviser"; setup.seats()], (1, 1), seat);
        let told = GameSetup {
            seed: Some(seed),
            opponent: Some(opponents((1..setup.seats()).map(|_| "adviser"))),
            ..setup_of(setup, tc, seat)
        };
        Ok(Self::of(id, scoresheet, told))
    }

    /// Asks the seat that decides on a scoresheet, on which it was marked as asked ([`Scoresheet::ask`]).
    pub(crate) const fn of(id: u64, scoresheet: Scoresheet, setup: GameSetup) -> Self {
        Self { id, scoresheet, setup }
    }

    /// Returns the id, which comes back with the answer.
    #[must_use]
    pub const fn id(&self) -> u64 {
        self.id
    }

    /// Returns the seat that decides.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.scoresheet.referee().seat()
    }
}

impl std::fmt::Debug for Inquiry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let position = self.scoresheet.referee().position();
        f.debug_struct("Inquiry").field("id", &self.id).field("position", &position).finish_non_exhaustive()
    }
}
