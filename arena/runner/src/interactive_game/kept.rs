//! The part of a session that outlives its process: its plies with their times, what was taken back, how it ended.

use std::time::Duration;

use record::{InfoRecord, Termination};
use rules::{PerSeat, Rejection, Setup, StartError};
use thiserror::Error;

use super::{Ending, InteractiveGame, SeatedPlayer, Step, scoresheet};
use crate::PlaySettings;

/// A session that can be continued, together with its set-up, players and settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The number of the game, as in [`InteractiveGame::new`].
    pub number: u64,
    /// The plies, including those at the end that were taken back.
    pub line: Vec<KeptPly>,
    /// The number of plies on the board.
    pub at: usize,
    /// How the game ended, if not by its rules.
    pub ending: Option<Ending>,
    /// How long the current decision has taken.
    pub thought: Duration,
}

/// A ply of a kept session.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptPly {
    /// The ply; `resign` or `timeout` where a seat of a table of more than two has gone out by that.
    pub ply: String,
    /// The time of the decision; `None` for a forced pass and the later plies of one answer.
    pub spent: Option<Duration>,
    /// The bot's report on it.
    pub info: Option<InfoRecord>,
}

/// Why a kept session cannot be continued.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KeptError {
    /// The start position is not valid.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A ply is not legal.
    #[error("ply {number}: {fault}")]
    Ply {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        fault: Rejection,
    },
    /// The board has more plies than the list.
    #[error("{at} plies are on the board, but there are {all}")]
    Short {
        /// The number of plies on the board.
        at: usize,
        /// The number of plies in the list.
        all: usize,
    },
}

impl InteractiveGame {
    /// Returns the part of the session that outlives its process.
    #[must_use]
    pub fn kept(&self, now: Duration) -> Kept {
        let ply = |step: &Step| KeptPly { ply: step.ply.clone(), spent: step.spent, info: step.info.clone() };
        Kept {
            number: self.number,
            line: self.line.iter().map(ply).collect(),
            at: self.len(),
            ending: self.ending.clone(),
            thought: if self.decider().is_some() { self.thought(now) } else { Duration::ZERO },
        }
    }

    /// Continues a kept session at `now`, which is at least the time that the current decision has taken. Clocks have the same
    /// values as before. Comments on positions are forgotten.
    ///
    /// # Errors
    /// When the session does not fit the game.
    pub fn restore(
        setup: &Setup,
        start: Option<&str>,
        sitters: PerSeat<SeatedPlayer>,
        settings: &PlaySettings,
        kept: &Kept,
        now: Duration,
    ) -> Result<Self, KeptError> {
        let Kept { number, line, at, ending, thought } = kept;
        let mut session = Self::new(setup, start, sitters, settings, *number, now)?;
        if *at > line.len() {
            return Err(KeptError::Short { at: *at, all: line.len() });
        }
        session.scoresheet = scoresheet(setup, start, &session.sitters, settings)?;
        session.line.clear();
        for (index, kept) in line.iter().enumerate() {
            let referee = session.scoresheet.referee();
            let (seat, is_forced) = (referee.seat(), referee.must_pass());
            let fault = |fault| KeptError::Ply { number: index + 1, fault };
            let exits = [Termination::Resign, Termination::Timeout];
            let is_table = session.scoresheet.is_table();
            let exit = exits.into_iter().find(|exit| is_table && exit.code() == kept.ply);
            match exit {
                Some(_) => session.scoresheet.put_out(seat),
                None => session.scoresheet.play(&kept.ply, None),
            }
            .map_err(fault)?;
            let KeptPly { ply, spent, info } = kept.clone();
            session.line.push(Step { ply, seat, is_forced, exit, spent, info, position: session.position() });
        }
        session.go_to(*at, now.saturating_sub(*thought));
        session.ending.clone_from(ending);
        Ok(session)
    }
}
