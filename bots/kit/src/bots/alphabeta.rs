//! `alphabeta`: iterative deepening within the clock, the nodes and the depth that it is given.

use std::time::Instant;

use protocol::{Info, OptionDeclaration, OptionKind, PlyToken, Score, ScoreValue};

use crate::bot::{Bot, Decision, Player};
use crate::game_position::GamePosition;
use crate::max_n::MaxN;
use crate::search::{Iteration, Search};

/// Searches as deep as the limits allow.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBeta {
    /// The size of the transposition table, in MiB.
    hash: usize,
    /// Whether every seat of a table of more than two is taken to play for itself, rather than all others against the own one.
    is_max_n: bool,
}

impl AlphaBeta {
    const HASH: (i64, i64, i64) = (16, 1, 1024);
}

impl Default for AlphaBeta {
    fn default() -> Self {
        Self { hash: Self::HASH.0 as usize, is_max_n: false }
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
        let hash = OptionKind::Spin { default, min, max };
        let max_n = OptionKind::Check { default: Some(false) };
        [("Hash", hash), ("MaxN", max_n)]
            .map(|(name, kind)| OptionDeclaration { name: name.to_owned(), kind })
            .into()
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match name {
            "Hash" => {
                if let Ok(hash) = value.parse::<i64>() {
                    self.hash = hash.clamp(Self::HASH.1, Self::HASH.2) as usize;
                }
            }
            "MaxN" => self.is_max_n = value == "true",
            _ => {}
        }
    }

    fn sit_down<P: GamePosition>(&self, _seed: u64) -> Box<dyn Player<P>> {
        Box::new(Searcher {
            search: Search::new(self.hash),
            max_n: self.is_max_n.then(|| MaxN::new(self.hash)),
        })
    }
}

struct Searcher<P: GamePosition> {
    search: Search<P>,
    max_n: Option<MaxN<P>>,
}

impl<P: GamePosition> Player<P> for Searcher<P> {
    fn choose(&mut self, decision: &Decision<'_, P>, say: &mut dyn FnMut(Info)) -> P::Ply {
        let Self { search, max_n } = self;
        let limits = decision.thinking.limits.clone();
        if let Some(search) = max_n.as_mut().filter(|_| decision.position.seats() > 2) {
            search.set_past(decision.past.iter().copied());
            let mut report = search.decide(decision.position, limits, &mut |report| {
                say(info(report, decision.thinking.since));
            });
            return report.line.swap_remove(0);
        }
        search.set_past(decision.past.iter().copied());
        let mut report = search.decide(decision.position, limits, &mut |report| {
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
