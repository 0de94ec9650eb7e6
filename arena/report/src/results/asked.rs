//! The configured bots and games of a run.

use record::RunSummary;

use crate::{ContestantId, SequentialTest};

/// The configured bots and games of a run. Bots appear in tables before they have played, and games in the configured order.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub(crate) labels: Vec<String>,
    pub(crate) bots: Vec<ContestantId>,
    pub(crate) rounds: u32,
    /// Whether a test or the format has ended the run; `None` for a round robin of two seats, which ends with its games.
    pub(crate) is_over: Option<bool>,
}

impl Asked {
    /// Returns the entries of a run's last configuration.
    #[must_use]
    pub fn of(contents: &RunSummary) -> Self {
        let is_over = match SequentialTest::of(contents) {
            Some(trial) => Some(trial.stop().is_some()),
            None => contents.runs.last().and_then(|run| {
                let of_format = formats::is_over(&run.config, &contents.games);
                let has_tables = run.config.games.iter().any(|game| game.seats > 2);
                let games = || formats::MeetingCount::of(&run.config).games();
                of_format.or_else(|| has_tables.then(|| contents.games.len() as u64 >= games()))
            }),
        };
        let Some(run) = contents.runs.last() else { return Self { is_over, ..Self::default() } };
        Self {
            labels: run.config.games.iter().map(|game| game.label.clone()).collect(),
            bots: run.config.bots.iter().map(ContestantId::configured).collect(),
            rounds: run.config.rounds,
            is_over,
        }
    }
}
