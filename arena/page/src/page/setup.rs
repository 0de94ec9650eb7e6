//! What was played, by whom and how: the configuration and the versions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use record::{GameConfig, OpeningConfig, RunRecord, RunSummary};

use crate::naming::shown;

/// A game of the configuration, in words.
pub(crate) struct GameLine {
    pub(crate) label: String,
    pub(crate) options: String,
    pub(crate) tc: String,
    pub(crate) openings: String,
}

/// A bot of the configuration, in words.
pub(crate) struct BotLine {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) command: String,
    pub(crate) limits: String,
    pub(crate) digest: String,
}

/// Returns the games.
pub(crate) fn games(run: &RunRecord) -> Vec<GameLine> {
    run.config.games.iter().map(game).collect()
}

fn game(game: &GameConfig) -> GameLine {
    let options: Vec<_> = game.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    GameLine {
        label: shown(&game.label),
        options: shown(&options.join(" ")),
        tc: shown(&game.tc.to_string()),
        openings: shown(&openings(&game.openings)),
    }
}

fn openings(openings: &OpeningConfig) -> String {
    let mut words = match openings {
        OpeningConfig { plies: Some(0), .. } => "none".to_owned(),
        OpeningConfig { plies: Some(plies), .. } => format!("{plies} random plies"),
        OpeningConfig { turns: Some(turns), .. } => format!("{turns} random turns"),
        OpeningConfig { file: Some(file), .. } => format!("file {file}"),
        OpeningConfig { book: Some(book), .. } => format!("{book} book"),
        _ => "none".to_owned(),
    };
    if let Some(order) = &openings.order {
        words.push_str(&format!(", {order}"));
    }
    words
}

/// Returns the bots, with the versions that they said they are.
pub(crate) fn bots(contents: &RunSummary, run: &RunRecord) -> Vec<BotLine> {
    // The first version that a bot said it is; games share what they say of their seats.
    let mut seen = HashSet::new();
    let mut said: HashMap<(&str, &str), &str> = HashMap::new();
    for seat in contents.games.lineups().flat_map(|lineup| &lineup.seats) {
        if seen.insert(Arc::as_ptr(seat)) && !seat.version.is_empty() {
            said.entry((&seat.bot, &seat.digest)).or_insert(&seat.version);
        }
    }
    let line = |bot: &record::BotConfig| {
        let options = bot.options.iter().map(|(key, value)| format!("{key}={value}"));
        let limits: Vec<_> = bot.tc.iter().map(ToString::to_string).chain(options).collect();
        let version = bot
            .version
            .as_deref()
            .or_else(|| said.get(&(&*bot.name, &*bot.digest)).copied())
            .unwrap_or_default();
        BotLine {
            name: shown(&bot.name),
            version: shown(version),
            command: shown(&bot.command.join(" ")),
            limits: shown(&limits.join(", ")),
            digest: shown(&bot.digest),
        }
    };
    run.config.bots.iter().map(line).collect()
}

/// Returns what holds for the whole run, each with its name.
pub(crate) fn settings(run: &RunRecord) -> Vec<(&'static str, String)> {
    let config = &run.config;
    let settings = &config.settings;
    let text = |key: &str| shown(&settings.text(key));
    let mut lines = vec![
        ("Format", shown(&config.format.to_string())),
        ("Rounds", config.rounds.to_string()),
        ("Seed", config.seed.to_string()),
        ("Margin", format!("{} ms", settings.margin.as_millis())),
        ("Think limit", format!("{} ms", settings.think_limit.as_millis())),
        ("Illegal plies", text("illegal")),
        ("Restart of bots", text("restart")),
        ("Pondering", if settings.ponder == settings::Ponder::Yes { "yes" } else { "no" }.to_owned()),
        ("Arena", shown(&run.arena)),
        ("Rules", shown(&run.rules)),
        ("Configured", shown(&run.written)),
    ];
    if let Some(sprt) = &config.sprt {
        let test = format!(
            "{} Elo, H0 {} and H1 {}, \u{3b1} {} and \u{3b2} {}",
            sprt.model, sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta
        );
        lines.insert(1, ("Test", shown(&test)));
    }
    lines
}
