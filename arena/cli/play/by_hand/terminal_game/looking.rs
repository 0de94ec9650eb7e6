//! Boards that are not the one that is played on: earlier ones, and the one that a begun ply would lead to.

use diagnostic::Failure;
use diagnostic::output;

use super::TerminalGame;
use crate::play::by_hand::command::EarlierBoard;
use crate::play::by_hand::show;

impl TerminalGame {
    /// Shows an earlier board; the game stands as it was.
    pub(super) fn look_back(&self, look: EarlierBoard) -> Result<(), Failure> {
        let session = self.game.session();
        let last = session.len();
        let plies = match look {
            EarlierBoard::At(plies) => Some(plies).filter(|plies| *plies <= last),
            EarlierBoard::Ago(plies) => last.checked_sub(plies),
        };
        let Some(plies) = plies else {
            return self.say(&format!("the board can be looked at from `look 0` to `look {last}`\n"));
        };
        let start = || {
            let setup = session.setup();
            session.start().map_or_else(
                || setup.referee(None).map(|referee| referee.position()),
                |start| Ok(start.to_owned()),
            )
        };
        let (ply, position) = match plies.checked_sub(1).and_then(|index| session.plies().nth(index)) {
            Some((ply, position)) => (format!("ply {plies} of {last}, {ply}"), position.to_owned()),
            None => (format!("the start, before ply 1 of {last}"), start().unwrap_or_default()),
        };
        self.draw(&position)?;
        self.say(&format!("looking back at {ply}: nothing has changed, `board` is the board as it stands\n"))
    }

    /// Says what was typed of a ply, what it has taken and what can follow; at a terminal with the board as it would be.
    pub(super) fn tell_begun(&self) -> Result<(), Failure> {
        let (setup, position) = (self.game.session().setup(), self.game.session().position());
        let after = self.entry.so_far().and_then(|ply| hand_play::position_after(setup, &position, ply));
        if let Some(after) = after.filter(|_| self.is_terminal) {
            self.draw(&after)?;
        }
        let asked = self.entry.describe(|from, ply| hand_play::cells_taken(setup, &position, from, ply));
        self.say(&format!("{asked}\n"))
    }

    /// Draws the board of a position that is not the one to be played in, without a word on who decides.
    fn draw(&self, position: &str) -> Result<(), Failure> {
        output::print(&show::position(self.game.session(), position, &self.look))
    }
}
