//! What a run tells while it goes on.

use std::error::Error;
use std::path::PathBuf;

use record::{GameRecord, GameSummary, Termination};

use crate::{Live, Scene, Spoken, Task, TraceLine};

/// Who is told what happens. Every method is called on the thread that started the run: an observer
/// that takes its time holds up the next games, never a clock.
pub trait Observer {
    /// A game begins in this slot, counted from 0.
    fn game_started(&mut self, task: &Task, slot: usize) {
        let _ = (task, slot);
    }

    /// Shows every game that was recorded before this run began: what bots did in them counts where
    /// [`crate::Settings::max_faults`] is set.
    fn recorded(&self, show: &mut dyn FnMut(&GameSummary)) {
        let _ = show;
    }

    /// Returns where the games in progress are to be shown; `None` where nobody looks, which costs nothing. Asked once,
    /// before the first game. A reader of it never holds up a game.
    fn live(&self) -> Option<Live> {
        None
    }

    /// A game has ended, or is not played because one of its bots is withdrawn. Its slot takes no other game before
    /// this returns.
    ///
    /// # Errors
    /// When the record could not be kept: the run stops.
    fn game_finished(&mut self, game: GameRecord) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// Shows every game that was void before this run began: how often a game was played in vain counts.
    fn recorded_void(&self, show: &mut dyn FnMut(&GameSummary)) {
        let _ = show;
    }

    /// A game is void, and is begun again under its number once this returns: what is given here counts nowhere. The arena
    /// itself did not run while a bot was to decide; or, if [`crate::Settings::replay_noisy`] is set, a bot lost on time while
    /// the machine kept it waiting.
    ///
    /// # Errors
    /// When the record could not be kept: the run stops.
    fn game_void(&mut self, game: GameRecord) -> Result<(), Box<dyn Error + Send + Sync>> {
        let _ = game;
        Ok(())
    }

    /// A line went to a bot or came from one. Only if [`crate::Settings::trace`] is set.
    fn trace(&mut self, line: TraceLine) {
        let _ = line;
    }

    /// A bot failed: it lost a game by a fault, could not be started, refused a game.
    fn bot_failed(&mut self, failure: BotFailure) {
        let _ = failure;
    }

    /// Every line of a game that has ended, fit to be shown. Only if [`crate::Settings::transcripts`] is set; called
    /// before [`Observer::game_finished`].
    fn transcript(&mut self, game: u64, text: String) {
        let _ = (game, text);
    }

    /// Returns games to play after those that were given before; `None` when there will never be any.
    ///
    /// Asked before the first game, and whenever a slot is free and no game is left to begin. None now, but perhaps
    /// after other games have ended, is an empty list; where no game is being played it is the end of the run.
    fn more(&mut self) -> Option<Vec<Task>> {
        None
    }

    /// Called at least every 100 ms while the run goes on.
    fn tick(&mut self) {}
}

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
    /// Its seat: 1 or 2.
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
    pub scene: Option<Scene>,
}
