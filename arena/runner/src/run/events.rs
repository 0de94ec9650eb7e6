//! What a run tells, as one stream of events, and what it asks of who started it.
//!
//! Both happen on the thread that started the run: a listener that takes time there delays the next games, never a clock.

use std::error::Error;
use std::path::PathBuf;

use record::{GameRecord, GameSummary, Termination};

use crate::{Live, Opening, Situation, Spoken, Task, TraceLine};

/// Something that happened in a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunEvent<'a> {
    /// A game begins.
    GameStarted {
        /// Which.
        task: &'a Task,
        /// The slot in which it is played, counted from 0.
        slot: usize,
    },
    /// A line went to a bot or came from one. Only if [`crate::PlaySettings::trace`] is set.
    Trace(TraceLine),
    /// A bot failed: it lost a game by a fault, could not be started, refused a game. The end of the game follows.
    BotFailed(Box<BotFailure>),
    /// Every line of a game whose end follows, fit to be shown. Only if [`crate::PlaySettings::transcripts`] is set.
    Transcript {
        /// The number of the game.
        game: u64,
        /// The lines.
        text: String,
    },
    /// A game has ended, or is not played because one of its bots is withdrawn. Its slot takes no other game before this
    /// event has been taken.
    GameFinished(Box<GameRecord>),
    /// A game is void, and begins again under its number once this event has been taken: this record counts nowhere. The
    /// arena itself did not run while a bot was to decide; or, if [`settings::Conditions::replay_noisy`] is set, a bot lost on time
    /// while the machine kept it waiting.
    GameVoid(Box<GameRecord>),
    /// Something that the user is to know, such as a machine that has joined or left.
    Note(String),
    /// Time has passed: at least every 100 ms during the run.
    Tick,
}

/// Why an event could not be taken, such as a record that could not be written.
pub type EventError = Box<dyn Error + Send + Sync>;

/// Who is told what happens in a run.
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
    /// Takes an event. They come in the order in which the run learns of them.
    ///
    /// # Errors
    /// When the event could not be taken: the run stops.
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError>;
}

/// Who has a run played: a listener that is also asked for what only it knows. A host that has nothing to say leaves all of it
/// out, as every closure does.
pub trait Host: Listener {
    /// Returns games to play after those that were given before; `None` when there will never be any.
    ///
    /// Asked before the first game, and whenever a slot is free and no game is left to begin. None now, but perhaps
    /// after other games have ended, is an empty list; where no game is being played it is the end of the run.
    fn more(&mut self) -> Option<Vec<Task>> {
        None
    }

    /// Returns whether games may still come although none is being played and [`Host::more`] has none now: then the run goes on,
    /// and the host is asked again every few milliseconds while a slot is free.
    fn waits(&self) -> bool {
        false
    }

    /// Returns how a game begins, where the host knows it; else that is decided by the plan ([`crate::Contest::openings`]).
    fn opening(&mut self, task: &Task) -> Option<Opening> {
        let _ = task;
        None
    }

    /// Shows every game that was recorded before this run began: what bots did in them counts where
    /// [`settings::Conditions::max_faults`] is set. Asked once, before the first game.
    fn recorded(&self, show: &mut dyn FnMut(&GameSummary)) {
        let _ = show;
    }

    /// Shows every game that was void before this run began: how often a game was played in vain counts. Asked once, before
    /// the first game.
    fn recorded_void(&self, show: &mut dyn FnMut(&GameSummary)) {
        let _ = show;
    }

    /// Returns where the games in progress are to be shown; `None` where nobody looks, which costs nothing. Asked once,
    /// before the first game. A reader of it never holds up a game.
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

/// How a bot failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotFailure {
    /// The bot's name.
    pub bot: String,
    /// The number of the game it failed in.
    pub game: u64,
    /// How the game ended because of it.
    pub termination: Termination,
    /// What happened, in words.
    pub detail: String,
    /// The last lines it wrote to its standard error, fit to be shown: at most 100.
    pub stderr: Vec<String>,
    /// Its seat, from 1.
    pub seat: u8,
    /// The command that started it.
    pub command: String,
    /// The directory that it ran in.
    pub dir: PathBuf,
    /// Whether another program confined it.
    pub is_confined: bool,
    /// How its process ended, if it did: `exit 1`, `signal 9`.
    pub exit: Option<String>,
    /// The last lines between the arena and the bot.
    pub spoken: Spoken,
    /// How its output is flushed in its language, a fragment, if the awaited word came only when its input was closed.
    pub flush: Option<String>,
    /// Where the game stood, if it had begun.
    pub scene: Option<Situation>,
}
