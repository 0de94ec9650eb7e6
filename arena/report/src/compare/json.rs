//! A comparison as JSON, figures in full precision.

use serde_json::{Value, json};

use crate::compare::{BotChange, Comparison, SIGNIFICANT};
use crate::writing::json::document;

impl Comparison {
    /// Returns one JSON object and a line feed. Values of both runs are lists: before, after.
    #[must_use]
    pub fn to_json(&self) -> String {
        let setup: Vec<Value> = self
            .setup
            .iter()
            .map(|change| json!({ "what": change.what, "before": change.before, "after": change.after }))
            .collect();
        let deviations: Vec<Value> = self
            .nodes
            .deviations
            .iter()
            .map(|(bot, deviation)| {
                json!({
                    "bot": bot,
                    "games": deviation.games,
                    "numbers": deviation.numbers,
                    "game": deviation.label,
                    "ply": deviation.ply,
                    "plies": deviation.plies,
                    "nodes": deviation.nodes,
                })
            })
            .collect();
        document(&json!({
            "names": self.names,
            "comparable": self.is_comparable(),
            "changed": !self.findings().is_empty(),
            "findings": self.findings(),
            "significant": SIGNIFICANT,
            "games": self.games,
            "uncounted": self.uncounted,
            "repeated_pairs": self.repeated,
            "setup": setup,
            "only": self.only,
            "reference": { "bots": self.reference, "unchanged": self.is_reference_unchanged },
            "bots": self.bots.iter().map(bot).collect::<Vec<_>>(),
            "nodes": {
                "games": self.nodes.games,
                "decisions": self.nodes.decisions,
                "unmatched": self.nodes.unmatched,
                "deviations": deviations,
            },
        }))
    }
}

fn bot(bot: &BotChange) -> Value {
    let games: Vec<Value> = bot
        .games
        .iter()
        .map(|game| {
            json!({
                "game": game.label,
                "games": game.games,
                "score": game.scores,
                "elo": game.elo,
                "error95": game.error95,
                "p": game.p_value,
                "p_holm": game.p_holm,
                "regularized": game.is_regularized,
            })
        })
        .collect();
    let overall = bot.overall.as_ref().map(|overall| {
        json!({
            "games": overall.games,
            "elo": overall.elo,
            "interval": [overall.interval.low, overall.interval.high],
            "p": overall.p_value,
            "p_holm": overall.p_holm,
            "i_squared": overall.i_squared,
            "prediction": overall.prediction.map(|interval| [interval.low, interval.high]),
        })
    });
    json!({
        "name": bot.name,
        "digest_changed": bot.is_changed,
        "overall": overall,
        "games": games,
        "faults": bot.faults.map(|faults| faults.total()),
        "faults_of": bot.faults.map(|faults| faults.games),
        "faults_p_holm": bot.faults_p_holm,
        "ms_per_ply": bot.time.map(|time| time.mean_ms()),
        "clock_share": bot.time.map(|time| time.clock_share()),
    })
}
