//! The result of a comparison.

use std::collections::BTreeSet;

use protocol::printable;
use stats::{fisher, holm};

use crate::compare::nodes::Twins;
use crate::compare::side::{FaultCount, Side, TimeUse};
use crate::compare::{Deviation, GameChange, NodeCounts, OverallChange, SetupChange, setup, strength};
use crate::writing::number::{count_of, p_value, signed};

/// The highest adjusted p value of a significant change.
pub const SIGNIFICANT: f64 = 0.05;

/// The differences between two runs. Arrays of two are `[before, after]`. Texts are as written.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The names of the runs; empty if a journal holds no configuration.
    pub names: [String; 2],
    /// Games that count in each.
    pub games: [u64; 2],
    /// Games without a result.
    pub uncounted: [u64; 2],
    /// Pairs that repeat an earlier one of the same run ply for ply. They are left out.
    pub repeated: [u64; 2],
    /// The settings that differ.
    pub setup: Vec<SetupChange>,
    /// The bots that are in only one run.
    pub only: [Vec<String>; 2],
    /// The bots that are in both runs.
    pub bots: Vec<BotChange>,
    /// The bots whose mean strength is zero: those with the same digest in both runs, or all.
    pub reference: Vec<String>,
    /// Whether all reference bots have the same digest in both runs.
    pub is_reference_unchanged: bool,
    /// The results of decisions that should be repeated.
    pub nodes: NodeCounts,
}

/// One bot that is in both runs.
#[derive(Clone, Debug)]
pub struct BotChange {
    /// Its name.
    pub name: String,
    /// Whether its digest differs.
    pub is_changed: bool,
    /// The change over all games; `None` if it cannot be determined.
    pub overall: Option<OverallChange>,
    /// The change in each game that it played in both runs.
    pub games: Vec<GameChange>,
    /// Its faults.
    pub faults: [FaultCount; 2],
    /// The two-sided p value of "its share of games lost by faults did not change" (Fisher), adjusted for all tests.
    pub faults_p_holm: f64,
    /// Its thinking time.
    pub time: [TimeUse; 2],
}

impl Comparison {
    pub(super) fn of(sides: &[Side; 2], twins: &Twins) -> Self {
        let names = [sides[0].names(), sides[1].names()];
        let only = |run: usize| -> Vec<String> {
            names[run].difference(&names[1 - run]).map(|name| (*name).to_owned()).collect()
        };
        let common: Vec<String> = names[0].intersection(&names[1]).map(|name| (*name).to_owned()).collect();
        let is_changed = |name: &String| sides[0].digests(name) != sides[1].digests(name);
        let unchanged: Vec<String> = common.iter().filter(|name| !is_changed(name)).cloned().collect();
        let is_reference_unchanged = !unchanged.is_empty();
        let reference = if is_reference_unchanged { unchanged } else { common.clone() };

        let mut bots: Vec<BotChange> = common
            .iter()
            .map(|name| {
                let player = |run: usize| sides[run].player(name).cloned().unwrap_or_default();
                let [before, after] = [player(0), player(1)];
                BotChange {
                    name: name.clone(),
                    is_changed: is_changed(name),
                    overall: None,
                    games: Vec::new(),
                    faults: [before.faults, after.faults],
                    faults_p_holm: 1.0,
                    time: [before.time, after.time],
                }
            })
            .collect();
        let samples = [sides[0].all_games(), sides[1].all_games()];
        for (label, before) in &samples[0] {
            let Some(after) = samples[1].get(label) else { continue };
            for (bot, change) in strength::in_game(sides, label, [before, after], &common, &reference) {
                bots[bot].games.push(change);
            }
        }
        adjust(&mut bots);
        Self {
            names: [0, 1].map(|run: usize| {
                sides[run].run.as_ref().map(|run| run.config.name.clone()).unwrap_or_default()
            }),
            games: [0, 1].map(|run: usize| sides[run].rated()),
            uncounted: [0, 1].map(|run: usize| sides[run].uncounted),
            repeated: [0, 1].map(|run: usize| sides[run].repeated),
            setup: setup::changes(sides),
            only: [only(0), only(1)],
            bots,
            reference,
            is_reference_unchanged,
            nodes: twins.found().clone(),
        }
    }

