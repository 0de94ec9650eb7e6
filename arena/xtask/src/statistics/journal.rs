//! Tournaments by lot as the lines of a journal, for what reads journals.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use record::{
    BotConfig, GameConfig, GameRecord, GameResult, Grants, OpeningConfig, RunConfig, RunRecord, SeatControl,
    SeatRecord, Termination,
};
use rules::Reason;
use settings::{Adjudication, Conditions, Format, Recorded};
use stats::GameScore;

use super::lots::Design;

/// The name of a bot: the best is the first.
pub(super) fn name(bot: usize) -> String {
    format!("bot{bot:02}")
}

/// Writes a run of a design, in these games, for `rounds` rounds; nothing is set that statistics do not look at.
pub(super) fn run(design: &Design, games: usize, rounds: u32) -> RunRecord {
    let bot = |bot: usize| BotConfig {
        name: name(bot),
        version: None,
        command: vec![name(bot)],
        options: BTreeMap::new(),
        tc: None,
        sandbox: None,
        granted: Grants::default(),
        limits: settings::RecordedQuota::default(),
        cgroups: None,
        start: record::StartConfig::default(),
        digest: name(bot),
    };
    let game = |game: usize| GameConfig {
        game: label(game),
        options: BTreeMap::new(),
        label: label(game),
        seats: 2,
        tc: Recorded::Unknown(String::new()),
        openings: OpeningConfig::of_plies(0),
        rules: None,
    };
    let config = RunConfig {
        name: design.name.clone(),
        format: Format::RoundRobin.into(),
        sprt: None,
        schedule: None,
        pairing: None,
        rounds,
        seed: 0,
        games: (0..games).map(game).collect(),
        bots: (0..design.bots).map(bot).collect(),
        adjudicate: Adjudication::default(),
        settings: Conditions::default(),
    };
    RunRecord {
        format: record::FORMAT,
        arena: String::new(),
        rules: String::new(),
        written: String::new(),
        from_pair: None,
        config,
    }
}

/// Plays a tournament in one game after the other and hands over its records. The start of a game stands for its opening;
/// games have no plies, so that none is taken for a copy. The design has no single games.
pub(super) fn play(design: &Design, games: usize, random: &mut ChaCha8Rng, mut take: impl FnMut(GameRecord)) {
    let mut number = 0;
    for game in 0..games {
        design.each_pair(random, |round, pair| {
            for (leg, played) in (1..).zip(pair) {
                number += 1;
                take(GameRecord {
                    number,
                    pair: number.div_ceil(2),
                    leg,
                    round,
                    game: label(game),
                    options: BTreeMap::new(),
                    label: label(game),
                    start: played.opening.map(|opening| opening.to_string()),
                    seats: [0, 1].map(|place| seat(played.result.player(place))).into(),
                    opening: 0,
                    result: match played.result.score(0, 1) {
                        GameScore::Win => GameResult::P1Win,
                        GameScore::Draw => GameResult::Draw,
                        GameScore::Loss => GameResult::P2Win,
                    },
                    reason: Termination::Rules(Reason::Pattern),
                    detail: None,
                    failed: None,
                    started: String::new(),
                    seconds: 0.0,
                    gathered: None,
                    worker: None,
                    plies: Vec::new(),
                });
            }
        });
    }
}

fn label(game: usize) -> String {
    format!("game{game}")
}

fn seat(bot: usize) -> SeatRecord {
    SeatRecord {
        bot: name(bot),
        version: String::new(),
        digest: name(bot),
        tc: SeatControl::default(),
        seed: 0,
        overruns: 0,
        retries: 0,
        warnings: Vec::new(),
        exit: None,
        cpu_ms: None,
        peak_kib: None,
        out: None,
    }
}
