//! What happens in a run, as it is told to others.

use std::path::Path;

use diagnostic::{Exit, Failure, output, say};
use live::Trigger;
use notify::{Notice, Notifier, RunName, StopReason, ToldVerdict};
use report::SequentialTest;
use stats::sprt::{Figures, SprtVerdict};
use tournament_file::Plan;

use super::{RunOutcome, Stage};

/// Prepares to tell whom the plan names of a run in a directory, as long as it is not interrupted twice.
pub(super) fn notifier(plan: &Plan, directory: Option<&Path>, trigger: Trigger) -> Notifier {
    let run = RunName {
        name: protocol::printable(&plan.config.name).into_owned(),
        format: plan.config.format.to_string(),
        directory: directory.map_or_else(Default::default, |directory| {
            std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned())
        }),
    };
    Notifier::open(&plan.recipients, run, move || trigger.count())
}

/// Returns the verdict of a test that has come to its end.
pub(super) fn verdict(trial: &SequentialTest) -> Notice {
    let [new, base] = trial.names();
    let figures = trial.figures();
    Notice::TestVerdict {
        verdict: match trial.decision() {
            SprtVerdict::H1 => ToldVerdict::Passed,
            SprtVerdict::H0 => ToldVerdict::Failed,
            SprtVerdict::Continue => ToldVerdict::None,
        },
        new,
        base,
        pairs: trial.walk().pairs(),
        llr: figures.as_ref().map(|figures: &Figures| figures.llr),
        elo: figures.filter(|figures| figures.constant.is_none()).map(|figures| figures.unbiased.elo),
    }
}

/// Tells how a run ended, and waits until everything is told; says what could not be.
pub(super) fn close(mut notifier: Notifier, outcome: &Result<RunOutcome, Failure>, stage: Stage) {
    if let Some(notice) = end(outcome, stage) {
        notifier.tell(&notice);
    }
    notifier.close().iter().for_each(|complaint| say(complaint));
}

/// Returns what is told at the end; nothing where nothing was left to play.
fn end(outcome: &Result<RunOutcome, Failure>, stage: Stage) -> Option<Notice> {
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(failure) => {
            let (reason, detail) = match stage {
                _ if failure.exit() == Exit::Interrupted => {
                    (StopReason::Interrupted, "interrupted while the bots were tried".to_owned())
                }
                Stage::Prepared => return None,
                Stage::Probing if failure.exit() == Exit::NoVerdict => {
                    (StopReason::StartFailure, failure.first())
                }
                Stage::Probing | Stage::Playing => (StopReason::Error, failure.first()),
            };
            return Some(Notice::RunStopped { reason, detail, games_recorded: None, games_left: None });
        }
    };
    let (recorded, left) = (outcome.contents.games.len() as u64, outcome.left);
    let stopped = |reason, detail| Notice::RunStopped {
        reason,
        detail,
        games_recorded: Some(recorded),
        games_left: Some(left),
    };
    if outcome.is_interrupted {
        Some(stopped(
            StopReason::Interrupted,
            format!("interrupted with {} left", output::count(left, "game")),
        ))
    } else if let Some(time) = outcome.out_of_time {
        let time = settings::format_duration(time);
        Some(stopped(StopReason::TimeOver, format!("{time} are over without a verdict")))
    } else if stage == Stage::Playing {
        let left_out = outcome.left_out.clone();
        Some(Notice::RunEnded { games_recorded: recorded, games_left: left, left_out })
    } else {
        None
    }
}
