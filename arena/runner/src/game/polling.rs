//! Waiting for bots without the runtime, for as long as the answers of fast bots take.
//!
//! To go to sleep in the runtime and to be woken by it costs more than to write a question and to read its answer. So the
//! thread that plays waits for the first moments of a decision by itself, in one system call on the outputs of
//! all bots. Whatever takes longer waits in the runtime, which alone knows of ends of processes, of limits on writing and
//! of what is written to standard errors; it has a turn every few milliseconds however fast the bots are.
//!
//! How long these moments are depends on the decision before ([`BotSpeed`]), for a timer has its price: one that rings before
//! the next tick of the system's clock is set in hardware, and set again when the answer comes first.

use std::time::Duration;

use rules::Seat;
use tokio::task::yield_now;
use tokio::time::Instant;

use crate::player::Player;

/// For how long a decision is waited for without the runtime where nothing is known of the bot, and up to which it is fast.
pub(crate) const DIRECT_WAIT: Duration = Duration::from_micros(500);

// A decision that takes longer than a fast bot's has a reading of its own at its end.
const _: () = assert!(DIRECT_WAIT.as_nanos() >= processes::FRESH.as_nanos());

/// For how long that of a fast bot is waited for: longer than the time between two ticks of most systems, which is 4 ms or
/// less, and less than the shortest time in which a game can be lost and the account is put off.
const LONG_DIRECT_WAIT: Duration = Duration::from_millis(5);

/// What the last decision of a bot tells of how to wait for the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BotSpeed {
    /// It has not decided anything in this game.
    #[default]
    Unknown,
    /// It answered within [`DIRECT_WAIT`].
    Fast,
    /// It took longer.
    Slow,
}

impl BotSpeed {
    /// Returns what a decision that took this long tells.
    pub(crate) fn of(took: Duration) -> Self {
        if took <= DIRECT_WAIT { Self::Fast } else { Self::Slow }
    }

    /// Returns for how long the next decision is waited for without the runtime. Who writes to its standard error
    /// (not `is_silent`) needs the runtime soon, or it would wait for somebody to read that.
    pub(crate) const fn direct_wait(self, is_silent: bool) -> Duration {
        match self {
            Self::Fast if is_silent => LONG_DIRECT_WAIT,
            Self::Fast | Self::Unknown => DIRECT_WAIT,
            Self::Slow => Duration::ZERO,
        }
    }
}

/// How long the runtime may go without a turn between two decisions.
const TURN: Duration = Duration::from_millis(2);

/// For how long nothing new is looked for after the last look at what both bots have written: about as long as it takes to
/// judge an answer and to put the next question.
const FRESH: Duration = Duration::from_micros(50);

/// When the bots of a game were looked at, and the runtime had its turn.
#[derive(Debug)]
pub(crate) struct Polling {
    /// Who answered last, and when the system had just told what both bots had written.
    looked: Option<(Seat, Instant)>,
    /// When the runtime had its last turn.
    turned: Instant,
}

impl Polling {
    /// Begins with bots that nobody has looked at.
    pub(crate) fn new() -> Self {
        Self { looked: None, turned: Instant::now() }
    }

    /// Notes that the answer of a seat was read at this instant, right after a look at both bots, if there was such a look.
    pub(crate) fn note_answer(&mut self, seat: Seat, looked: Option<Instant>) {
        self.looked = looked.map(|at| (seat, at));
    }

    /// Makes sure that everything that the bots have written by now is known, before `seat` is asked. Returns whether their
    /// links know; else the runtime does.
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

/// Waits until one of the bots has written something, at most this long, and has its link know. Returns `false` where that
/// cannot be waited for without the runtime, or something is to be read before.
#[cfg(unix)]
pub(crate) fn wait(players: &mut [Player], limit: Duration) -> bool {
    use arrayvec::ArrayVec;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let Ok(limit) = Timespec::try_from(limit) else { return false };
    let mut is_readable = [false; Seat::MOST];
    {
        let mut outputs: ArrayVec<PollFd<'_>, { Seat::MOST }> = ArrayVec::new();
        // Nothing comes any more of a bot that is gone while the others play on.
        for player in players.iter().filter(|player| !player.link().is_broken()) {
            let Some(output) = player.link().awaited() else { return false };
            outputs.push(PollFd::from_borrowed_fd(output, PollFlags::IN));
        }
        // A wait that a signal has ended says nothing: it is repeated if time is left.
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

/// Not every system can be asked about pipes.
#[cfg(not(unix))]
pub(crate) fn wait(_players: &mut [Player], _limit: Duration) -> bool {
    false
}
