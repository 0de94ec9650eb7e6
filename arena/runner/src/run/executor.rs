//! Who plays the games of a run: this machine, or others.

use processes::Launcher;

use crate::{
    Contest, Control, GamePlan, Host, PlannedBot, PlayCounts, PlaySettings, ProbeResult, RunError, Tasks,
    play, probe,
};

/// What plays the games of a run.
pub trait Executor {
    /// Tries every bot before the first game, as [`probe`] does; `None` where the user interrupts.
    ///
    /// # Errors
    /// When what plays cannot be reached.
    fn probe(
        &self,
        bots: &[PlannedBot],
        contests: &[Contest],
        settings: &PlaySettings,
        control: &Control,
    ) -> Result<Option<Vec<ProbeResult>>, RunError>;

    /// Plays games and tells the host what happens, as [`play`] does.
    ///
    /// # Errors
    /// When an event could not be taken, or what plays fails; whatever a bot does is no error.
    fn play(
        &self,
        plan: &GamePlan,
        tasks: Tasks<'_>,
        control: &Control,
        host: &mut dyn Host,
    ) -> Result<PlayCounts, RunError>;
}

/// This machine, whose processes are started by a launcher.
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
