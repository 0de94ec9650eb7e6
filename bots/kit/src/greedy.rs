//! `greedy`: the ply after which the position looks best; ties are drawn by lot.

use protocol::{Info, Score, ScoreValue};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::{Outcome, Position, Seat};

use crate::bot::{Bot, Decision, Player};
use crate::evaluation::evaluate;
use crate::search::WIN;

/// Plays the ply after which the evaluation of [`crate::AlphaBeta`] is best, one ply ahead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Bot for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    // One ply is the least that any limit allows.
    fn abilities(&self) -> &'static [&'static str] {
        &["depth", "nodes"]
    }

    fn sit_down<P: Position>(&self, seed: u64) -> Box<dyn Player<P>> {
        Box::new(OnePly(ChaCha8Rng::seed_from_u64(seed)))
    }
}

struct OnePly(ChaCha8Rng);

impl<P: Position> Player<P> for OnePly {
    fn choose(&mut self, decision: &Decision<'_, P>, say: &mut dyn FnMut(Info)) -> P::Ply {
        let seat = decision.position.seat();
        let mut best = Vec::new();
        let mut best_score = i32::MIN;
        let mut nodes = 0;
        decision.position.legal_plies(&mut |ply| {
            let mut next = decision.position.clone();
            next.play_unchecked(ply);
            let score = score(&next, seat);
            nodes += 1;
            if score > best_score {
                best.clear();
                best_score = score;
            }
            if score == best_score {
                best.push(ply);
            }
        });
        let value = ScoreValue::Centipawns(best_score.into());
        let score = Some(Score { value, bound: None });
        say(Info { depth: Some(1), score, nodes: Some(nodes), ..Info::default() });
        best[self.0.random_range(0..best.len())]
    }
}

/// Scores a position for `seat`.
fn score<P: Position>(position: &P, seat: Seat) -> i32 {
    match position.outcome().map(|verdict| verdict.outcome) {
        None => evaluate(position, seat),
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(winner)) if winner == seat => WIN,
        Some(Outcome::Win(_)) => -WIN,
    }
}
