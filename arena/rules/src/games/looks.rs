//! Which look a game has, and what stands where by it.

use crate::look::built_in::{look_at_table, look_of};
use crate::{Game, GameLook, PLAYERS_OPTION, Placement, Setup};

impl Game {
    /// Returns what the game looks like; `None` for a game without a look, which is shown as text.
    #[must_use]
    pub fn look(&self) -> Option<&GameLook> {
        self.own_rules().map_or_else(|| look_of(self.id), |rules| rules.look(None))
    }
}

impl Setup {
    /// Returns what the game looks like with these options; `None` for a game without a look, which is shown as text.
    #[must_use]
    pub fn look(&self) -> Option<&GameLook> {
        match (self.options().iter().find(|(key, _)| *key == PLAYERS_OPTION), self.game().own_rules()) {
            (None, _) => self.game().look(),
            (Some((_, players)), None) => look_at_table(self.game().id, players.parse().ok()?),
            (Some((_, players)), Some(rules)) => rules.look(Some(players.parse().ok()?)),
        }
    }

    /// Returns which piece stands where in a position. The rules are asked only where the position string does not say it.
    /// `None` for a game without a look, and where the look does not fit the position.
    #[must_use]
    pub fn placement(&self, position: &str) -> Option<Placement> {
        let look = self.look()?;
        let board = look.board(self.options())?;
        let read = look.read(board, position)?;
        if look.is_read_from_strings() {
            return Some(read);
        }
        look.tell(board, read, &self.referee(Some(position)).ok()?.view())
    }
}
