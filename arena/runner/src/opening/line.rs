//! One opening: the start of a game and the plies that no bot decides.

use std::fmt;

use rules::{Referee, Rejection, Setup};

/// The beginning of a game. `Display` writes it as a line of a file of openings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The position string of the start, if it is not the game's own.
    pub start: Option<String>,
    /// The plies that are played before any bot is asked.
    pub plies: Vec<String>,
}

impl Opening {
    /// Returns the game at the start, before the plies.
    ///
    /// # Errors
    /// When the start is not a position of the game.
    pub fn referee(&self, setup: &Setup) -> Result<Box<dyn Referee>, rules::StartError> {
        setup.referee(self.start.as_deref())
    }

    /// Plays the plies. An error has the number of the refused one, from 1, and the reason.
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
