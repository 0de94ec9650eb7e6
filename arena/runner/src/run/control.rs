//! Ending, pausing or resizing a run from outside.

use std::num::NonZeroUsize;

use tokio::sync::watch;

/// How far a run may still go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Running,
    Finishing,
    Aborting,
}

/// A handle that ends, pauses or resizes a run from another thread. Clones control the same run.
///
/// ```
/// let control = runner::Control::new();
/// let other = control.clone();
/// std::thread::spawn(move || other.finish()).join().expect("it does not panic");
/// assert!(control.is_finishing() && !control.is_aborting());
/// ```
#[derive(Clone, Debug)]
pub struct Control {
    stage: watch::Sender<Stage>,
    /// The number of games at once, if it was changed.
    slots: watch::Sender<Option<NonZeroUsize>>,
    /// The limit on games at once, if there is one.
    most_slots: watch::Sender<Option<NonZeroUsize>>,
    is_paused: watch::Sender<bool>,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            stage: watch::Sender::new(Stage::Running),
            slots: watch::Sender::new(None),
            most_slots: watch::Sender::new(None),
            is_paused: watch::Sender::new(false),
        }
    }
}

impl Control {
    /// Returns the handle of a run that has not been ended.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets the running games finish and starts no new ones.
    pub fn finish(&self) {
        self.raise(Stage::Finishing);
    }

    /// Abandons the running games, which are not recorded, and kills the bots.
    pub fn abort(&self) {
        self.raise(Stage::Aborting);
    }

    /// Starts no new games until [`Control::resume`]; games in progress continue.
    pub fn pause(&self) {
        self.is_paused.send_replace(true);
    }

    /// Starts games again.
    pub fn resume(&self) {
        self.is_paused.send_replace(false);
    }

    /// Returns whether no new games start until [`Control::resume`].
    #[must_use]
    pub fn is_paused(&self) -> bool {
        *self.is_paused.borrow()
    }

    /// Changes the number of games at once. More begin soon after. If there are too many, none is abandoned and the next ones
    /// wait. If the cores only suffice for fewer ([`crate::PlaySettings::pins`]), fewer are played.
    pub fn set_slots(&self, count: NonZeroUsize) {
        let most = *self.most_slots.borrow();
        self.slots.send_replace(Some(most.map_or(count, |most| count.min(most))));
    }

    /// Limits how many games are ever played at once.
    pub(crate) fn limit_slots(&self, most: Option<NonZeroUsize>) {
        self.most_slots.send_replace(most);
    }

    /// Returns the number of games at once, if it was changed.
    #[must_use]
    pub fn slots(&self) -> Option<NonZeroUsize> {
        *self.slots.borrow()
    }

    /// Returns whether no new games are started.
    #[must_use]
    pub fn is_finishing(&self) -> bool {
        *self.stage.borrow() >= Stage::Finishing
    }

    /// Returns whether the running games are abandoned.
    #[must_use]
    pub fn is_aborting(&self) -> bool {
        *self.stage.borrow() >= Stage::Aborting
    }

    /// Waits until no new games are started.
    pub(crate) async fn finishing(&self) {
        self.reached(Stage::Finishing).await;
    }

    /// Waits until the running games are abandoned.
    pub(crate) async fn aborted(&self) {
        self.reached(Stage::Aborting).await;
    }

    async fn reached(&self, least: Stage) {
        // It fails only when every handle is gone, and `self` is one.
        let _ = self.stage.subscribe().wait_for(|stage| *stage >= least).await;
    }

    fn raise(&self, to: Stage) {
        self.stage.send_if_modified(|stage| {
            let is_raised = *stage < to;
            *stage = to.max(*stage);
            is_raised
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_never_goes_back_to_running() {
        let control = Control::new();
        let other = control.clone();
        assert!(!control.is_finishing());
        other.abort();
        control.finish();
        assert!(control.is_finishing() && control.is_aborting());
    }

    #[test]
    fn no_more_games_are_asked_for_than_there_are_cores() {
        let control = Control::new();
        let count = |number| NonZeroUsize::new(number);
        control.limit_slots(count(2));
        control.set_slots(NonZeroUsize::MIN);
        assert_eq!(control.slots(), count(1));
        control.set_slots(NonZeroUsize::MAX);
        assert_eq!(control.slots(), count(2));
        control.limit_slots(None);
        control.set_slots(NonZeroUsize::MAX);
        assert_eq!(control.slots(), Some(NonZeroUsize::MAX));
    }
}