    /// Returns whether the runs have anything in common.
    #[must_use]
    pub fn is_comparable(&self) -> bool {
        self.nodes.games > 0 || self.bots.iter().any(|bot| bot.games.iter().any(|game| game.elo.is_some()))
    }

    /// Returns the significant changes as escaped sentences: strengths and faults with an adjusted p value of at most
    /// [`SIGNIFICANT`], and every bot that did not repeat a decision that it should have repeated.
    #[must_use]
    pub fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        for bot in &self.bots {
            let name = printable(&bot.name);
            let several = bot.overall.as_ref().filter(|overall| overall.games > 1);
            if let Some(overall) = several.filter(|overall| overall.p_holm <= SIGNIFICANT) {
                findings.push(format!(
                    "`{name}` is {} over all games: {} Elo (p {}).",
                    direction(overall.elo),
                    signed(overall.elo, 0),
                    p_value(overall.p_holm)
                ));
            }
            for game in &bot.games {
                let (Some(elo), Some(p)) = (game.elo, game.p_holm) else { continue };
                if p <= SIGNIFICANT {
                    findings.push(format!(
                        "`{name}` is {} in {}: {}{} Elo (p {}).",
                        direction(elo),
                        printable(&game.label),
                        if game.is_regularized { "~" } else { "" },
                        signed(elo, 0),
                        p_value(p)
                    ));
                }
            }
            if bot.faults_p_holm <= SIGNIFICANT {
                let [before, after] = bot.faults.map(|faults| (faults.total(), faults.games));
                findings.push(format!(
                    "`{name}` lost {} of {} games by faults, before {} of {} (p {}).",
                    after.0,
                    after.1,
                    before.0,
                    before.1,
                    p_value(bot.faults_p_holm)
                ));
            }
        }
        findings.extend(self.nodes.deviations.iter().map(|(bot, deviation)| deviated(bot, deviation)));
        findings
    }
}

/// Adjusts all tests of a comparison together, so that the probability of any false finding is at most [`SIGNIFICANT`].
fn adjust(bots: &mut [BotChange]) {
    let mut tests = Vec::new();
    for bot in bots.iter_mut() {
        bot.overall = strength::over_all(&bot.games);
        tests.extend(bot.games.iter().filter_map(|game| game.p_value));
        tests.extend(bot.overall.iter().filter(|overall| overall.games > 1).map(|overall| overall.p_value));
        // Without a fault there is nothing to test.
        let [before, after] = bot.faults;
        if before.total() + after.total() > 0 {
            bot.faults_p_holm = fisher([before.total(), before.games], [after.total(), after.games]);
            tests.push(bot.faults_p_holm);
        }
    }
    let mut adjusted = holm(&tests).into_iter();
    for bot in bots {
        for game in bot.games.iter_mut().filter(|game| game.p_value.is_some()) {
            game.p_holm = adjusted.next();
        }
        if let Some(overall) = &mut bot.overall {
            overall.p_holm = match overall.games {
                1 => bot.games.iter().find_map(|game| game.p_holm).unwrap_or(overall.p_value),
                _ => adjusted.next().unwrap_or(overall.p_value),
            };
        }
        let faults: BTreeSet<u64> = bot.faults.iter().map(FaultCount::total).collect();
        if faults != BTreeSet::from([0]) {
            bot.faults_p_holm = adjusted.next().unwrap_or(1.0);
        }
    }
}

const fn direction(elo: f64) -> &'static str {
    if elo > 0.0 { "stronger" } else { "weaker" }
}

fn deviated(bot: &str, deviation: &Deviation) -> String {
    let Deviation { games, numbers, label, ply, plies, nodes } = deviation;
    let told = |run: usize| {
        let nodes = nodes[run].map_or_else(String::new, |nodes| format!(" with {nodes} nodes"));
        format!("`{}`{nodes}", printable(&plies[run]))
    };
    let number = if numbers[0] == numbers[1] {
        format!("game {}", numbers[0])
    } else {
        format!("game {} ({} after)", numbers[0], numbers[1])
    };
    format!(
        "`{}` did not repeat itself in {}, first in {number} of {}, ply {ply}: {} before, {} after.",
        printable(bot),
        count_of(*games, "game"),
        printable(label),
        told(0),
        told(1)
    )
}
