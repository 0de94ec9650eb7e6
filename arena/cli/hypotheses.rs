//! What a test of strength tests, as written on the command line.

use serde_json::{Value, json};
use stats::sprt::{Hypotheses, HypothesesError, Model};

use crate::diagnostic::Failure;

/// The hypotheses of a test: what its commands have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct HypothesesArguments {
    /// H0: the new version is so many Elo stronger.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: f64,
    /// H1: the new version is so many Elo stronger; more than `--elo0`.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: f64,
    /// The risk to pass a version for which H0 is true.
    #[arg(long, value_name = "P", default_value = "0.05", allow_negative_numbers = true)]
    alpha: f64,
    /// The risk to fail a version for which H1 is true.
    #[arg(long, value_name = "P", default_value = "0.05", allow_negative_numbers = true)]
    beta: f64,
    /// The scale of the differences: `normalized` or `logistic` Elo.
    #[arg(long, default_value = "normalized", value_parser = read_model)]
    model: Model,
}

impl HypothesesArguments {
    /// Returns the test as a tournament file says it.
    pub(crate) fn to_file(&self, overshoot: bool) -> Value {
        json!({
            "elo0": self.elo0.to_string(),
            "elo1": self.elo1.to_string(),
            "alpha": self.alpha.to_string(),
            "beta": self.beta.to_string(),
            "model": self.model.to_string(),
            "overshoot": overshoot.to_string(),
        })
    }

    /// Returns the hypotheses.
    ///
    /// # Errors
    /// Says which figure makes no test.
    pub(crate) fn hypotheses(&self) -> Result<Hypotheses, Failure> {
        Hypotheses::new(self.elo0, self.elo1, self.alpha, self.beta, self.model).map_err(|error| {
            Failure::usage(error.to_string())
                .hint("for example `--elo0 0 --elo1 5 --alpha 0.05 --beta 0.05 --model normalized`")
        })
    }
}

fn read_model(text: &str) -> Result<Model, String> {
    text.parse().map_err(|error: HypothesesError| error.to_string())
}
