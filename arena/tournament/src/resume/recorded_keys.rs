//! What a configuration says for each key of a tournament file, as texts that can be compared.

use record::{GameConfig, RunConfig, ScheduleConfig, SprtConfig};
use settings::{Arrangement, Conditions, Key, Settings as _};

/// What one place of a configuration says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecordedText {
    /// The place: a key, or a key of one game.
    pub(super) place: String,
    /// What stands there.
    pub(super) text: String,
}

/// Returns what a configuration says for a key at the top of a tournament file: a text for the whole run, or one for each of
/// its games.
///
/// There is none for keys whose values are lists that may grow, games and bots, which are compared item by item; for what is
/// part of a bot; and for what no record has, since it makes no difference to any game.
pub(super) fn texts(config: &RunConfig, key: &Key) -> Vec<RecordedText> {
    let one = |text: String| vec![RecordedText { place: format!("`{}`", key.name), text }];
    let each = |what: &str, text: fn(&GameConfig) -> String| {
        let of = |game: &GameConfig| RecordedText {
            place: format!("{what} of {}", protocol::printable(&game.label)),
            text: text(game),
        };
        config.games.iter().map(of).collect()
    };
    let pairing = config.pairing.as_ref();
    match key.name {
        "name" => one(format!("`{}`", protocol::printable(&config.name))),
        "format" => one(config.format.to_string()),
        "seeds" => pairing.map_or_else(Vec::new, |pairing| one(list(&pairing.seeds, ", "))),
        "seeds-meet" => pairing.map_or_else(Vec::new, |pairing| one(pairing.seeds_meet.to_string())),
        "matches" => pairing.map_or_else(Vec::new, |pairing| {
            let matches: Vec<_> = pairing.matches.iter().map(|bots| bots.join(" and ")).collect();
            one(list(&matches, "; "))
        }),
        "sprt" => one(config.sprt.as_ref().map_or_else(|| "none".to_owned(), sprt)),
        "schedule" => one(config.schedule.as_ref().map_or_else(|| "round-robin".to_owned(), schedule)),
        "rounds" => one(config.rounds.to_string()),
        "tc" => each("`tc`", |game| game.tc.to_string()),
        "rules" => each("the digest of the rules", |game| {
            game.rules.as_ref().map_or_else(|| "none of one's own".to_owned(), |rules| rules.digest.clone())
        }),
        "openings" => each("the openings", |game| tournament_file::describe_openings(&game.openings)),
        "seed" => one(config.seed.to_string()),
        "adjudicate" => one(config.adjudicate.to_string()),
        name if Conditions::find(name).is_some() => one(config.settings.text(name)),
        name => {
            debug_assert!(
                matches!(name, "games" | "bots" | "sandbox" | "limits") || Arrangement::find(name).is_some(),
                "`{name}` is recorded nowhere"
            );
            Vec::new()
        }
    }
}

fn sprt(SprtConfig { model, elo0, elo1, alpha, beta, overshoot }: &SprtConfig) -> String {
    let correction = if *overshoot { "" } else { " overshoot=false" };
    format!("{model} elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}{correction}")
}

fn schedule(schedule: &ScheduleConfig) -> String {
    format!("{}:{}", schedule.goal, schedule.alpha)
}

fn list(items: &[String], separator: &str) -> String {
    if items.is_empty() {
        "none".to_owned()
    } else {
        protocol::printable(&items.join(separator)).into_owned()
    }
}
