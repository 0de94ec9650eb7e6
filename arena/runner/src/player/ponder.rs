//! Pondering: how it begins, succeeds or ends.

use std::time::Duration;

use protocol::{Ask, Moves, State};
use tokio::time::Instant;

use super::{Heard, Player};
use crate::player::trouble::{TimedTrouble, Trouble};

impl Player {
    /// Lets the bot ponder on a position that its opponent may reach.
    pub(crate) fn ponder(&mut self, ask: &Ask<'_>) {
        self.foreseen = Some(ask.moves.clone());
        let text = self.dialogue.ask(ask);
        self.note_sent(&text);
        self.link.send(&text);
    }

    /// Returns whether the bot is pondering.
    pub(crate) fn is_pondering(&self) -> bool {
        self.foreseen.is_some() && self.dialogue.state() == State::Thinking
    }

    /// Returns whether the bot is already pondering on the position after these plies.
    pub(crate) fn has_foreseen(&self, moves: &Moves) -> bool {
        self.is_pondering() && self.foreseen.as_ref() == Some(moves)
    }

    /// Announces that the expected ply was played: from now on the bot thinks in its own time.
    pub(crate) fn hit(&mut self) {
        self.foreseen = None;
        if let Some(text) = self.dialogue.ponder_hit() {
            self.note_sent(&text);
            self.link.send_question(&text, 0);
        }
    }

    /// Ends the bot's pondering. The answer that is still due is dropped.
    pub(crate) async fn stop_pondering(&mut self, limit: Duration) -> Result<(), TimedTrouble> {
        let mut deadline = Instant::now() + limit;
        if self.is_pondering() {
            self.stop();
        }
        while self.is_pondering() {
            let silent = Trouble::Silent { awaited: "bestmove".to_owned(), limit, is_unflushed: false };
            match self.next_until(&mut deadline).await {
                None => return Err(TimedTrouble { trouble: silent, at: deadline }),
                Some((Heard::Broken(why), at)) => {
                    return Err(TimedTrouble { trouble: self.trouble(why).await, at });
                }
                Some((Heard::Said(_), _)) => {}
            }
        }
        self.foreseen = None;
        Ok(())
    }
}
