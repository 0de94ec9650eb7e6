//! `arena sprt`: is the new version stronger?

mod bench;
mod build;
mod contest;
mod git;
mod machine;
mod shell;
mod show;
mod source;

use diagnostic::Exit;
use diagnostic::output;
use diagnostic::{Diagnostic, Failure};
use report::RunReport;
use stats::sprt::{BayesElo, Figures, Hypotheses};
use stats::{Counts, Pentanomial, Trinomial};

use self::contest::Outcome;
use crate::judge::hypotheses::{HypothesesArguments, Test};
use crate::look::summary;
use crate::output_format::{Output, VerdictFormat};

/// The largest sum of counts: so many games were never played, and every figure stays exact.
const MOST_RESULTS: u64 = 1_000_000_000_000;

/// Judges by a sequential probability ratio test whether a new version is stronger: plays until there is a verdict, or
/// judges counted results.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A BOT is the name of a built-in bot, a command, or a commit: `git:HEAD`, built by `--build` and run by \
    `--run` in a directory of its own. Exit codes of a test that plays: 0 passed or nothing changed, 1 failed, 3 no \
    verdict. `arena run` plays the same from a file with `format: sprt`."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    contest: contest::ContestArguments,
    /// The results of the new version: five counts of pairs from worst to best score (0, ½, 1, 1½, 2 points), or
    /// three counts of games: lost, drawn, won.
    #[arg(long, value_name = "N,N,…", value_parser = read_counts, allow_hyphen_values = true)]
    counts: Option<Results>,
    #[command(flatten)]
    test: HypothesesArguments,
    #[command(flatten)]
    output: Output<VerdictFormat>,
    /// Say in words what the columns of a played test mean and which model made them.
    #[arg(long, conflicts_with_all = ["output_format", "json", "counts"])]
    explain: bool,
}

/// Counted results.
#[derive(Debug, Clone, Copy)]
enum Results {
    /// Of pairs.
    Pairs(Pentanomial),
    /// Of single games.
    Games(Trinomial),
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let test = self.test.test()?;
        let Some(results) = self.counts else {
            return match test {
                Test::Sequential(hypotheses) => self.play(&hypotheses),
                Test::Bayesian(_) => Err(Failure::usage("a test that plays judges pairs, not BayesElo")
                    .hint("`--model bayesian` judges counted games: `--counts LOST,DRAWN,WON`")),
            };
        };
        let (figures, estimate) = match (test, results) {
            (Test::Sequential(hypotheses), results) => (results.figures(&hypotheses), String::new()),
            (Test::Bayesian(test), Results::Games(games)) => (test.figures(&games), bayes_elo(&games)),
            (Test::Bayesian(_), Results::Pairs(_)) => {
                return Err(Failure::usage("`--model bayesian` judges single games, not pairs")
                    .hint("three counts are games: `--counts LOST,DRAWN,WON`"));
            }
        };
        let figures = figures.ok_or_else(|| {
            Failure::usage("`--counts` counts no result").hint("at least one count must be more than 0")
        })?;
        output::print(&self.written(&(results.name() + &estimate), &test.describe(), &figures))?;
        Ok(Exit::Done)
    }

    /// Plays until there is a verdict.
    fn play(&self, hypotheses: &Hypotheses) -> Result<Exit, Failure> {
        let (played, trial) = match self.contest.play(*hypotheses, self.test.preset())? {
            Outcome::Played(played, trial) => (played, trial),
            Outcome::Unchanged { signature } => {
                output::print(&self.unchanged(signature))?;
                return Ok(Exit::Done);
            }
        };
        let text = match (self.output.format(), trial.figures()) {
            (VerdictFormat::Text, _) => summary::summary(&RunReport::of(&played.contents)),
            (VerdictFormat::Markdown, Some(_)) => match played.contents.runs.last() {
                Some(run) => report::trial_markdown(&trial, &run.config, &machine::describe()),
                None => String::new(),
            },
            (VerdictFormat::Json, Some(figures)) => {
                let run = played.contents.runs.last();
                show::played_json(&figures, &trial, run.map(|run| &run.config), &machine::describe())
            }
            (VerdictFormat::Junit, Some(figures)) => {
                let run = played.contents.runs.last();
                let properties =
                    run.map(|run| show::properties(run, &machine::describe())).unwrap_or_default();
                let results = named(trial.walk().counts(), "pair");
                let test = Test::Sequential(*hypotheses).describe();
                show::junit(&results, &test, &figures, &properties)
            }
            (_, None) if played.is_interrupted => return Ok(Exit::Interrupted),
            (_, None) => {
                return Err(Failure::new(
                    Exit::NoVerdict,
                    vec![Diagnostic::new("no pair was played to its end")],
                ));
            }
        };
        output::print(&text)?;
        if self.explain {
            summary::explain(&RunReport::of(&played.contents))?;
        }
        Ok(played.exit())
    }

    /// Says that there is nothing to test.
    fn unchanged(&self, signature: u64) -> String {
        match self.output.format() {
            VerdictFormat::Text => show::unchanged_text(signature),
            VerdictFormat::Json => show::unchanged_json(signature),
            VerdictFormat::Markdown => show::unchanged_markdown(signature),
            VerdictFormat::Junit => show::unchanged_junit(signature),
        }
    }

    fn written(&self, results: &str, test: &str, figures: &Figures) -> String {
        match self.output.format() {
            VerdictFormat::Text => show::text(results, test, figures),
            VerdictFormat::Json => show::json(figures),
            VerdictFormat::Markdown => show::markdown(results, test, figures),
            VerdictFormat::Junit => show::junit(results, test, figures, &[]),
        }
    }
}

impl Results {
    fn figures(&self, hypotheses: &Hypotheses) -> Option<Figures> {
        match self {
            Self::Pairs(counts) => Figures::of(counts, hypotheses),
            Self::Games(counts) => Figures::of(counts, hypotheses),
        }
    }

    /// Says what was counted: `35 pairs (10, 20, 5, 0, 0)`.
    fn name(&self) -> String {
        match self {
            Self::Pairs(counts) => named(counts, "pair"),
            Self::Games(counts) => named(counts, "game"),
        }
    }
}

/// Says what games are worth under BayesElo's model.
fn bayes_elo(games: &Trinomial) -> String {
    match BayesElo::estimate(games) {
        Some([elo, draw]) => format!("; BayesElo {elo:+.2} at draw Elo {draw:.2}"),
        None => "; no BayesElo until games are lost, drawn and won".to_owned(),
    }
}

fn named<const N: usize>(counts: &Counts<N>, thing: &str) -> String {
    let list = counts.counts().map(|n| n.to_string()).join(", ");
    format!("{} ({list})", output::count(counts.total(), thing))
}

fn read_counts(text: &str) -> Result<Results, String> {
    let counts: Option<Vec<u64>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    let counts = counts.ok_or("it must be whole numbers with commas between them")?;
    let total = counts.iter().try_fold(0u64, |sum, n| sum.checked_add(*n));
    if total.is_none_or(|total| total > MOST_RESULTS) {
        return Err(format!("it must not count more than {MOST_RESULTS} results"));
    }
    match *counts {
        [a, b, c, d, e] => Ok(Results::Pairs(Pentanomial::new([a, b, c, d, e]))),
        [lost, drawn, won] => Ok(Results::Games(Trinomial::new([lost, drawn, won]))),
        _ => Err(format!("it must be five counts of pairs or three of games, not {}", counts.len())),
    }
}
