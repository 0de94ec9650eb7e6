//! A comparison as CSV: a line per bot and game.

use crate::compare::{Comparison, TimeUse};
use crate::writing::number::optional;
use crate::writing::spreadsheet::{Spreadsheet, text};

impl Comparison {
    /// Returns CSV: for every bot a line over all games (`all`) with faults and time, then one line for each game. Unknown
    /// values are empty cells.
    #[must_use]
    pub fn to_csv(&self) -> Vec<u8> {
        let mut sheet = Spreadsheet::new(&[
            "game",
            "bot",
            "games_before",
            "games_after",
            "score_before",
            "score_after",
            "elo_change",
            "error95",
            "low",
            "high",
            "p",
            "p_holm",
            "mark",
            "faults_before",
            "faults_after",
            "faults_p_holm",
            "ms_per_ply_before",
            "ms_per_ply_after",
            "clock_share_before",
            "clock_share_after",
        ]);
        for bot in &self.bots {
            let overall = bot.overall.as_ref();
            let name = text(&bot.name);
            let mut cells = vec!["all".to_owned(), name.clone()];
            cells.extend(bot.faults.map(|faults| faults.games.to_string()));
            cells.extend([String::new(), String::new()]);
            cells.extend([optional(overall.map(|overall| overall.elo), 1), String::new()]);
            cells.extend([
                optional(overall.map(|overall| overall.interval.low), 1),
                optional(overall.map(|overall| overall.interval.high), 1),
                optional(overall.map(|overall| overall.p_value), 6),
                optional(overall.map(|overall| overall.p_holm), 6),
                mark(bot.games.iter().any(|game| game.is_regularized)),
            ]);
            cells.extend(bot.faults.map(|faults| faults.total().to_string()));
            cells.push(optional(Some(bot.faults_p_holm), 6));
            cells.extend(bot.time.map(|time| optional(time.mean_ms(), 3)));
            cells.extend(bot.time.map(|time: TimeUse| optional(time.clock_share(), 6)));
            sheet.row(&cells);
            for game in &bot.games {
                let half = game.error95;
                let mut cells = vec![text(&game.label), name.clone()];
                cells.extend(game.games.map(|games| games.to_string()));
                cells.extend(game.scores.map(|score| optional(score, 4)));
                cells.extend([
                    optional(game.elo, 1),
                    optional(half, 1),
                    optional(game.elo.zip(half).map(|(elo, half)| elo - half), 1),
                    optional(game.elo.zip(half).map(|(elo, half)| elo + half), 1),
                    optional(game.p_value, 6),
                    optional(game.p_holm, 6),
                    mark(game.is_regularized),
                ]);
                cells.extend(std::iter::repeat_n(String::new(), 7));
                sheet.row(&cells);
            }
        }
        sheet.into_bytes()
    }
}

fn mark(is_regularized: bool) -> String {
    if is_regularized { "~".to_owned() } else { String::new() }
}
