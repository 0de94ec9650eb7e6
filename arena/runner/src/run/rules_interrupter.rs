//! Interrupting the rules of one's own games once the running games are abandoned.

use std::io;
use std::sync::Arc;
use std::thread::{Builder, Scope};
use std::time::Duration;

use rules::OwnRules;
use tokio::sync::oneshot::{Receiver, Sender, channel, error::TryRecvError};
use tokio::time::sleep;

use crate::{Control, GamePlan};

/// The time after which questions asked meanwhile are interrupted as well.
const PAUSE: Duration = Duration::from_millis(50);

/// A thread that interrupts the rules of a run while its games are being abandoned, because a slot or the choice of an opening
/// may block on an answer. It ends when this is dropped.
pub(crate) struct RulesInterrupter {
    /// A channel on which nothing is sent. Closing it ends the thread.
    _is_needed: Sender<()>,
}

impl RulesInterrupter {
    /// Starts the thread, if a game has rules of one's own.
    ///
    /// # Errors
    /// When the system cannot provide a thread or its descriptors.
    pub(crate) fn open<'scope>(
        scope: &'scope Scope<'scope, '_>,
        plan: &GamePlan,
        control: &Control,
    ) -> io::Result<Option<Self>> {
        let own = plan.contests.iter().filter_map(|contest| contest.setup.game().own_rules().cloned());
        let own: Vec<_> = own.collect();
        if own.is_empty() {
            return Ok(None);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (is_needed, is_over) = channel();
        let control = control.clone();
        let work = move || runtime.block_on(interrupt(own, control, is_over));
        Builder::new().name("interrupter".to_owned()).spawn_scoped(scope, work)?;
        Ok(Some(Self { _is_needed: is_needed }))
    }
}

async fn interrupt(own: Vec<Arc<dyn OwnRules>>, control: Control, mut is_over: Receiver<()>) {
    tokio::select! {
        () = control.aborted() => {}
        _ = &mut is_over => return,
    }
    // A slot may ask once more before it sees that its game is abandoned.
    while let Err(TryRecvError::Empty) = is_over.try_recv() {
        own.iter().for_each(|rules| rules.interrupt());
        sleep(PAUSE).await;
    }
}
