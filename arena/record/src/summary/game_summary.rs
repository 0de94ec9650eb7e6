//! A game without its plies, and what many games share.

use std::borrow::Cow;
use std::sync::Arc;

use rules::{PerSeat, Seat};
use settings::TimeFactor;

use super::thinking_time::ThinkingTime;
use crate::{GameResult, SeatControl, SeatExit, Termination, Warning};

/// A finished game without its plies. Many of them are kept as [`crate::PackedGames`].
#[derive(Clone, Debug, PartialEq)]
pub struct GameSummary<'a> {
    /// The number of the game in the schedule, from 1.
    pub number: u64,
    /// The number of its block, from 1. With two seats a block is a pair.
    pub pair: u64,
    /// What was played, who sat where, and what else is recorded.
    pub context: Cow<'a, GameContext>,
    /// How long the game took, in seconds, with seven digits.
    pub seconds: f32,
    /// When it began, in whole seconds since 1970 (UTC); 0 if the journal has no time before 2106.
    pub started: u32,
    /// The time charged to the first two seats; the remarks hold that of the others.
    pub(super) thinking: [ThinkingTime; 2],
    /// The offset of its line in the journal, in bytes.
    pub place: u64,
    /// The [`crate::short_fingerprint`]: equal for games with the same plies. Any two among a million other games share one with a
    /// chance of 2^-25.
    pub fingerprint: u64,
    /// The second of [`crate::GameRecord::fingerprints`]: equal for games with the same opening.
    pub opening: u64,
    /// The round, from 1.
    pub round: u32,
    /// The number of plies, the opening included.
    pub plies: u32,
    /// The position of the game in its block, from 1.
    pub leg: u8,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Termination,
    /// The seat whose bot failed, if the game does not count because of that.
    pub failed: Option<Seat>,
}

/// What was played, and what else is recorded. Games of one lineup without remarks share it.
#[derive(Clone, Debug, PartialEq)]
pub struct GameContext {
    /// What was played, and who sat where.
    pub lineup: Arc<Lineup>,
    /// Absent for most games of two seats.
    pub(super) remarks: Option<Box<Remarks>>,
}

/// What many games share: the game and the bots in its seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineup {
    /// The game with its options.
    pub ruleset: Arc<Ruleset>,
    /// Who sat where.
    pub seats: PerSeat<Arc<SeatedBot>>,
    /// The worker that played, if it was not the machine that keeps the journal.
    pub worker: Option<Arc<LineupWorker>>,
}

/// A worker as the games have it that it played at one speed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineupWorker {
    /// Its name.
    pub name: String,
    /// By how much times were longer there.
    pub factor: Option<TimeFactor>,
}

/// A game with its options, as records name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// The game's id.
    pub game: String,
    /// The game's name with the options that differ from the defaults.
    pub label: String,
}

/// A bot under one time control, as records name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatedBot {
    /// The bot's name in the tournament.
    pub bot: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// Its digest.
    pub digest: String,
    /// Its time control.
    pub tc: SeatControl,
}

/// Facts that few games have. A list by seat may be shorter than the table; the other seats then have no entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Remarks {
    /// What happened, in words, in a game that a fault or the arena itself ended.
    pub(super) detail: Option<String>,
    /// How the process of each bot ended, in a game that was lost by a fault.
    pub(super) exits: Vec<Option<String>>,
    /// The false claims of each bot about its search.
    pub(super) warnings: Vec<Vec<Warning>>,
    /// How each seat went out before the others.
    pub(super) out: Vec<Option<SeatExit>>,
    /// The time charged to the seats from the third on.
    pub(super) thinking: Vec<ThinkingTime>,
}

impl GameContext {
    /// Returns that of a game of which nothing else is recorded.
    #[must_use]
    pub const fn new(lineup: Arc<Lineup>) -> Self {
        Self { lineup, remarks: None }
    }
}

impl GameSummary<'_> {
    /// Returns the same game with a context of its own.
    #[must_use]
    pub fn into_owned(self) -> GameSummary<'static> {
        GameSummary { context: Cow::Owned(self.context.into_owned()), ..self }
    }

    /// Returns the game's name with the options that differ from the defaults.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.context.lineup.ruleset.label
    }

    /// Returns who sat where.
    #[must_use]
    pub fn seats(&self) -> &PerSeat<Arc<SeatedBot>> {
        &self.context.lineup.seats
    }

    /// Returns the time charged to the bot of a seat.
    #[must_use]
    pub fn thinking(&self, seat: Seat) -> ThinkingTime {
        let index = seat.index();
        let others = || self.remarks()?.thinking.get(index - self.thinking.len());
        self.thinking.get(index).or_else(others).copied().unwrap_or_default()
    }

    /// Returns the worker that played, if it was not the machine that keeps the journal.
    #[must_use]
    pub fn worker(&self) -> Option<&str> {
        self.context.lineup.worker.as_ref().map(|worker| worker.name.as_str())
    }

    /// Returns by how much times were longer for this game than its time control says, where the worker's speed was measured.
    #[must_use]
    pub fn time_factor(&self) -> Option<TimeFactor> {
        self.context.lineup.worker.as_ref()?.factor
    }

    /// Returns how a seat went out before the others, at a table of more than two.
    #[must_use]
    pub fn out(&self, seat: Seat) -> Option<&SeatExit> {
        self.remarks()?.out.get(seat.index())?.as_ref()
    }

    /// Returns the seats that lost, or went out, by their own faults, each with the fault.
    pub fn faults(&self) -> impl Iterator<Item = (Seat, Termination)> + '_ {
        let lost = self.result.loser().map(|seat| (seat, self.reason));
        let out = self.seats().seats().filter_map(|seat| Some((seat, self.out(seat)?.reason)));
        lost.into_iter().chain(out).filter(|(_, reason)| reason.is_fault())
    }

    /// Returns the fault by which a seat lost, or went out, if there was one.
    #[must_use]
    pub fn fault_of(&self, seat: Seat) -> Option<Termination> {
        self.faults().find(|(other, _)| *other == seat).map(|(_, fault)| fault)
    }

    /// Returns whether a bot failed or made a false claim: what the sections on faults and warnings tell of.
    #[must_use]
    pub fn is_incident(&self) -> bool {
        let has_warning = |remarks: &Remarks| remarks.warnings.iter().any(|warnings| !warnings.is_empty());
        self.failed.is_some() || self.faults().next().is_some() || self.remarks().is_some_and(has_warning)
    }

    /// Returns what happened, in words, when a seat lost or went out by a fault.
    #[must_use]
    pub fn fault_words(&self, seat: Seat) -> Option<&str> {
        match self.out(seat) {
            Some(out) => out.detail.as_deref(),
            None => self.detail().filter(|_| self.fault_of(seat).is_some()),
        }
    }

    /// Returns what happened, in words, in a game that a fault or the arena itself ended.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.remarks()?.detail.as_deref()
    }

    /// Returns how the process of a seat ended, in a game that was lost by a fault.
    #[must_use]
    pub fn exit(&self, seat: Seat) -> Option<&str> {
        self.remarks()?.exits.get(seat.index())?.as_deref()
    }

    /// Returns the false claims of a seat's bot about its search.
    #[must_use]
    pub fn warnings(&self, seat: Seat) -> &[Warning] {
        self.remarks().and_then(|remarks| remarks.warnings.get(seat.index())).map_or(&[], Vec::as_slice)
    }

    fn remarks(&self) -> Option<&Remarks> {
        self.context.remarks.as_deref()
    }
}
