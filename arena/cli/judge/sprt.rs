//! `arena sprt`: is the new version stronger?

mod bench;
mod build;
mod contest;
mod git;
mod shell;
mod show;
mod source;

use std::fs;
use std::path::PathBuf;

use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure, output};
use report::{RunReport, TestQuestion};
use serde_json::{Value, json};
use stats::Counts;
use stats::sprt::{BayesElo, Figures, Hypotheses, SprtVerdict};

use self::contest::Outcome;
use self::show::Finding;
use crate::judge::hypotheses::{HypothesesArguments, Test};
use crate::look::summary;
use crate::output_format::{Output, VerdictFormat};
use crate::terminal;

/// The largest sum of counts: no test plays more games, and every figure stays exact.
const MOST_RESULTS: u64 = 1_000_000_000_000;

/// Judges by a sequential probability ratio test whether a new version is stronger: plays until there is a verdict, or
/// judges counted results.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A BOT is the name of a built-in bot, a command, or a commit: `git:HEAD`, built by `--build` and run by \
    `--run` in a directory of its own. Exit codes, of counted results too: 0 passed or nothing changed, 1 failed, 3 no \
    verdict. `arena run` plays the same from a file with `format: sprt`."
)]
pub(crate) struct Arguments {
    /// The results of the new version: five counts of pairs from worst to best score (0, ½, 1, 1½, 2 points), three
    /// counts of games: lost, drawn, won; or 13, 25 … counts of blocks at tables of 3, 4 … seats.
    #[arg(long, value_name = "N,N,…", value_parser = read_counts, allow_hyphen_values = true)]
    counts: Option<Counts>,
    #[command(flatten)]
    test: HypothesesArguments,
    #[command(flatten)]
    output: Output<VerdictFormat>,
    /// Write the report for build servers to this file besides.
    #[arg(long, value_name = "FILE", conflicts_with = "counts")]
    junit: Option<PathBuf>,
    /// Say in words what the columns of a played test mean and which model made them.
    #[arg(long, conflicts_with_all = ["output_format", "json", "counts"])]
    explain: bool,
    // Its headings would hold for what follows.
    #[command(flatten)]
    contest: contest::ContestArguments,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let test = self.test.test()?;
        let Some(results) = &self.counts else {
            return match test {
                Test::Sequential(hypotheses) => self.play(&hypotheses),
                Test::Bayesian(_) => Err(Failure::usage("a test that plays judges pairs, not BayesElo")
                    .hint("`--model bayesian` judges counted games: `--counts LOST,DRAWN,WON`")),
            };
        };
        self.contest.check_unused()?;
        let (figures, estimate) = match (test, results.counts()) {
            (Test::Sequential(hypotheses), _) => (Figures::of(results, &hypotheses), String::new()),
            (Test::Bayesian(test), &[lost, drawn, won]) => {
                let games = [lost, drawn, won];
                (test.figures(games), bayes_elo(games))
            }
            (Test::Bayesian(_), _) => {
                return Err(Failure::usage("`--model bayesian` judges single games, not pairs")
                    .hint("three counts are games: `--counts LOST,DRAWN,WON`"));
            }
        };
        let figures = figures.ok_or_else(|| {
            Failure::usage("`--counts` counts no result").hint("at least one count must be more than 0")
        })?;
        let question = test.question();
        let finding = Finding {
            question: question.asked(),
            verdict: question.answer(figures.decision),
            test: test.describe(),
            results: named(results) + &estimate,
            figures: &figures,
        };
        output::print(&match self.output.format() {
            VerdictFormat::Text => show::text(&finding, &terminal::look_at_output()),
            VerdictFormat::Json => show::json_of_counts(&finding, &test, words(results)),
            VerdictFormat::Markdown => show::markdown(&finding),
            VerdictFormat::Junit => show::junit(&finding, &[]),
        })?;
        Ok(match figures.decision {
            SprtVerdict::H1 => Exit::Done,
            SprtVerdict::H0 => Exit::No,
            SprtVerdict::Continue => Exit::NoVerdict,
        })
    }

    /// Plays until there is a verdict.
    fn play(&self, hypotheses: &Hypotheses) -> Result<Exit, Failure> {
        let (played, trial) = match self.contest.play(*hypotheses, self.test.preset())? {
            Outcome::Played(played, trial) => (played, trial),
            Outcome::Unchanged { signature } => {
                self.keep_junit(|| show::unchanged_junit(signature))?;
                output::print(&self.unchanged(signature))?;
                return Ok(Exit::Done);
            }
        };
        let figures = trial.figures();
        let finding = figures.as_ref().map(|figures| Finding {
            question: TestQuestion::of(&trial).asked(),
            verdict: report::trial_verdict(&trial),
            test: Test::Sequential(*hypotheses).describe(),
            results: named(trial.walk().counts()),
            figures,
        });
        let run = played.contents.runs.last();
        let properties =
            || run.map(|run| show::properties(run, &measure::describe_machine())).unwrap_or_default();
        if let Some(finding) = &finding {
            self.keep_junit(|| show::junit(finding, &properties()))?;
        }
        let text = match (self.output.format(), &finding) {
            (VerdictFormat::Text, _) => summary::summary(&RunReport::of(&played.contents)),
            (VerdictFormat::Markdown, Some(_)) => run
                .map(|run| report::trial_markdown(&trial, &run.config, &measure::describe_machine()))
                .unwrap_or_default(),
            (VerdictFormat::Json, Some(finding)) => {
                show::played_json(finding, &trial, run.map(|run| &run.config), &measure::describe_machine())
            }
            (VerdictFormat::Junit, Some(finding)) => show::junit(finding, &properties()),
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

    /// Writes the report for build servers where `--junit` wants it.
    fn keep_junit(&self, report: impl FnOnce() -> String) -> Result<(), Failure> {
        let Some(file) = &self.junit else { return Ok(()) };
        fs::write(file, report())
            .map_err(|error| Failure::io(format!("failed to write `{}`", output::path(file)), &error))
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
}

/// Returns counts under the words of `arena/docs/json.md`.
fn words(counts: &Counts) -> Value {
    match (counts.games(), counts.counts()) {
        (_, [losses, draws, wins]) => json!({ "wins": wins, "draws": draws, "losses": losses }),
        (2, list) => json!({ "pairs": counts.total(), "counts": list }),
        (seats, list) => json!({ "seats": seats, "pairs": counts.total(), "counts": list }),
    }
}

/// Says what games are worth under BayesElo's model.
fn bayes_elo(games: [u64; 3]) -> String {
    match BayesElo::estimate(games) {
        Some([elo, draw]) => format!("; BayesElo {elo:+.2} at draw Elo {draw:.2}"),
        None => "; no BayesElo until games are lost, drawn and won".to_owned(),
    }
}

/// Says what was counted: `35 pairs (10, 20, 5, 0, 0)`.
fn named(counts: &Counts) -> String {
    let list = counts.counts().iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    format!("{} ({list})", output::count(counts.total(), report::observation(counts)))
}

fn read_counts(text: &str) -> Result<Counts, String> {
    let counts: Option<Vec<u64>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    let counts = counts.ok_or("it must be whole numbers with commas between them")?;
    let total = counts.iter().try_fold(0u64, |sum, n| sum.checked_add(*n));
    if total.is_none_or(|total| total > MOST_RESULTS) {
        return Err(format!("it must not count more than {MOST_RESULTS} results"));
    }
    let given = counts.len();
    Counts::from_list(counts).ok_or_else(|| {
        format!(
            "it must be five counts of pairs, three of games or 13, 25 … of blocks at tables, not {given}"
        )
    })
}
