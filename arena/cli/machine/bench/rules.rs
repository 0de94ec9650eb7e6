//! `arena bench` itself: nodes and random games a second, by the rules alone.

use std::fmt::Write as _;
use std::time::Duration;

use diagnostic::{Exit, Failure, output};
use measure::{PositionSpeed, RulesSpeed};
use rules::{GAMES, Setup};
use tournament_file::game_options::{position_error, setup};

use super::to_line;

/// The greatest number of seconds a game.
const MOST_SECONDS: f64 = 3600.0;

/// Measures how many nodes and random games a second the rules do, on one thread.
#[derive(Debug, clap::Args)]
#[group(id = "rules")]
pub(crate) struct Arguments {
    /// Measure this game only, with options after a colon; may be repeated.
    #[arg(long = "game", value_name = "GAME[:KEY=VALUE,...]")]
    games: Vec<String>,
    /// How many seconds to take per game, about; every count is made at least once.
    #[arg(long, default_value = "2", value_parser = read_seconds, allow_negative_numbers = true)]
    seconds: Duration,
    /// Write one line of JSON instead.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let mut games: Vec<Setup> =
            self.games.iter().map(|game| setup(game, &[])).collect::<Result<_, _>>()?;
        if games.is_empty() {
            games = GAMES.iter().map(|game| setup(game.id, &[])).collect::<Result<_, _>>()?;
        }
        let speed =
            RulesSpeed::measure(&games, self.seconds).map_err(|error| position_error(&games[0], &error))?;
        output::print(&if self.json { to_line(&speed) } else { to_text(&speed) })?;
        Ok(Exit::Done)
    }
}

fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds));
    let seconds = seconds.ok_or_else(|| format!("it must be a number from 0 to {MOST_SECONDS}"))?;
    Ok(Duration::from_secs_f64(seconds))
}

fn to_text(speed: &RulesSpeed) -> String {
    let width = speed.games.iter().map(|game| game.game.len()).max().unwrap_or(0).max(9);
    let mut text =
        format!("{:<width$} {:<9} {:>5} {:>11} {:>14}\n", "game", "position", "depth", "nodes", "nodes/s");
    for game in &speed.games {
        for (index, position) in game.positions.iter().enumerate() {
            let name = if index == 0 { game.game.as_str() } else { "" };
            let PositionSpeed { position, depth, nodes, is_right, nodes_per_second } = position;
            let _ = write!(text, "{name:<width$} {position:<9} {depth:>5} {:>11}", grouped(*nodes as f64));
            let _ = write!(text, " {:>14}", grouped(*nodes_per_second));
            text += if *is_right == Some(false) { "  wrong count\n" } else { "\n" };
        }
    }
    let _ =
        writeln!(text, "\n{:<width$} {:>14} {:>12} {:>14}", "game", "plies/playout", "playouts/s", "plies/s");
    for game in &speed.games {
        let (playouts, plies) = (grouped(game.playouts_per_second), grouped(game.plies_per_second));
        let _ = writeln!(
            text,
            "{:<width$} {:>14.1} {playouts:>12} {plies:>14}",
            game.game, game.plies_per_playout
        );
    }
    let _ = writeln!(text, "\nsignature {}", speed.signature);
    text
}

/// Returns a number without a fraction, its digits in groups of three: `12 345`.
pub(super) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        assert_eq!(grouped(0.4), "0");
        assert_eq!(grouped(999.0), "999");
        assert_eq!(grouped(1000.0), "1 000");
        assert_eq!(grouped(1_234_567.8), "1 234 568");
    }
}
