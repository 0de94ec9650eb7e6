//! Where the processes of a bot run: everywhere, or gathered with those that they talk to.

use std::time::{Duration, Instant};

use processes::{Cpus, Process, move_tree, threads_within};

use super::Player;

/// From how much more processor time on than what a bot had for its decisions it works on several processors: a report of
/// processor time may be a few ticks of the system old.
const SLACK: Duration = Duration::from_millis(50);

/// Where the processes of a bot are, and whether they may be gathered.
#[derive(Debug, Default)]
pub(super) struct Whereabouts {
    /// Whether the decisions of its last game were short.
    is_quick: bool,
    /// Whether its processes want more than one processor, or others than they were given.
    is_loner: bool,
    /// How long its games took in all, and how much processor time it used in them.
    games: [Duration; 2],
    /// How many threads it had when it was gathered.
    threads: usize,
    /// Where its processes may run when they are not gathered; `None` while they are not.
    from: Option<Cpus>,
    /// When they were let go last.
    let_go: Option<Instant>,
}

impl Player {
    /// Returns whether its last game was one of short decisions, and nothing speaks against gathering it.
    pub(crate) fn may_gather(&self) -> bool {
        self.whereabouts.is_quick && !self.whereabouts.is_loner && self.link().has_pipe()
    }

    /// Returns whether its processes are gathered.
    pub(crate) fn is_gathered(&self) -> bool {
        self.whereabouts.from.is_some()
    }

    /// Returns when its processes were let go last.
    pub(crate) fn was_let_go(&self) -> Option<Instant> {
        self.whereabouts.let_go
    }

    /// Notes what a game tells: whether its decisions were short, how long it took, and how much processor time the bot used.
    ///
    /// Two bots take turns, so one alone that used nearly as much as the game took works in parallel, or out of turn.
    pub(crate) fn note_game(&mut self, is_quick: bool, took: Duration, used: Option<Duration>) {
        let whereabouts = &mut self.whereabouts;
        whereabouts.is_quick = is_quick && used.is_some();
        whereabouts.games[0] += took;
        whereabouts.games[1] += used.unwrap_or_default();
        let [took, used] = whereabouts.games;
        whereabouts.is_loner |= used > took * 4 / 5 + SLACK;
    }

    /// Takes its processes to these processors. Returns whether they are there: not where one keeps to others than it was given
    /// (`everywhere`), or threads were added since.
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

    /// Lets its processes run everywhere again, and this thread, if they were gathered.
    pub(crate) fn let_go(&mut self) {
        let Some(everywhere) = self.whereabouts.from.take() else { return };
        self.whereabouts.let_go = Some(Instant::now());
        if let Some(root) = self.process().and_then(Process::root) {
            // Of processes that are gone there is nothing to let go.
            let _ = move_tree(root, &everywhere);
        }
        // It has been there before.
        let _ = everywhere.take();
    }
}
