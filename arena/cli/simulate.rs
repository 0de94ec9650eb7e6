//! `arena simulate`: how often a test of strength errs, and how long it takes.

use std::num::NonZeroU64;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use serde::Serialize;
use stats::sprt::{Draws, Length, PairLaw, Players, Run, Simulator, Summary, Walk};

use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::hypotheses::HypothesesArguments;
use crate::output;

/// Plays a test of strength many times with invented results.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    test: HypothesesArguments,
    /// The true difference, in Elo of the model.
    #[arg(long, value_name = "ELO", default_value = "0", allow_negative_numbers = true)]
    elo: f64,
    /// The share of games between equals that are drawn, 0 to 1.
    #[arg(long, value_name = "P", default_value = "0", allow_negative_numbers = true)]
    draw_rate: f64,
    /// Draw Elo (as in BayesElo) instead of a draw rate.
    #[arg(long, value_name = "ELO", conflicts_with = "draw_rate", allow_negative_numbers = true)]
    draw_elo: Option<f64>,
    /// What the first seat is worth, in Elo.
    #[arg(long, value_name = "ELO", default_value = "0", allow_negative_numbers = true)]
    first_seat: f64,
    /// How many tests to play.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    runs: u32,
    /// End a test without a verdict after so many pairs.
    #[arg(long, value_name = "N", default_value = "100000")]
    max_pairs: NonZeroU64,
    /// Correct the bounds for the jump beyond them.
    #[arg(long)]
    overshoot: bool,
    /// The seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Write one line of JSON instead.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let hypotheses = self.test.hypotheses()?;
        let draws = self.draw_elo.map_or(Draws::Rate(self.draw_rate), Draws::Elo);
        let players = Players { draws, first_seat: self.first_seat };
        let law = PairLaw::new(&players, hypotheses.model(), self.elo)
            .map_err(|error| Failure::usage(error.to_string()))?;
        let walk = Walk::new(hypotheses).with_max_pairs(self.max_pairs);
        let walk = if self.overshoot { walk.with_overshoot() } else { walk };
        let simulator = Simulator::new(walk, law);
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let runs: Vec<Run> = (0..self.runs).map(|_| simulator.run(|| random.random())).collect();
        let summary = Summary::of(&runs).expect("there is at least one run");
        let expected = Length::of(&hypotheses, self.elo, law.deviation());
        let report = Report::new(&law, &summary, expected);
        output::print(&if self.json { report.to_json() } else { report.to_text() })?;
        Ok(Exit::Done)
    }
}

/// What came out; scripts rely on these keys.
#[derive(Serialize)]
struct Report {
    runs: usize,
    pair_scores: [f64; 5],
    pass: f64,
    pass_error: f64,
    fail: f64,
    mean_pairs: f64,
    mean_pairs_error: f64,
    median_pairs: u64,
    pairs90: u64,
    brownian_pass: f64,
    brownian_pairs: f64,
}

impl Report {
    fn new(law: &PairLaw, summary: &Summary, expected: Length) -> Self {
        Self {
            runs: summary.runs,
            pair_scores: law.probabilities(),
            pass: summary.pass,
            pass_error: summary.pass_error,
            fail: summary.fail,
            mean_pairs: summary.mean_pairs,
            mean_pairs_error: summary.mean_pairs_error,
            median_pairs: summary.median_pairs,
            pairs90: summary.pairs90,
            brownian_pass: expected.pass,
            brownian_pairs: expected.pairs,
        }
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers can be written as JSON") + "\n"
    }

    fn to_text(&self) -> String {
        let scores = self.pair_scores.map(|p| format!("{p:.4}")).join(" ");
        let percent = |share: f64| format!("{:.2}%", 100.0 * share);
        format!(
            "tests         {}\npair scores   {scores}\npassed        {} ± {} (formula {})\nfailed        {}\n\
             mean pairs    {:.1} ± {:.1} (formula {:.1})\nmedian pairs  {}\n90% within    {} pairs\n\n\
             ± is one standard error; the formula takes the ratio for Brownian motion, without jumps and limit.\n",
            self.runs,
            percent(self.pass),
            percent(self.pass_error),
            percent(self.brownian_pass),
            percent(self.fail),
            self.mean_pairs,
            self.mean_pairs_error,
            self.brownian_pairs,
            self.median_pairs,
            self.pairs90,
        )
    }
}
