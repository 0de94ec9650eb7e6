//! What a test of strength tests, as written on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use diagnostic::Failure;
use report::TestQuestion;
use settings::{ERROR_RATE, Preset};
use stats::sprt::{BayesElo, Hypotheses, HypothesesError, Model};

/// The hypotheses of a test: what its commands have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct HypothesesArguments {
    /// The hypotheses by the name of their purpose; other flags take precedence.
    #[arg(long, value_parser = presets(), value_name = "PURPOSE")]
    preset: Option<Preset>,
    /// H0: the new version is this much stronger than the base, in Elo; negative for weaker.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// H1: the new version is this much stronger than the base, in Elo; more than `--elo0`.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// The risk of passing a version for which H0 is true [default: 0.05].
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    alpha: Option<f64>,
    /// The risk of failing a version for which H1 is true [default: 0.05].
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    beta: Option<f64>,
    /// The scale of the differences: `normalized` or `logistic` Elo, or `bayesian` for BayesElo, which judges single games as
    /// cutechess and fishtest once did [default: normalized].
    #[arg(long, value_parser = read_scale)]
    model: Option<Scale>,
}

/// On which scale a test is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// One that pairs are judged by.
    Of(Model),
    /// That of BayesElo.
    Bayesian,
}

/// A test as it was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Test {
    /// Of pairs, or of single games instead.
    Sequential(Hypotheses),
    /// Of single games under BayesElo's model.
    Bayesian(BayesElo),
}

impl Test {
    /// Returns the hypotheses.
    pub(crate) const fn hypotheses(&self) -> &Hypotheses {
        match self {
            Self::Sequential(hypotheses) => hypotheses,
            Self::Bayesian(test) => test.hypotheses(),
        }
    }

    /// Returns the name of the scale, as `--model` takes it.
    pub(crate) fn model(&self) -> String {
        match self {
            Self::Sequential(hypotheses) => hypotheses.model().to_string(),
            Self::Bayesian(_) => BAYESIAN.to_owned(),
        }
    }

    /// Returns the unit of the differences.
    fn scale(&self) -> String {
        match self {
            Self::Sequential(hypotheses) => format!("{} Elo", hypotheses.model()),
            Self::Bayesian(_) => "BayesElo".to_owned(),
        }
    }

    /// Returns what is asked of bots that have no names here.
    pub(crate) fn question(&self) -> TestQuestion {
        TestQuestion::new("the new version", "the base", &self.scale(), self.hypotheses())
    }

    /// Says in words what is tested.
    pub(crate) fn describe(&self) -> String {
        let hypotheses = self.hypotheses();
        format!(
            "{} [{}, {}], alpha {}, beta {}",
            self.scale(),
            hypotheses.elo0(),
            hypotheses.elo1(),
            hypotheses.alpha(),
            hypotheses.beta()
        )
    }
}

impl HypothesesArguments {
    /// Returns the preset, if one was named.
    pub(crate) const fn preset(&self) -> Option<Preset> {
        self.preset
    }

    /// Returns the test that was asked for.
    ///
    /// # Errors
    /// Says which figure makes no test.
    pub(crate) fn test(&self) -> Result<Test, Failure> {
        const EXAMPLE: &str =
            "for example `--elo0 0 --elo1 5 --alpha 0.05 --beta 0.05 --model normalized`, or `--preset gain`";
        let [elo0, elo1] = self.preset.map_or([None, None], |preset| preset.elo().map(Some));
        let (Some(elo0), Some(elo1)) = (self.elo0.or(elo0), self.elo1.or(elo1)) else {
            return Err(Failure::usage("`--elo0` and `--elo1`, or a `--preset`, are missing").hint(EXAMPLE));
        };
        let (alpha, beta) = (self.alpha.unwrap_or(ERROR_RATE), self.beta.unwrap_or(ERROR_RATE));
        let test = match self.model.unwrap_or(Scale::Of(Model::Normalized)) {
            Scale::Of(model) => Hypotheses::new(elo0, elo1, alpha, beta, model).map(Test::Sequential),
            Scale::Bayesian => BayesElo::new(elo0, elo1, alpha, beta).map(Test::Bayesian),
        };
        test.map_err(|error| Failure::usage(error.to_string()).hint(EXAMPLE))
    }
}

/// The name of BayesElo's scale.
const BAYESIAN: &str = "bayesian";

/// Reads presets, and tells shells and help which there are.
fn presets() -> impl TypedValueParser<Value = Preset> {
    let values = Preset::ALL.iter().map(|preset| PossibleValue::new(preset.as_str()).help(preset.about()));
    PossibleValuesParser::new(values).try_map(|word| word.parse::<Preset>())
}

fn read_scale(text: &str) -> Result<Scale, String> {
    if text == BAYESIAN {
        return Ok(Scale::Bayesian);
    }
    text.parse().map(Scale::Of).map_err(|error: HypothesesError| format!("{error}, or `bayesian`"))
}
