//! A kept game that continues.

use std::time::Duration;

use rules::Setup;
use runner::{InteractiveGame, Kept, KeptError, PlaySettings};

use super::{HandGame, TellEvent};
use crate::seating::Seating;
use crate::stopwatch::Stopwatch;

/// A game as it is kept.
#[derive(Clone, Debug)]
pub struct KeptGame {
    /// Its session.
    pub session: Kept,
    /// When it began (RFC 3339, UTC).
    pub started: String,
    /// How long it has taken.
    pub took: Duration,
}

impl HandGame {
    /// Returns what of the game outlives its process.
    pub fn kept(&self) -> KeptGame {
        let now = self.now();
        let took = now.saturating_sub(self.game_began);
        KeptGame { session: self.session.kept(now), started: self.started.clone(), took }
    }

    /// Sets a kept game up. Where a clock would run for a person, it stands still until [`HandGame::set_going`]; a bot that is to
    /// decide waits.
    ///
    /// # Errors
    /// Says what does not fit.
    pub fn restore(
        setup: &Setup,
        start: Option<&str>,
        chairs: Seating,
        settings: PlaySettings,
        tell: TellEvent,
        kept: KeptGame,
    ) -> Result<Self, KeptError> {
        let KeptGame { session: kept, started, took } = kept;
        let mut game = Self::new(setup, start, chairs, settings, tell)?;
        let (now, sitters) = (took.max(kept.thought), game.session.sitters().clone());
        game.session = InteractiveGame::restore(setup, start, sitters, &game.settings, &kept, now)?;
        let is_timed = game.session.decider().is_some_and(|seat| game.session.time_left(seat, now).is_some());
        game.waits = game.has_two_bots() || game.decides_bot();
        let is_halted = is_timed && !game.waits;
        game.watch = if is_halted { Stopwatch::halted(now) } else { Stopwatch::running(now) };
        (game.number, game.game_began, game.started) = (kept.number, now.saturating_sub(took), started);
        Ok(game)
    }

    /// Returns whether the clocks stand still.
    pub const fn is_halted(&self) -> bool {
        self.watch.is_halted()
    }

    /// Returns whether the clock of a person runs.
    pub fn runs_for_person(&self) -> bool {
        let is_timed =
            |seat| self.session.sitter(seat).is_person && self.session.time_left(seat, self.now()).is_some();
        !self.is_halted() && self.session.decider().is_some_and(is_timed)
    }

    /// Lets the clocks run.
    pub fn set_going(&mut self) {
        self.watch.go();
    }
}
