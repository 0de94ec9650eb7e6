//! What every ply of a game did to the board, so that a page can look back.

use page::Stage;
use runner::InteractiveGame;

/// What the plies on the board did, from the first one on.
#[derive(Debug, Default)]
pub(crate) struct BoardHistory {
    steps: Vec<BoardStep>,
}

/// What a ply did.
#[derive(Debug)]
struct BoardStep {
    ply: String,
    position: String,
    /// What changed, the way of the ply, and the new owners, as the script of the page reads them.
    told: [String; 3],
}

impl BoardHistory {
    /// Follows a game that begins in the position `start`: plies that are not on the board any more are dropped, new ones are
    /// worked out.
    pub(crate) fn follow(&mut self, stage: &Stage, start: &str, session: &InteractiveGame) {
        let is_known = |(step, (ply, position)): &(&BoardStep, (&str, &str))| {
            step.ply == *ply && step.position == *position
        };
        let known = self.steps.iter().zip(session.plies()).take_while(is_known).count();
        self.steps.truncate(known);
        for (ply, position) in session.plies().skip(known) {
            let before = self.steps.last().map_or(start, |step| &step.position);
            let told = stage.step(before, ply, position).unwrap_or_default();
            self.steps.push(BoardStep { ply: ply.to_owned(), position: position.to_owned(), told });
        }
    }

    /// Returns the position after this number of plies; `None` where that is the start.
    pub(crate) fn position(&self, plies: usize) -> Option<&str> {
        self.steps.get(plies.checked_sub(1)?).map(|step| step.position.as_str())
    }

    /// Returns what a ply did, by its number from 0: `[changes, way, owners]`.
    pub(crate) fn told(&self, index: usize) -> Option<&[String; 3]> {
        self.steps.get(index).map(|step| &step.told)
    }
}
