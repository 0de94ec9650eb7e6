//! `greedy`: the ply after which the position looks best; ties are drawn by lot.

use protocol::{Info, Score, ScoreValue};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::{Outcome, Seat};

use crate::bot::{Bot, Decision, Player};
use crate::game_position::{GamePosition, any_ply};
use crate::search::{WIN, of_outcome};

/// Plays the ply after which the evaluation of [`crate::AlphaBeta`] is best, one ply ahead. In games of one's own, whose
/// evaluation sees no threats, it avoids plies after which the other seat wins at once.
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

    fn sit_down<P: GamePosition>(&self, seed: u64) -> Box<dyn Player<P>> {
        Box::new(OnePly(ChaCha8Rng::seed_from_u64(seed)))
    }
}

struct OnePly(ChaCha8Rng);

/// A ply that may be chosen.
struct Candidate<P: GamePosition> {
    ply: P::Ply,
    after: P,
    score: i32,
    /// Whether the other seat wins at once after it.
    is_refuted: bool,
}

impl<P: GamePosition> Player<P> for OnePly {
    fn choose(&mut self, decision: &Decision<'_, P>, say: &mut dyn FnMut(Info)) -> P::Ply {
        let Decision { position, thinking, .. } = decision;
        let seat = position.seat();
        let mut candidates = Vec::new();
        position.children(&mut |ply, after| {
            let score = score(&after, seat);
            candidates.push(Candidate { ply, after, score, is_refuted: false });
        });
        let nodes = candidates.len() as u64;
        let mut best = self.best(&candidates);
        // A reply is looked for as long as the limits allow; those that say one ply mean it.
        let limits = &thinking.limits;
        let mut looked = nodes;
        while limits.depth.is_none_or(|depth| depth > 1)
            && limits.nodes.is_none_or(|nodes| looked < nodes)
            && !limits.is_up()
            && let Some(candidate) = best.map(|best| &mut candidates[best])
            && !candidate.is_refuted
            && candidate.after.wins_at_once(seat.other())
        {
            looked += 1;
            (candidate.is_refuted, candidate.score) = (true, -WIN);
            best = self.best(&candidates);
        }
        let Some(best) = best.map(|best| &candidates[best]) else {
            // The rules of an own game have failed: the caller that asked them reports it.
            return any_ply(*position);
        };
        let value = ScoreValue::Centipawns(best.score.into());
        let score = Some(Score { value, bound: None });
        say(Info { depth: Some(1), score, nodes: Some(looked), ..Info::default() });
        best.ply.clone()
    }
}

impl OnePly {
    /// Returns the place of the best candidate; of equal ones a random one.
    fn best<P: GamePosition>(&mut self, candidates: &[Candidate<P>]) -> Option<usize> {
        let most = candidates.iter().map(|candidate| candidate.score).max()?;
        let equal: Vec<_> = (0..candidates.len()).filter(|place| candidates[*place].score == most).collect();
        Some(equal[self.0.random_range(0..equal.len())])
    }
}

/// Scores a position for `seat`.
fn score<P: GamePosition>(position: &P, seat: Seat) -> i32 {
    match position.outcome().map(|verdict| verdict.outcome) {
        None => position.evaluate(seat),
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(winner)) if winner == seat => WIN,
        Some(Outcome::Win(_)) => -WIN,
        Some(outcome @ Outcome::Places(_)) => of_outcome(outcome, seat),
    }
}
