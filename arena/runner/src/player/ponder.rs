//! Thinking in the opponent's time: begun, come true, or ended.

use std::time::Duration;

use protocol::{Ask, Moves, State};
use tokio::time::Instant;

use super::{Heard, Player};
use crate::player::trouble::{TimedTrouble, Trouble};

impl Player {
    /// Has the bot think about a position that its opponent has yet to bring about, in the opponent's time.
    pub(crate) fn ponder(&mut self, ask: &Ask<'_>) {
        self.foreseen = Some(ask.moves.clone());
        let text = self.dialogue.ask(ask);
        self.note_sent(&text);
        self.link.send(&text);
    }

    /// Returns whether the bot thinks in its opponent's time.
    pub(crate) fn is_pondering(&self) -> bool {
        self.foreseen.is_some() && self.dialogue.state() == State::Thinking
    }

    /// Returns whether the bot thinks about the position after these plies already.
    pub(crate) fn has_foreseen(&self, moves: &Moves) -> bool {
        self.is_pondering() && self.foreseen.as_ref() == Some(moves)
    }

    /// Tells the bot that what it expected has come: from now on it thinks in its own time.
    pub(crate) fn hit(&mut self) {
        self.foreseen = None;
        if let Some(text) = self.dialogue.ponder_hit() {
            self.note_sent(&text);
            self.link.send_question(&text, 0);
        }
    }

    /// Has the bot end its thinking in its opponent's time. The answer that is still due is dropped.
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
