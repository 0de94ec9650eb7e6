//! The ends of a game: saved, left, or followed by another one.

use std::path::PathBuf;

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use hand_play::GameLogFile;
use tournament_file::game_options;

use super::TerminalGame;

/// Where a game goes that is left by a signal or the end of the input at a terminal, unless it was saved.
const RESCUE: &str = "arena-play.pgn";

impl TerminalGame {
    /// Begins another game.
    pub(super) fn renew(&mut self, swaps: bool) -> Result<(), Failure> {
        if self.log.is_some() && self.is_unsaved {
            self.save(None)?;
        }
        let setup = self.game.session().setup().clone();
        self.game.renew(swaps).map_err(|error| game_options::position_error(&setup, &error))?;
        (self.is_unsaved, self.has_told_end) = (false, false);
        self.entry.clear();
        self.greet()
    }

    /// Writes the game to a game log.
    pub(super) fn save(&mut self, path: Option<PathBuf>) -> Result<(), Failure> {
        if let Some(path) = path.filter(|path| self.log.as_ref().is_none_or(|log| log.path() != path)) {
            match GameLogFile::new(path) {
                Ok(log) => self.log = Some(log),
                Err(failure) => return self.say(&failure.to_string()),
            }
        }
        let record = self.game.record();
        let Some(log) = &mut self.log else { return self.say("`save FILE` says where to\n") };
        let said = match log.write(&record, self.game.session().setup()) {
            Ok(()) => format!("written to {}\n", output::path(log.path())),
            Err(fault) => format!("{fault}\n"),
        };
        self.is_unsaved &= said.starts_with("cannot");
        self.say(&said)
    }

    /// Leaves, unless the user should first hear that the game is not saved.
    pub(super) fn quit(&mut self) -> Result<bool, Failure> {
        let is_lost = self.is_terminal && self.is_unsaved && self.log.is_none() && !self.is_warned;
        if is_lost {
            self.is_warned = true;
            self.say("the game is not saved: `save FILE` keeps it, a second `quit` leaves it\n")?;
        }
        self.is_given_up = !is_lost;
        Ok(!is_lost)
    }

    /// Leaves the game: what is not saved is, where somebody sits at a terminal who did not want to lose it.
    pub(super) fn leave(&mut self, exit: Exit) -> Result<Exit, Failure> {
        self.game.drop_question();
        let is_rescued = self.is_terminal && !self.is_given_up && self.log.is_none();
        if self.is_unsaved && (self.log.is_some() || is_rescued) {
            let path = self.log.is_none().then(|| PathBuf::from(RESCUE));
            // There may be nobody left to read this.
            let _ = self.save(path);
        }
        Ok(exit)
    }
}
