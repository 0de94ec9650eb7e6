//! `mcts`: Monte Carlo tree search with random playouts, which needs to know nothing of a game but its rules.

use std::time::Instant;

use protocol::{Info, PlyToken, Score, ScoreValue};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rules::{Outcome, Seat};

use crate::bot::{Bot, Decision, Player, Thinking};
use crate::game_position::GamePosition;
use crate::search::{SearchLimits, WIN, of_outcome};

/// How much a ply is worth trying because it was tried seldom; results are 0 to 1.
const CURIOSITY: f64 = 1.0;

/// After how many plies a playout is judged by what the board looks like.
const LONGEST_PLAYOUT: u32 = 200;

/// The most nodes of a tree: about 100 MB. Beyond that it does not grow any more.
const MOST_NODES: usize = 1_000_000;

/// Searches by random playouts, in a tree that grows where they went well. A node is one playout.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mcts;

impl Bot for Mcts {
    fn name(&self) -> &'static str {
        "mcts"
    }

    fn abilities(&self) -> &'static [&'static str] {
        &["stop", "nodes"]
    }

    fn sit_down<P: GamePosition>(&self, seed: u64) -> Box<dyn Player<P>> {
        Box::new(Explorer(ChaCha8Rng::seed_from_u64(seed)))
    }
}

struct Explorer(ChaCha8Rng);

impl<P: GamePosition> Player<P> for Explorer {
    fn choose(&mut self, decision: &Decision<'_, P>, say: &mut dyn FnMut(Info)) -> P::Ply {
        let Thinking { since, limits } = &decision.thinking;
        let mut tree = Tree::new(decision.position, &mut self.0);
        let end = limits.soft.zip(limits.hard).map(|(soft, hard)| soft + hard.duration_since(soft) / 2);
        while !tree.is_decided() && limits.nodes.is_none_or(|nodes| tree.playouts < nodes) {
            // The first playout is the least that any limit allows.
            if tree.playouts > 0 && (limits.is_up() || end.is_some_and(|end| Instant::now() >= end)) {
                break;
            }
            tree.explore(decision, &mut self.0);
        }
        let line = tree.line();
        say(info(&tree, &line, *since));
        line.into_iter().next().expect("a game that is not over has a legal ply")
    }
}

fn info<P: GamePosition>(tree: &Tree<P>, line: &[P::Ply], since: Instant) -> Info {
    let spent = since.elapsed();
    let seconds = spent.as_secs_f64();
    Info {
        depth: Some(tree.depth as u64),
        time: Some(spent),
        nodes: Some(tree.playouts),
        nodes_per_second: (seconds > 0.0).then(|| (tree.playouts as f64 / seconds) as u64),
        score: Some(Score { value: ScoreValue::Centipawns(tree.score()), bound: None }),
        pv: line.iter().filter_map(|ply| ply.to_string().parse::<PlyToken>().ok()).collect(),
        ..Info::default()
    }
}

/// A position that was reached in the tree; its children stand one after the other.
struct TreeNode<P: GamePosition> {
    /// The ply that leads here; `None` at the root.
    ply: Option<P::Ply>,
    /// The seat that decides here; known once it was visited.
    seat: Seat,
    visits: u32,
    /// The sum of the results for `p1`: 1 a win, 0 a loss.
    wins: f64,
    /// How the game ends from here with the best play of both.
    proof: Option<Outcome>,
    children: std::ops::Range<usize>,
}

struct Tree<P: GamePosition> {
    nodes: Vec<TreeNode<P>>,
    playouts: u64,
    /// Plies of the longest path.
    depth: usize,
}

impl<P: GamePosition> Tree<P> {
    fn new(position: &P, dice: &mut ChaCha8Rng) -> Self {
        let mut tree = Self { nodes: vec![TreeNode::new(None)], playouts: 0, depth: 0 };
        tree.nodes[0].seat = position.seat();
        tree.expand(0, position, dice);
        tree
    }

    /// Returns whether nothing is left to be found out.
    fn is_decided(&self) -> bool {
        self.nodes[0].proof.is_some() || self.nodes[0].children.len() == 1 && self.playouts > 0
    }

    /// Lists the plies of a position in a random order: of those that were never tried, the first is tried.
    fn expand(&mut self, node: usize, position: &P, dice: &mut ChaCha8Rng) {
        let first = self.nodes.len();
        let nodes = &mut self.nodes;
        position.legal_plies(&mut |ply| nodes.push(TreeNode::new(Some(ply))));
        self.nodes[first..].shuffle(dice);
        self.nodes[node].children = first..self.nodes.len();
    }

    /// Goes down to a position that was not seen before, plays on from there by lot, and takes note of the result on the way.
    fn explore(&mut self, decision: &Decision<'_, P>, dice: &mut ChaCha8Rng) {
        let mut position = decision.position.clone();
        let mut keys = vec![position.key()];
        let mut path = vec![0];
        let mut node = 0;
        let result = loop {
            if let Some(proof) = self.nodes[node].proof {
                break value(proof);
            }
            if self.nodes[node].children.is_empty() {
                if let Some(verdict) = position.outcome() {
                    self.nodes[node].proof = Some(verdict.outcome);
                    break value(verdict.outcome);
                }
                self.nodes[node].seat = position.seat();
                if self.nodes[node].visits == 0 || self.nodes.len() >= MOST_NODES {
                    break playout(position, &decision.thinking.limits, dice);
                }
                self.expand(node, &position, dice);
            }
            node = self.select(node);
            path.push(node);
            if let Some(ply) = &self.nodes[node].ply {
                position.play_legal(ply);
            }
            // As in other searches: what stands on the path already, or was there twice in the game, is a draw.
            let key = position.key();
            let times = || decision.past.iter().filter(|past| **past == key).count();
            if position.counts_for_repetition() && (keys.contains(&key) || times() >= 2) {
                break value(Outcome::Draw);
            }
            keys.push(key);
        };
        self.playouts += 1;
        self.depth = self.depth.max(path.len() - 1);
        for node in path.into_iter().rev() {
            self.prove(node);
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.wins += result;
        }
    }

