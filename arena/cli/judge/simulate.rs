//! `arena simulate`: how often a test of strength errs, and how long it takes; how long a table takes.

mod table;

use std::num::NonZeroU64;

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use serde::Serialize;
use stats::MOST_SEATS;
use stats::sprt::{BlockLaw, BlockLawError, Draws, Length, Players, Run, Simulator, Summary, Walk};

use self::table::TableArguments;
use crate::judge::hypotheses::{HypothesesArguments, Test};

/// How many tests are played if nothing else is said.
const TESTS: u32 = 1000;

/// How many tables.
const TABLES: u32 = 200;

/// Plays a test of strength, or with `--table` a round robin, many times with invented results.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples: `arena simulate --preset gain`, `arena simulate --table --bots 8 --gap 20`."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    test: HypothesesArguments,
    /// The true difference, in Elo of the model.
    #[arg(
        long,
        value_name = "ELO",
        default_value = "0",
        allow_negative_numbers = true,
        conflicts_with = "table"
    )]
    elo: f64,
    /// The share of games between equals that are drawn, 0 to 1.
    #[arg(long, value_name = "P", default_value = "0", allow_negative_numbers = true)]
    draw_rate: f64,
    /// Draw Elo (as in BayesElo) instead of a draw rate.
    #[arg(long, value_name = "ELO", conflicts_with = "draw_rate", allow_negative_numbers = true)]
    draw_elo: Option<f64>,
    /// The seats of a table: the new version sits in every seat of a block once, copies of the base in the others.
    #[arg(long, value_name = "N", default_value = "2", conflicts_with = "table", value_parser = clap::value_parser!(u8).range(2..=MOST_SEATS as i64))]
    seats: u8,
    /// What the first seat is worth over the last, in Elo.
    #[arg(long, value_name = "ELO", default_value = "0", allow_negative_numbers = true)]
    first_seat: f64,
    /// How many tests, or tables, to play [default: 1000 tests, 200 tables].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    runs: Option<u32>,
    /// End a test without a verdict after this many pairs.
    #[arg(long, value_name = "N", default_value = "100000", conflicts_with = "table")]
    max_pairs: NonZeroU64,
    /// Correct the bounds for the jump beyond them.
    #[arg(long, conflicts_with = "table")]
    overshoot: bool,
    /// The seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Write one line of JSON instead.
    #[arg(long)]
    json: bool,
    // Its heading would hold for what follows.
    #[command(flatten)]
    table: TableArguments,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let draws = self.draw_elo.map_or(Draws::Rate(self.draw_rate), Draws::Elo);
        let players = Players { draws, first_seat: self.first_seat };
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        if self.table.is_asked() {
            let runs = self.runs.unwrap_or(TABLES);
            let report = self.table.plan(&players, runs, || random.random())?;
            output::print(&if self.json { report.to_json() } else { report.to_text() })?;
            return Ok(Exit::Done);
        }
        let runs = self.runs.unwrap_or(TESTS);
        let failure = |error: BlockLawError| Failure::usage(error.to_string());
        let (law, runs, expected) = match self.test.test()? {
            Test::Sequential(hypotheses) => {
                let seats = usize::from(self.seats);
                let law =
                    BlockLaw::at_tables(&players, seats, hypotheses.model(), self.elo).map_err(failure)?;
                let walk = Walk::at_tables(hypotheses, seats).with_max_pairs(self.max_pairs);
                let walk = if self.overshoot { walk.with_overshoot() } else { walk };
                let simulator = Simulator::new(walk, law.clone());
                let runs: Vec<Run> = (0..runs).map(|_| simulator.run(|| random.random())).collect();
                let length = Length::of_blocks(&hypotheses, seats, 0.0, self.elo, law.deviation());
                (law, runs, Some(length))
            }
            Test::Bayesian(test) => {
                if self.overshoot || self.seats > 2 {
                    let flag = if self.overshoot { "--overshoot" } else { "--seats" };
                    return Err(Failure::usage(format!("`{flag}` does not go with `--model bayesian`")));
                }
                let law = BlockLaw::of_strength(&players, self.elo).map_err(failure)?;
                let runs = (0..runs).map(|_| test.run(&law, self.max_pairs, || random.random())).collect();
                (law, runs, None)
            }
        };
        let summary = Summary::of(&runs).expect("there is at least one run");
        let report = Report::new(&law, &summary, expected);
        output::print(&if self.json { report.to_json() } else { report.to_text() })?;
        Ok(Exit::Done)
    }
}

/// What came out; scripts rely on these keys.
#[derive(Serialize)]
struct Report {
    runs: usize,
    pair_scores: Vec<f64>,
    pass: f64,
    pass_standard_error: f64,
    /// The name that `pass_standard_error` once had.
    pass_error: f64,
    fail: f64,
    mean_pairs: f64,
    mean_pairs_standard_error: f64,
    /// The name that `mean_pairs_standard_error` once had.
    mean_pairs_error: f64,
    median_pairs: u64,
    pairs90: u64,
    brownian_pass: Option<f64>,
    brownian_pairs: Option<f64>,
}

impl Report {
    fn new(law: &BlockLaw, summary: &Summary, expected: Option<Length>) -> Self {
        Self {
            runs: summary.runs,
            pair_scores: law.probabilities().to_vec(),
            pass: summary.pass,
            pass_standard_error: summary.pass_error,
            pass_error: summary.pass_error,
            fail: summary.fail,
            mean_pairs: summary.mean_pairs,
            mean_pairs_standard_error: summary.mean_pairs_error,
            mean_pairs_error: summary.mean_pairs_error,
            median_pairs: summary.median_pairs,
            pairs90: summary.pairs90,
            brownian_pass: expected.map(|length| length.pass),
            brownian_pairs: expected.map(|length| length.pairs),
        }
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers can be written as JSON") + "\n"
    }

    fn to_text(&self) -> String {
        let scores = self.pair_scores.iter().map(|p| format!("{p:.4}")).collect::<Vec<_>>().join(" ");
        let percent = |share: f64| format!("{:.2}%", 100.0 * share);
        let formula =
            |text: Option<String>| text.map_or_else(String::new, |text| format!(" (formula {text})"));
        let meaning = match self.brownian_pass {
            Some(_) => "; the formula takes the ratio for Brownian motion, without jumps and limit",
            None => "",
        };
        format!(
            "tests         {}\npair scores   {scores}\npassed        {} ± {}{}\nfailed        {}\n\
             mean pairs    {:.1} ± {:.1}{}\nmedian pairs  {}\n90% within    {} pairs\n\n\
             ± is one standard error{meaning}.\n",
            self.runs,
            percent(self.pass),
            percent(self.pass_error),
            formula(self.brownian_pass.map(percent)),
            percent(self.fail),
            self.mean_pairs,
            self.mean_pairs_error,
            formula(self.brownian_pairs.map(|pairs| format!("{pairs:.1}"))),
            self.median_pairs,
            self.pairs90,
        )
    }
}
