//! What came of a run: the last words to the user, and the exit code.

use std::time::Duration;

use diagnostic::{Exit, output, say};
use record::{GameSummary, RunSummary, Termination};
use report::SequentialTest;
use runner::HarnessCost;
use stats::sprt::SprtVerdict;

/// How a run ended.
pub struct RunOutcome {
    /// Everything that is recorded, earlier games included.
    pub contents: RunSummary,
    /// How many games were played now.
    pub now: u64,
    /// How many games are still to be played.
    pub left: u64,
    /// Whether the user interrupted.
    pub is_interrupted: bool,
    /// The bots that could not start and were left out, as `on-start-failure: skip` says.
    pub left_out: Vec<String>,
    /// How long it was to play, if that is why games are left.
    pub out_of_time: Option<Duration>,
    /// The test, in a run of format `sprt`.
    pub trial: Option<SequentialTest>,
    /// What playing has cost the arena, where the system tells.
    pub effort: Option<HarnessCost>,
}

impl RunOutcome {
    /// Tells the user how to continue where games are left.
    pub fn tell_rest(&self) {
        let (left, command) = (output::count(self.left, "game"), output::command_line());
        if self.is_interrupted {
            say(&format!("interrupted with {left} left; to continue: {command}"));
        } else if let Some(time) = self.out_of_time {
            let time = settings::format_duration(time);
            say(&format!("{time} are over without a verdict, at most {left} left; to continue: {command}"));
        } else if !self.left_out.is_empty() && self.left > 0 {
            let bots: Vec<_> = self.left_out.iter().map(|bot| format!("`{bot}`")).collect();
            let bots = bots.join(", ");
            say(&format!("{left} left, without {bots}, which could not start; to play them: {command}"));
        }
    }

    /// Tells what playing has cost the arena itself.
    pub fn tell_effort(&self) {
        if let Some(effort) = &self.effort {
            say(&effort.to_string());
            say(&effort.per_ply());
        }
    }

    /// Returns the exit code of the command.
    pub fn exit(&self) -> Exit {
        let counts = |game: GameSummary<'_>| game.result != record::GameResult::None;
        let is_withdrawn = |game: GameSummary<'_>| game.reason == Termination::Withdrawn;
        if self.is_interrupted {
            Exit::Interrupted
        } else if let Some(trial) = &self.trial {
            match trial.decision() {
                SprtVerdict::H1 => Exit::Done,
                SprtVerdict::H0 => Exit::No,
                SprtVerdict::Continue => Exit::NoVerdict,
            }
        } else if !self.contents.games.iter().any(counts) {
            Exit::NoVerdict
        } else if !self.left_out.is_empty() || self.contents.games.iter().any(is_withdrawn) {
            Exit::Withdrawn
        } else {
            Exit::Done
        }
    }
}
