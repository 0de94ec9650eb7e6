//! `arena bench fairness`: the same bot on both seats of many games, and whether it is charged alike.

use std::time::Duration;

use clap::Args;
use diagnostic::{Exit, Failure, output, say};
use measure::{ChargeDifference, Fairness, FairnessBench};
use runner::Control;
use tournament_file::game_options;

use super::to_line;

/// The arguments of `arena bench fairness`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "fanorona")]
    game: String,
    /// How many pairs of games to play, seats swapped within each
    #[arg(long, value_name = "N", default_value = "5000", value_parser = clap::value_parser!(u64).range(10..=100_000))]
    pairs: u64,
    /// How many games are played at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1024))]
    concurrency: u64,
    /// What is kept to cores of its own: each `game`, each `bot`, or nothing (`off`)
    #[arg(long, value_name = "WHAT", default_value = "off", value_parser = ["off", "game", "bot"])]
    pin: String,
    /// Let the second bot take this many microseconds longer for every answer, to see whether that is found
    #[arg(long, value_name = "MICROSECONDS", default_value = "0")]
    bias: u32,
    /// Write one line of JSON instead
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Plays and compares. Ends with 1 where a difference is certain to be more than anybody should notice.
    pub(crate) fn run(&self, control: &Control) -> Result<Exit, Failure> {
        let setup = game_options::setup(&self.game, &[])?;
        let bench = FairnessBench {
            setup: &setup,
            pairs: self.pairs,
            concurrency: self.concurrency,
            pin: &self.pin,
            bias: Duration::from_micros(self.bias.into()),
            tell: &say,
            control,
        };
        let fairness =
            bench.measure().map_err(|error| Failure::io("failed to measure the charges", &error))?;
        output::print(&if self.json { to_line(&fairness) } else { to_text(&fairness) })?;
        Ok(if fairness.is_fair { Exit::Done } else { Exit::No })
    }
}

fn to_text(fairness: &Fairness) -> String {
    let mut text = format!(
        "charged more, in microseconds a decision, over {} of games\n{:<26}{:<9}{:>11}   99 % interval\n",
        output::count(fairness.pairs as u64, "pair"),
        "",
        "by",
        "difference"
    );
    for ChargeDifference { sides, of, difference, low, high } in &fairness.differences {
        text += &format!("{sides:<26}{of:<9}{difference:>11.2}   {low:.2} to {high:.2}\n");
    }
    text += if fairness.is_fair {
        "no difference is certain to be more than 5 us\n"
    } else {
        "a difference is certain to be more than 5 us: somebody is favoured\n"
    };
    text
}
