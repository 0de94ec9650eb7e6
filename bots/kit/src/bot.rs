//! What a bot is: something that plays games of any type.

use std::time::Instant;

use protocol::{Info, OptionDeclaration};

use crate::game_position::GamePosition;
use crate::search::SearchLimits;

/// A bot, over all games.
pub trait Bot {
    /// The name it tells the arena.
    fn name(&self) -> &'static str;

    /// The words it declares under `can`: what the arena may send.
    fn abilities(&self) -> &'static [&'static str];

    /// The options it offers.
    fn options(&self) -> Vec<OptionDeclaration> {
        Vec::new()
    }

    /// Sets an option that it offers, to a value in its range.
    fn set_option(&mut self, name: &str, value: &str) {
        let _ = (name, value);
    }

    /// Sits down to a new game. The same seed plays the same plies.
    fn sit_down<P: GamePosition>(&self, seed: u64) -> Box<dyn Player<P>>;
}

/// A bot in one game.
pub trait Player<P: GamePosition> {
    /// Chooses a legal ply of a position whose game is not over. What it tells on the way goes to `say`.
    fn choose(&mut self, decision: &Decision<'_, P>, say: &mut dyn FnMut(Info)) -> P::Ply;
}

/// A decision to make.
#[derive(Debug)]
pub struct Decision<'a, P: GamePosition> {
    /// The current position.
    pub position: &'a P,
    /// The keys of the positions of the game that count for repetition, in order, with the current one.
    pub past: &'a [u64],
    /// How long to think.
    pub thinking: Thinking,
}

/// How long to think.
#[derive(Clone, Debug)]
pub struct Thinking {
    /// When the question came.
    pub since: Instant,
    /// What ends a search.
    pub limits: SearchLimits,
}
