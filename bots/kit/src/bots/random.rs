//! `random`: every legal ply with the same probability.

use protocol::Info;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::bot::{Bot, Decision, Player};
use crate::game_position::GamePosition;

/// Plays a random legal ply.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Bot for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    // Whatever the limits are: it does not search.
    fn abilities(&self) -> &'static [&'static str] {
        &["depth", "nodes"]
    }

    fn sit_down<P: GamePosition>(&self, seed: u64) -> Box<dyn Player<P>> {
        Box::new(Dice(ChaCha8Rng::seed_from_u64(seed)))
    }
}

struct Dice(ChaCha8Rng);

impl<P: GamePosition> Player<P> for Dice {
    fn choose(&mut self, decision: &Decision<'_, P>, _say: &mut dyn FnMut(Info)) -> P::Ply {
        let mut plies = Vec::new();
        decision.position.legal_plies(&mut |ply| plies.push(ply));
        plies.swap_remove(self.0.random_range(0..plies.len()))
    }
}
