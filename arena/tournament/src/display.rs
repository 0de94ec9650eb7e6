//! What shows a run while it goes on.
//!
//! A run knows neither a bar nor a screen: whoever has it played hands in what shows it.

use diagnostic::Failure;
use live::{LiveState, Steering};
use record::GameSummary;
use report::Asked;

/// How a run is to be shown.
pub trait Presentation {
    /// Begins to show a run.
    ///
    /// # Errors
    /// When what it needs cannot be had, a terminal for example.
    fn open(&self, opening: RunStart<'_>) -> Result<Box<dyn Display>, Failure>;

    /// Returns what gives back the terminal when the process ends at once, in the middle of a run.
    fn restorer(&self) -> fn();
}

/// What is known of a run when it begins to be shown.
pub struct RunStart<'a> {
    /// How many games are to be played: at most, where results decide.
    pub total: u64,
    /// What the run is asked to play.
    pub asked: &'a Asked,
    /// The games that were played before.
    pub games: &'a [GameSummary],
    /// The handles by which those who watch may steer.
    pub steering: Steering,
}

/// What shows a run that goes on. It is called between games and must not hold them up.
pub trait Display {
    /// Shows a line of text that is fit to be shown.
    fn say(&self, line: &str);

    /// Counts a finished game, the last of these.
    fn game_finished(&mut self, games: &[GameSummary]);

    /// Takes what a run whose schedule follows results says, in a line.
    fn test(&mut self, line: String);

    /// Shows what is due of a run with these games.
    fn tick(&mut self, games: &[GameSummary]);

    /// Returns whether pictures of the run are shown.
    fn takes_pictures(&self) -> bool;

    /// Shows a picture of the run.
    fn show(&self, picture: LiveState);

    /// Ends the display.
    fn finish(self: Box<Self>);
}
