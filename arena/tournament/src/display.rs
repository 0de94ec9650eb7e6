//! What shows a run in progress.
//!
//! A run knows neither a progress bar nor a screen: its caller hands in what shows it.

use diagnostic::Failure;
use live::{LiveState, Steering};
use record::PackedGames;
use report::Asked;
use rules::Catalogue;

/// How a run is to be shown.
pub trait Presentation {
    /// Begins to show a run.
    ///
    /// # Errors
    /// When what it needs cannot be had, a terminal for example.
    fn open(&self, opening: RunStart<'_>) -> Result<Box<dyn Display>, Failure>;

    /// Returns what gives the terminal back when the process exits in the middle of a run.
    fn restorer(&self) -> fn();
}

/// What a display is told when a run starts.
pub struct RunStart<'a> {
    /// How many games are to be played: at most, where results decide.
    pub total: u64,
    /// What the run is asked to play.
    pub asked: &'a Asked,
    /// The games of one's own that are played, beside the built-in ones.
    pub catalogue: Catalogue,
    /// The games that were played before.
    pub games: &'a PackedGames,
    /// The handles by which the user may steer the run.
    pub steering: Steering,
}

/// What shows a run in progress. It is called between games and must not hold them up.
pub trait Display {
    /// Shows a line of text, which the caller has made safe to show.
    fn say(&self, line: &str);

    /// Counts a finished game, the last of these.
    fn game_finished(&mut self, games: &PackedGames);

    /// Takes the status line of a run whose schedule follows results.
    fn set_status(&mut self, line: String);

    /// Redraws what is due; `games` are those of the run so far.
    fn tick(&mut self, games: &PackedGames);

    /// Returns whether the display shows the whole state of the run.
    fn wants_state(&self) -> bool;

    /// Shows the state of the run.
    fn show_state(&self, state: LiveState);

    /// Ends the display.
    fn finish(self: Box<Self>);
}
