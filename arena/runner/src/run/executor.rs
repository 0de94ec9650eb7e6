//! The executors of a run's games: this machine, or others.

use processes::Launcher;

use crate::{
    Contest, Control, GamePlan, Host, PlannedBot, PlayCounts, PlaySettings, ProbeResult, RunError, Tasks,
    play, probe,
};

/// An executor of a run's games.
pub trait Executor {
    /// Tries every bot before the first game, as [`probe`] does; `None` if the user interrupts.
    ///
    /// # Errors
    /// When the executor cannot be reached.
    fn probe(
        &self,
        bots: &[PlannedBot],
        contests: &[Contest],
        settings: &PlaySettings,
        control: &Control,
    ) -> Result<Option<Vec<ProbeResult>>, RunError>;

    /// Plays games and reports to the host, as [`play`] does.
    ///
    /// # Errors
    /// When the host cannot handle an event, or the executor fails. Nothing that a bot does is an error.
    fn play(
        &self,
        plan: &GamePlan,
        tasks: Tasks<'_>,
        control: &Control,
        host: &mut dyn Host,
    ) -> Result<PlayCounts, RunError>;
}

/// This machine, with processes started by a launcher.
#[derive(Clone, Copy)]
pub struct ThisMachine<'a>(pub &'a dyn Launcher);

impl Executor for ThisMachine<'_> {
    fn probe(
        &self,
        bots: &[PlannedBot],
        contests: &[Contest],
        settings: &PlaySettings,
        control: &Control,
    ) -> Result<Option<Vec<ProbeResult>>, RunError> {
        Ok(probe(self.0, bots, contests, settings, control))
    }

    fn play(
        &self,
        plan: &GamePlan,
        tasks: Tasks<'_>,
        control: &Control,
        host: &mut dyn Host,
    ) -> Result<PlayCounts, RunError> {
        play(self.0, plan, tasks, control, host)
    }
}
