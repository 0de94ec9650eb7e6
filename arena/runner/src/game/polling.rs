//! Waiting for bots without the runtime, for as long as fast bots take to answer.
//!
//! Sleeping in the runtime and being woken by it costs more than writing a question and reading its answer. So the playing
//! thread itself waits for the first moments of a decision, in one system call on the outputs of all bots. Longer waits
//! continue in the runtime, which alone learns of ends of processes, limits on writing and standard errors. It gets a turn
//! every few milliseconds, however fast the bots are.
//!
//! The length of these moments depends on the previous decision ([`BotSpeed`]), because a timer has a cost: one that fires
//! before the next tick of the system's clock is set in hardware, and set again when the answer comes first.

use std::time::Duration;

use rules::Seat;
use tokio::task::yield_now;
use tokio::time::Instant;

use crate::player::Player;

/// How long to wait for a decision without the runtime if the bot's speed is unknown, and the limit for a fast one.
pub(crate) const DIRECT_WAIT: Duration = Duration::from_micros(500);

// A decision longer than a fast bot's has its own reading at its end.
const _: () = assert!(DIRECT_WAIT.as_nanos() >= processes::FRESH.as_nanos());

/// How long to wait for a fast bot: longer than the time between two ticks of most systems, which is at most 4 ms, and shorter
/// than the shortest time in which a game with a postponed account can be lost.
const LONG_DIRECT_WAIT: Duration = Duration::from_millis(5);

/// The speed of a bot's last decision, which determines how to wait for the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BotSpeed {
    /// No decision in this game yet.
    #[default]
    Unknown,
    /// It answered within [`DIRECT_WAIT`].
    Fast,
    /// It took longer.
    Slow,
}

impl BotSpeed {
    /// Returns the speed of a decision with this duration.
    pub(crate) fn of(took: Duration) -> Self {
        if took <= DIRECT_WAIT { Self::Fast } else { Self::Slow }
    }

    /// Returns how long to wait for the next decision without the runtime. A bot that writes to its standard error (not
    /// `is_silent`) needs the runtime soon, because the runtime reads it.
    pub(crate) const fn direct_wait(self, is_silent: bool) -> Duration {
        match self {
            Self::Fast if is_silent => LONG_DIRECT_WAIT,
            Self::Fast | Self::Unknown => DIRECT_WAIT,
            Self::Slow => Duration::ZERO,
        }
    }
}

/// The longest time between two turns of the runtime.
const TURN: Duration = Duration::from_millis(2);

/// How long a check of the output of all bots remains fresh: about as long as it takes to judge an answer and to ask the next
/// question.
const FRESH: Duration = Duration::from_micros(50);

/// When the bots were checked, and when the runtime had its turn.
#[derive(Debug)]
pub(crate) struct Polling {
    /// The seat that answered last, and when the system had just reported the output of all bots.
    looked: Option<(Seat, Instant)>,
    /// When the runtime had its last turn.
    turned: Instant,
}

impl Polling {
    /// Returns the state before the first check.
    pub(crate) fn new() -> Self {
        Self { looked: None, turned: Instant::now() }
    }

    /// Records when the answer of a seat was read, if that came right after a check of all bots.
    pub(crate) fn note_answer(&mut self, seat: Seat, looked: Option<Instant>) {
        self.looked = looked.map(|at| (seat, at));
    }

    /// Ensures that all output so far is known before `seat` is asked. Returns whether the links know it; otherwise the runtime
    /// does.
    pub(crate) async fn look(&mut self, players: &mut [Player], seat: Seat) -> bool {
        // A bot that has just answered may have written more.
        let looked = self.looked.filter(|(other, _)| *other != seat).map(|(_, at)| at);
        let now = Instant::now();
        let is_fresh = looked.is_some_and(|looked| now.saturating_duration_since(looked) < FRESH);
        let is_direct = players.iter().all(|player| player.link().has_pipe());
        if now.saturating_duration_since(self.turned) >= TURN {
            self.turned = now;
            yield_now().await;
        }
        let is_told = is_direct && (is_fresh || wait(players, Duration::ZERO));
        if !is_told && !is_fresh {
            yield_now().await;
        }
        is_told
    }
}

/// Waits until a bot has written something, at most for `limit`, and tells its link. Returns `false` if this is not possible
/// without the runtime, or if there is something to read already.
#[cfg(unix)]
pub(crate) fn wait(players: &mut [Player], limit: Duration) -> bool {
    use arrayvec::ArrayVec;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let Ok(limit) = Timespec::try_from(limit) else { return false };
    let mut is_readable = [false; Seat::MOST];
    {
        let mut outputs: ArrayVec<PollFd<'_>, { Seat::MOST }> = ArrayVec::new();
        // A bot that is gone while the others play on sends nothing.
        for player in players.iter().filter(|player| !player.link().is_broken()) {
            let Some(output) = player.link().awaited() else { return false };
            outputs.push(PollFd::from_borrowed_fd(output, PollFlags::IN));
        }
        // A wait that a signal has interrupted is repeated if time is left.
        let _ = poll(&mut outputs, Some(&limit));
        for (is_readable, output) in is_readable.iter_mut().zip(&outputs) {
            *is_readable = !output.revents().is_empty();
        }
    }
    let players = players.iter_mut().filter(|player| !player.link().is_broken());
    for (player, is_readable) in players.zip(is_readable) {
        if is_readable {
            player.link_mut().note_readable();
        }
    }
    true
}

/// Not every system can poll pipes.
#[cfg(not(unix))]
pub(crate) fn wait(_players: &mut [Player], _limit: Duration) -> bool {
    false
}
