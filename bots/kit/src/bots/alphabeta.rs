//! `alphabeta`: iterative deepening within the clock, the nodes and the depth that it is given.

use std::time::Instant;

use protocol::{Info, OptionDeclaration, OptionKind, PlyToken, Score, ScoreValue};

use crate::bot::{Bot, Decision, Player};
use crate::game_position::GamePosition;
use crate::search::{Iteration, Search};

/// Searches as deep as the limits allow.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBeta {
    /// The size of the transposition table, in MiB.
    hash: usize,
}

impl AlphaBeta {
    const HASH: (i64, i64, i64) = (16, 1, 1024);
}

impl Default for AlphaBeta {
    fn default() -> Self {
        Self { hash: Self::HASH.0 as usize }
    }
}

impl Bot for AlphaBeta {
    fn name(&self) -> &'static str {
        "alphabeta"
    }

    fn abilities(&self) -> &'static [&'static str] {
        &["stop", "depth", "nodes"]
    }

    fn options(&self) -> Vec<OptionDeclaration> {
        let (default, min, max) = Self::HASH;
        vec![OptionDeclaration { name: "Hash".to_owned(), kind: OptionKind::Spin { default, min, max } }]
    }

    fn set_option(&mut self, name: &str, value: &str) {
        if name == "Hash"
            && let Ok(hash) = value.parse::<i64>()
        {
            self.hash = hash.clamp(Self::HASH.1, Self::HASH.2) as usize;
        }
    }

    fn sit_down<P: GamePosition>(&self, _seed: u64) -> Box<dyn Player<P>> {
        Box::new(Searcher(Search::new(self.hash)))
    }
}

struct Searcher<P: GamePosition>(Search<P>);

impl<P: GamePosition> Player<P> for Searcher<P> {
    fn choose(&mut self, decision: &Decision<'_, P>, say: &mut dyn FnMut(Info)) -> P::Ply {
        let Self(search) = self;
        search.set_past(decision.past.iter().copied());
        let mut report = search.decide(decision.position, decision.thinking.limits.clone(), &mut |report| {
            say(info(report, decision.thinking.since));
        });
        report.line.swap_remove(0)
    }
}

fn info<Ply: ToString>(report: &Iteration<Ply>, since: Instant) -> Info {
    let value = report.mate.map_or(ScoreValue::Centipawns(report.score.into()), ScoreValue::Mate);
    let seconds = report.time.as_secs_f64();
    Info {
        depth: Some(report.depth.into()),
        time: Some(since.elapsed()),
        nodes: Some(report.nodes),
        nodes_per_second: (seconds > 0.0).then(|| (report.nodes as f64 / seconds) as u64),
        score: Some(Score { value, bound: None }),
        pv: report.line.iter().filter_map(|ply| ply.to_string().parse::<PlyToken>().ok()).collect(),
        ..Info::default()
    }
}