    /// Returns the child that promises most, or was tried least.
    fn select(&self, parent: usize) -> usize {
        let TreeNode { seat, visits, children, .. } = &self.nodes[parent];
        let tries = f64::from(*visits).max(1.0).ln();
        let promise = |child: usize| match &self.nodes[child] {
            TreeNode { proof: Some(Outcome::Win(winner)), .. } if winner != seat => f64::MIN,
            TreeNode { visits: 0, .. } => f64::MAX,
            node => node.worth(*seat) + CURIOSITY * (tries / f64::from(node.visits)).sqrt(),
        };
        let mut best = children.start;
        let mut most = promise(best);
        for child in children.start + 1..children.end {
            let promise = promise(child);
            if promise > most {
                (best, most) = (child, promise);
            }
        }
        best
    }

    /// Takes note of how a position ends if its children say so.
    fn prove(&mut self, node: usize) {
        let TreeNode { seat, proof: None, children, .. } = &self.nodes[node] else { return };
        if children.is_empty() {
            return;
        }
        let (seat, children) = (*seat, &self.nodes[children.clone()]);
        let proves = |outcome| children.iter().any(|child| child.proof == Some(outcome));
        self.nodes[node].proof = match children.iter().all(|child| child.proof.is_some()) {
            _ if proves(Outcome::Win(seat)) => Some(Outcome::Win(seat)),
            true if proves(Outcome::Draw) => Some(Outcome::Draw),
            true => Some(Outcome::Win(seat.other())),
            false => None,
        };
    }

    /// Returns the child to play: one that wins, else the one that was tried most, unless it loses.
    fn best(&self, parent: usize) -> Option<usize> {
        let TreeNode { seat, children, proof, .. } = &self.nodes[parent];
        let rank = |child: usize| {
            let node = &self.nodes[child];
            let sureness = match node.proof {
                Some(Outcome::Win(winner)) if winner == *seat => 2,
                Some(Outcome::Win(_)) => 0,
                // Where nothing better than a draw is left, a draw that is proved is as good as it gets.
                Some(Outcome::Draw) if *proof == Some(Outcome::Draw) => 2,
                _ => 1,
            };
            (sureness, node.visits)
        };
        // The first of equals.
        children.clone().rev().max_by_key(|child| rank(*child))
    }

    /// Returns the best line as far as it was tried; it has at least one ply.
    fn line(&self) -> Vec<P::Ply> {
        let mut line = Vec::new();
        let mut node = 0;
        while let Some(child) =
            self.best(node).filter(|child| line.is_empty() || self.nodes[*child].visits > 0)
        {
            line.extend(self.nodes[child].ply.clone());
            node = child;
        }
        line
    }

    /// Returns what the root is worth to the seat that decides, as a score.
    fn score(&self) -> i64 {
        let root = &self.nodes[0];
        match root.proof {
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(winner)) if winner == root.seat => WIN.into(),
            Some(Outcome::Win(_)) => i64::from(-WIN),
            Some(outcome @ Outcome::Places(_)) => i64::from(of_outcome(outcome, root.seat)),
            None => {
                let worth = self.best(0).map_or(0.5, |best| self.nodes[best].worth(root.seat));
                // As ratings tell chances: 10 to 1 is 400.
                let worth = worth.clamp(0.001, 0.999);
                (400.0 * (worth / (1.0 - worth)).log10()).round() as i64
            }
        }
    }
}

impl<P: GamePosition> TreeNode<P> {
    const fn new(ply: Option<P::Ply>) -> Self {
        Self { ply, seat: Seat::P1, visits: 0, wins: 0.0, proof: None, children: 0..0 }
    }

    /// Returns the mean result for `seat`, 0 to 1; a half where nothing was tried.
    fn worth(&self, seat: Seat) -> f64 {
        let for_p1 = if self.visits == 0 { 0.5 } else { self.wins / f64::from(self.visits) };
        match seat {
            Seat::P1 => for_p1,
            _ => 1.0 - for_p1,
        }
    }
}

/// Returns a result for `p1`: 1 a win, 0 a loss.
fn value(outcome: Outcome) -> f64 {
    outcome.score(Seat::P1)
}

/// Plays random plies to the end of the game, and returns its result for `p1`. A long game, or one that the limits break off,
/// is judged by its evaluation.
fn playout<P: GamePosition>(mut position: P, limits: &SearchLimits, dice: &mut ChaCha8Rng) -> f64 {
    let mut plies = Vec::new();
    for played in 0..LONGEST_PLAYOUT {
        if let Some(verdict) = position.outcome() {
            return value(verdict.outcome);
        }
        if u64::from(played + 1).is_multiple_of(P::LOOK_EVERY) && limits.is_up() {
            break;
        }
        plies.clear();
        position.legal_plies(&mut |ply| plies.push(ply));
        position.play_legal(&plies[dice.random_range(0..plies.len())]);
    }
    if let Some(verdict) = position.outcome() {
        return value(verdict.outcome);
    }
    match position.evaluate(Seat::P1) {
        1.. => 1.0,
        0 => 0.5,
        ..0 => 0.0,
    }
}
