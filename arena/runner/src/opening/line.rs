//! One opening: where a game starts and the plies that nobody decides.

use std::fmt;

use rules::{Referee, Rejection, Setup};

/// How a game begins. Shown as a line of a file of openings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The position string of the start, where it is not the game's own.
    pub start: Option<String>,
    /// The plies that are played before anybody is asked.
    pub plies: Vec<String>,
}

impl Opening {
    /// Returns the game as it stands at the start, before the plies.
    ///
    /// # Errors
    /// When the start is no position of the game.
    pub fn referee(&self, setup: &Setup) -> Result<Box<dyn Referee>, rules::StartError> {
        setup.referee(self.start.as_deref())
    }

    /// Plays the plies; an error says which of them, counted from 1, is refused and why.
    pub(super) fn play(&self, referee: &mut dyn Referee) -> Result<(), (usize, Rejection)> {
        for (index, ply) in self.plies.iter().enumerate() {
            referee.submit(ply).map_err(|rejection| (index + 1, rejection))?;
        }
        Ok(())
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Some(start) => write!(f, "fen {start}")?,
            None if self.plies.is_empty() => return f.write_str("startpos"),
            None => return f.write_str(&self.plies.join(" ")),
        }
        match self.plies.as_slice() {
            [] => Ok(()),
            plies => write!(f, " moves {}", plies.join(" ")),
        }
    }
}
