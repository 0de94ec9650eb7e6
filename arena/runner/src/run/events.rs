//! The events of a run, as one stream, and the questions of a run to its host.
//!
//! Both happen on the thread that started the run. A slow listener delays the next games, never a clock.

use std::error::Error;
use std::path::PathBuf;

use record::{GameRecord, GameSummary, Termination};

use crate::{Live, Opening, Situation, Spoken, Task, TraceLine};

/// An event of a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunEvent<'a> {
    /// A game begins.
    GameStarted {
        /// The task.
        task: &'a Task,
        /// The slot that plays it, from 0.
        slot: usize,
    },
    /// A line to or from a bot. Only if [`crate::PlaySettings::trace`] is set.
    Trace(TraceLine),
    /// A bot failed: it lost a game by a fault, could not be started, or refused a game. The end of the game follows.
    BotFailed(Box<BotFailure>),
    /// Every line of a game, escaped, just before its end is reported. Only if [`crate::PlaySettings::transcripts`] is set.
    Transcript {
        /// The number of the game.
        game: u64,
        /// The lines.
        text: String,
    },
    /// A game has ended, or is not played because one of its bots is withdrawn. Its slot begins no other game before the
    /// listener has handled this event.
    GameFinished(Box<GameRecord>),
    /// A game is void, and begins again under its number after this event; the record does not count. Either the arena itself
    /// did not run while a bot was to decide, or, if [`settings::Conditions::replay_noisy`] is set, a bot lost on time while
    /// the machine kept it waiting.
    GameVoid(Box<GameRecord>),
    /// What a worker has played or tried counts nowhere: another attempt at the game counts, or the run had stopped, or the attempt has
    /// failed ([`record::WorkerRecord::uncounted`] says which).
    GameUncounted(Box<GameRecord>),
    /// A note to the user, for example that a machine has joined or left.
    Note(String),
    /// Time has passed: at least every 100 ms during the run.
    Tick,
}

/// Why a listener could not handle an event, for example because it could not write a record.
pub type EventError = Box<dyn Error + Send + Sync>;

/// A listener to the events of a run.
///
/// A closure over a [`RunEvent`] is one:
///
/// ```
/// use runner::{EventError, Listener, RunEvent};
///
/// let mut ended = Vec::new();
/// let mut listener = |event: RunEvent<'_>| -> Result<(), EventError> {
///     match event {
///         RunEvent::GameFinished(game) => ended.push(game.number),
///         RunEvent::BotFailed(failure) => eprintln!("`{}`: {}", failure.bot, failure.detail),
///         _ => {}
///     }
///     Ok(())
/// };
/// listener.event(RunEvent::Tick)?;
/// assert!(ended.is_empty());
/// # Ok::<(), EventError>(())
/// ```
pub trait Listener {
    /// Handles an event. Events come in the order in which the run learns of them.
    ///
    /// # Errors
    /// When the event cannot be handled. The run then stops.
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError>;
}

/// The starter of a run: a listener that also answers questions. All questions have default answers, which closures use.
pub trait Host: Listener {
    /// Returns more games to play; `None` if there will never be any.
    ///
    /// The run asks before the first game, and whenever a slot is free and no game is left to begin. An empty list means that
    /// there may be games after other games have ended. If no game is running, it ends the run.
    fn more(&mut self) -> Option<Vec<Task>> {
        None
    }

    /// Returns whether games may still come although none is running and [`Host::more`] has none now. Then the run continues,
    /// and asks the host every few milliseconds while a slot is free.
    fn waits(&self) -> bool {
        false
    }

    /// Returns the opening of a game, if the host knows it. Otherwise the plan decides ([`crate::Contest::openings`]).
    fn opening(&mut self, task: &Task) -> Option<Opening> {
        let _ = task;
        None
    }

    /// Passes every game recorded before this run to `show`. Faults in these games count if
    /// [`settings::Conditions::max_faults`] is set. Called once, before the first game.
    fn recorded(&self, show: &mut dyn FnMut(&GameSummary<'_>)) {
        let _ = show;
    }

    /// Passes every void game before this run to `show`, because the number of void attempts counts. Called once, before the
    /// first game.
    fn recorded_void(&self, show: &mut dyn FnMut(&GameSummary<'_>)) {
        let _ = show;
    }

    /// Returns where to show the current games; `None` without viewers, which costs nothing. Called once, before the first
    /// game. A reader never delays a game.
    fn live(&self) -> Option<Live> {
        None
    }
}

impl<F: FnMut(RunEvent<'_>) -> Result<(), EventError>> Listener for F {
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError> {
        self(event)
    }
}

impl<F: FnMut(RunEvent<'_>) -> Result<(), EventError>> Host for F {}

/// The failure of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotFailure {
    /// The bot's name.
    pub bot: String,
    /// The number of the game in which it failed.
    pub game: u64,
    /// How the game ended because of it.
    pub termination: Termination,
    /// What happened, in words.
    pub detail: String,
    /// The last lines of its standard error, escaped: at most 100.
    pub stderr: Vec<String>,
    /// Its seat, from 1.
    pub seat: u8,
    /// The command that started it.
    pub command: String,
    /// The working directory.
    pub dir: PathBuf,
    /// Whether another program confined it.
    pub is_confined: bool,
    /// How its process ended, if it did: `exit 1`, `signal 9`.
    pub exit: Option<String>,
    /// The last lines between the arena and the bot.
    pub spoken: Spoken,
    /// How to flush output in its language, as a fragment, if the awaited word came only when its input was closed.
    pub flush: Option<String>,
    /// The state of the game, if it had begun.
    pub scene: Option<Situation>,
}
