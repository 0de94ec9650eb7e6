//! What is told of a file: its problems, and in the end what was checked and what could not be.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use audit::{Audited, GameProblem, RecordedGame};
use diagnostic::output::count;
use protocol::printable_capped;
use serde::Serialize;

/// What was found in a file.
#[derive(Debug, Serialize)]
pub(super) struct ReplaySummary {
    /// The name of the file, made harmless.
    file: String,
    /// How many games there are.
    games: u64,
    /// How many plies they have.
    plies: u64,
    /// How many games have a problem.
    pub(super) problems: u64,
    /// How many games without a problem ended for reasons that no rule can check, by reason.
    on_trust: BTreeMap<&'static str, u64>,
    /// In how many games without a problem times could not be checked.
    without_times: u64,
    /// How many bytes of an unfinished last line were left out.
    pub(super) torn: u64,
}

/// A line of JSON; scripts rely on these keys.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Json<'a> {
    Problem {
        file: &'a str,
        line: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        number: Option<u64>,
        game: String,
        #[serde(flatten)]
        problem: &'a GameProblem,
    },
    File {
        #[serde(flatten)]
        summary: &'a ReplaySummary,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a String>,
    },
}

impl ReplaySummary {
    /// Begins a file.
    pub(super) fn new(file: &str) -> Self {
        Self {
            file: printable_capped(file, 1000),
            games: 0,
            plies: 0,
            problems: 0,
            on_trust: BTreeMap::new(),
            without_times: 0,
            torn: 0,
        }
    }

    /// Counts a game in which everything holds.
    pub(super) fn add(&mut self, game: &RecordedGame, audited: Audited) {
        self.games += 1;
        self.plies += game.ply_count() as u64;
        if let Some(reason) = audited.on_trust {
            *self.on_trust.entry(reason.code()).or_default() += 1;
        }
        self.without_times += u64::from(!audited.are_times_checked);
    }

    /// Counts a game with a problem.
    pub(super) fn add_problem(&mut self, game: &RecordedGame) {
        self.games += 1;
        self.plies += game.ply_count() as u64;
        self.problems += 1;
    }

    /// Returns a problem as text.
    pub(super) fn problem_to_text(&self, game: &RecordedGame, problem: &GameProblem) -> String {
        let mut text = format!("{}:{}: ", self.file, game.line);
        let label = printable_capped(game.label.as_deref().unwrap_or(&game.game), 100);
        let _ = match game.number.as_deref() {
            Some(number) => write!(text, "game {} ({label})", printable_capped(number, 20)),
            None => write!(text, "a game of {label}"),
        };
        let place = problem.ply.map_or_else(String::new, |ply| format!(", ply {ply}"));
        let _ = writeln!(text, "{place}\n  recorded  {}\n  rules     {}", problem.recorded, problem.rules);
        text
    }

    /// Returns a problem as a line of JSON.
    pub(super) fn problem_to_json(&self, game: &RecordedGame, problem: &GameProblem) -> String {
        to_line(&Json::Problem {
            file: &self.file,
            line: game.line,
            number: game.number.as_deref().and_then(|number| number.parse().ok()),
            game: printable_capped(&game.game, 100),
            problem,
        })
    }

    /// Returns what was found, as text; the file may not have been read to its end.
    pub(super) fn to_text(&self, is_whole: bool) -> String {
        let mut verdict = match self.problems {
            0 if self.games == 0 => "nothing to check".to_owned(),
            0 => "all hold".to_owned(),
            problems => format!("{problems} with a problem"),
        };
        if !is_whole {
            verdict.push_str("; the rest cannot be read");
        }
        let (games, plies) = (count(self.games, "game"), count_of_plies(self.plies));
        let mut text = format!("{}: {games}, {plies}: {verdict}\n", self.file);
        if !self.on_trust.is_empty() {
            let total = count(self.on_trust.values().sum(), "result");
            let parts: Vec<_> =
                self.on_trust.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
            let _ = writeln!(text, "  {total} taken on trust, no rule can check them: {}", parts.join(", "));
        }
        if self.without_times > 0 {
            let games = count(self.without_times, "game");
            let _ = writeln!(text, "  {games} without times that could be checked");
        }
        if self.torn > 0 {
            let _ = writeln!(text, "  an unfinished last line of {} is left out", count(self.torn, "byte"));
        }
        text
    }

    /// Returns what was found, as a line of JSON, with the reason why the file could not be read to its end.
    pub(super) fn to_json(&self, error: Option<&String>) -> String {
        to_line(&Json::File { summary: self, error })
    }
}

fn count_of_plies(plies: u64) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

fn to_line(json: &Json<'_>) -> String {
    serde_json::to_string(json).expect("strings and numbers can be written as JSON") + "\n"
}
