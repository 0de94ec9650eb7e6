//! Made-up runs: results drawn from known strengths, with a first-seat advantage and draws.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use record::{GameRecord, InfoRecord, JournalLine, PlyRecord, SeatRecord, SprtConfig, Termination};
use rules::Reason;
use serde_json::json;

/// The games of every run.
const LABELS: [&str; 3] = ["farook", "faust", "sophia"];

/// Pairs of each two bots in each game.
const ROUNDS: u32 = 24;

/// A run before its results are drawn.
#[derive(Clone)]
pub(crate) struct Cup {
    seed: u64,
    tc: String,
    bots: Vec<Bot>,
    test: Option<SprtConfig>,
    margin: u64,
}

#[derive(Clone)]
struct Bot {
    name: String,
    digest: String,
    /// In each game, in Elo.
    strength: [f64; LABELS.len()],
}

impl Cup {
    /// Four bots of known strength.
    pub(crate) fn new(seed: u64) -> Self {
        let bot = |(name, elo): (&str, f64)| Bot {
            name: name.to_owned(),
            digest: format!("digest-of-{name}"),
            strength: [elo; LABELS.len()],
        };
        let bots = [("ada", 60.0), ("bob", 20.0), ("cleo", 0.0), ("dan", -80.0)].map(bot);
        Self { seed, tc: "60+0.5".to_owned(), bots: bots.to_vec(), test: None, margin: 50 }
    }

    pub(crate) fn with_new_version(mut self, name: &str, gain: [f64; LABELS.len()]) -> Self {
        for bot in self.bots.iter_mut().filter(|bot| bot.name == name) {
            bot.digest.push_str("-2");
            bot.strength.iter_mut().zip(gain).for_each(|(strength, gain)| *strength += gain);
        }
        self
    }

    /// Makes a test of the first bot against the second, with bounds too far away to be reached.
    pub(crate) fn into_test(mut self) -> Self {
        self.bots.truncate(2);
        let (model, rare) = (stats::sprt::Model::Normalized.into(), 0.0001);
        self.test =
            Some(SprtConfig { model, elo0: 0.0, elo1: 5.0, alpha: rare, beta: rare, overshoot: false });
        self
    }

    pub(crate) fn with_margin(self, margin: u64) -> Self {
        Self { margin, ..self }
    }

    pub(crate) fn limited(self, tc: &str) -> Self {
        Self { tc: tc.to_owned(), ..self }
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.bots.retain(|bot| bot.name != name);
        self
    }

    pub(crate) fn named(mut self, name: &str, other: &str) -> Self {
        self.bots.iter_mut().filter(|bot| bot.name == name).for_each(|bot| bot.name = other.to_owned());
        self
    }

    /// Returns the games with results drawn.
    pub(crate) fn games(&self) -> Vec<GameRecord> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut games = Vec::new();
        for round in 1..=ROUNDS {
            for (game, label) in LABELS.into_iter().enumerate() {
                for (i, one) in self.bots.iter().enumerate() {
                    for two in &self.bots[i + 1..] {
                        // An opening favours one of the seats: the games of a pair depend on each other.
                        let opening = random.random_range(-80.0..80.0);
                        for (leg, seats) in [(1, [one, two]), (2, [two, one])] {
                            let number = games.len() as u64 + 1;
                            let edge = seats[0].strength[game] - seats[1].strength[game] + 40.0 + opening;
                            games.push(self.game(&mut random, (number, leg, round), label, seats, edge));
                        }
                    }
                }
            }
        }
        games
    }

    fn game(
        &self,
        random: &mut ChaCha8Rng,
        (number, leg, round): (u64, u8, u32),
        label: &str,
        seats: [&Bot; 2],
        edge: f64,
    ) -> GameRecord {
        let expected = 1.0 / (1.0 + 10f64.powf(-edge / 400.0));
        let drawn = 0.4 * f64::min(expected, 1.0 - expected);
        let luck: f64 = random.random();
        let result = match luck {
            luck if luck < expected - drawn / 2.0 => record::GameResult::P1Win,
            luck if luck < expected + drawn / 2.0 => record::GameResult::Draw,
            _ => record::GameResult::P2Win,
        };
        let seat = |bot: &Bot, seed: u64| SeatRecord {
            bot: bot.name.clone(),
            version: String::new(),
            digest: bot.digest.clone(),
            tc: self.tc.clone().into(),
            seed,
            overruns: 0,
            retries: 0,
            warnings: Vec::new(),
            exit: None,
            cpu_ms: None,
            peak_kib: None,
            out: None,
        };
        let plies = (0..10_u32).map(|turn| {
            let us = (turn > 1).then(|| 1000 + random.random_range(0..500));
            PlyRecord {
                ply: format!(
                    "{}{}",
                    ["a", "b", "c", "d"][random.random_range(0..4)],
                    random.random_range(1..5)
                ),
                san: None,
                seat: (turn % 2) as u8 + 1,
                turn: turn + 1,
                of: None,
                us,
                used: None,
                clock: us.map(|us| 60_000 - us / 1000),
                info: us.map(|us| InfoRecord { nodes: Some(us), ..InfoRecord::default() }),
                fallback: false,
            }
        });
        GameRecord {
            number,
            pair: number.div_ceil(2),
            leg,
            round,
            game: label.to_owned(),
            options: BTreeMap::new(),
            label: label.to_owned(),
            start: None,
            opening: 2,
            plies: plies.collect(),
            seats: [seat(seats[0], number), seat(seats[1], number + 1_000_000)].into(),
            result,
            reason: Termination::Rules(Reason::Pattern),
            detail: None,
            failed: None,
            started: "2026-11-21T09:30:05Z".to_owned(),
            seconds: 1.5,
            gathered: None,
            worker: None,
        }
    }

    /// Returns the journal with these games.
    pub(crate) fn written(&self, games: &[GameRecord]) -> String {
        let bots = self
            .bots
            .iter()
            .map(|bot| json!({ "name": bot.name, "command": [bot.name], "digest": bot.digest }));
        let labels = LABELS.map(|label| {
            json!({
                "game": label,
                "options": {},
                "label": label,
                "tc": self.tc,
                "openings": { "plies": 2 },
            })
        });
        let run = json!({
            "type": "run",
            "format": 2,
            "arena": "0.1.0",
            "rules": "0123456789abcdef",
            "written": "2026-11-21T09:00:00Z",
            "config": {
                "name": "cup",
                "format": if self.test.is_some() { "sprt" } else { "round-robin" },
                "sprt": self.test,
                "rounds": ROUNDS,
                "seed": self.seed,
                "games": labels,
                "bots": bots.collect::<Vec<_>>(),
                "settings": {
                    "margin_ms": self.margin,
                    "think_limit_ms": 60_000,
                    "illegal": "forfeit",
                    "restart": "auto",
                },
            },
        });
        let games = games
            .iter()
            .map(|game| serde_json::to_value(JournalLine::Game(Box::new(game.clone()))).expect("JSON"));
        std::iter::once(run).chain(games).map(|line| format!("{line}\n")).collect()
    }

    pub(crate) fn journal(&self) -> String {
        self.written(&self.games())
    }
}
