//! The processors of a bot's processes: all, or the one of the slot that talks to them.

use std::time::{Duration, Instant};

use processes::{Cpus, Process, move_tree, threads_within};

use super::Player;

/// A bot works on several processors if its processor time exceeds the time of its decisions by more than this. A report of
/// processor time may be a few ticks of the system old.
const SLACK: Duration = Duration::from_millis(50);

/// The processors of a bot's processes, and whether they may be gathered.
#[derive(Debug, Default)]
pub(super) struct Whereabouts {
    /// Whether the decisions of its last game were short.
    is_quick: bool,
    /// Whether its processes need more than one processor, or others than they were given.
    is_loner: bool,
    /// The total duration of its games, and the processor time that it used in them.
    games: [Duration; 2],
    /// The number of its threads when it was gathered.
    threads: usize,
    /// The processors for when they are not gathered; `None` while they are not.
    from: Option<Cpus>,
    /// When they were last released.
    let_go: Option<Instant>,
}

impl Player {
    /// Returns whether its last game had short decisions, and nothing prevents gathering it.
    pub(crate) fn may_gather(&self) -> bool {
        self.whereabouts.is_quick && !self.whereabouts.is_loner && self.link().has_pipe()
    }

    /// Returns whether its processes are gathered.
    pub(crate) fn is_gathered(&self) -> bool {
        self.whereabouts.from.is_some()
    }

    /// Returns when its processes were last released.
    pub(crate) fn was_let_go(&self) -> Option<Instant> {
        self.whereabouts.let_go
    }

    /// Records the facts of a game: whether its decisions were short, how long it took, and how much processor time the bot
    /// used.
    ///
    /// Two bots take turns. If one alone used nearly as much processor time as the game took, it works in parallel, or out of
    /// turn.
    pub(crate) fn note_game(&mut self, is_quick: bool, took: Duration, used: Option<Duration>) {
        let whereabouts = &mut self.whereabouts;
        whereabouts.is_quick = is_quick && used.is_some();
        whereabouts.games[0] += took;
        whereabouts.games[1] += used.unwrap_or_default();
        let [took, used] = whereabouts.games;
        whereabouts.is_loner |= used > took * 4 / 5 + SLACK;
    }

    /// Moves its processes to these processors. Returns whether they are there: not if one is restricted to others than
    /// `everywhere`, or if threads were added since.
    pub(crate) fn gather(&mut self, here: &Cpus, everywhere: &Cpus) -> bool {
        let Some(root) = self.process().and_then(Process::root) else { return false };
        let is_new = !self.is_gathered();
        let threads = threads_within(root, if is_new { everywhere } else { here });
        match threads {
            Some(threads) if is_new => {
                self.whereabouts.threads = threads;
                self.whereabouts.from = Some(everywhere.clone());
                move_tree(root, here).is_ok()
            }
            Some(threads) if threads <= self.whereabouts.threads => true,
            _ => {
                self.whereabouts.is_loner = true;
                false
            }
        }
    }

    /// Releases its processes and this thread to run everywhere, if they were gathered.
    pub(crate) fn let_go(&mut self) {
        let Some(everywhere) = self.whereabouts.from.take() else { return };
        self.whereabouts.let_go = Some(Instant::now());
        if let Some(root) = self.process().and_then(Process::root) {
            // Processes that are gone need no release.
            let _ = move_tree(root, &everywhere);
        }
        // The thread has been there before, so this succeeds.
        let _ = everywhere.take();
    }
}
