//! The record of one finished game.

pub mod embedded;
pub(crate) mod exits;
pub(crate) mod result;

use std::collections::BTreeMap;

use rules::{PerSeat, Seat};
use serde::{Deserialize, Serialize};
use settings::{TimeControl, TimeFactor};

use crate::fingerprint::Fingerprint;
use crate::{GameResult, SeatControl, Termination, Warning};

/// One finished game, with texts of type `T`, plies of type `P` and time controls of type `C`. A reader that needs only part of
/// a journal can borrow the texts and drop the plies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "T: Serialize, P: Serialize, C: Serialize",
    deserialize = "T: Deserialize<'de> + Default, P: Deserialize<'de>, C: Deserialize<'de>"
))]
pub struct GameRecord<T: Ord = String, P = Vec<PlyRecord<T>>, C = SeatControl> {
    /// The number of the game in the schedule, from 1.
    pub number: u64,
    /// The number of its block, from 1. A block has as many games of one opening as there are seats, and every bot sits in
    /// every seat once. With two seats a block is a pair.
    pub pair: u64,
    /// The position of the game in its block, from 1.
    pub leg: u8,
    /// The round, from 1.
    pub round: u32,
    /// The game's id.
    pub game: T,
    /// All options with their values.
    pub options: BTreeMap<T, T>,
    /// The game's name with the options that differ from the defaults.
    pub label: T,
    /// The position string of the start, if it is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<T>,
    /// Who sat where.
    #[serde(with = "per_seat")]
    pub seats: PerSeat<SeatRecord<T, C>>,
    /// How many of the plies are the opening, which no bot decides.
    pub opening: u32,
    /// Who won: the field `result` and, at a table of more than two seats, `places`.
    #[serde(flatten, with = "result::fields")]
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Termination,
    /// What happened, in words, if the reason alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<T>,
    /// The seat whose bot failed, if the game does not count because of that.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seat_number")]
    pub failed: Option<Seat>,
    /// When the game began (RFC 3339, UTC).
    pub started: T,
    /// How long the game took, in seconds.
    pub seconds: f64,
    /// The processor that the slot shared with its bots (`pin: auto`), `None` if they ran on any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gathered: Option<Gathered>,
    /// The machine that played the game, if it was not the one that keeps the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<WorkerRecord<T>>,
    /// The plies. They come last, so a reader of outcomes can skip them.
    pub plies: P,
}

impl<T: Ord, P, C> GameRecord<T, P, C> {
    /// Returns the first seat that lost, or went out, by its own fault.
    #[must_use]
    pub fn fault(&self) -> Option<Seat> {
        self.faults().next().map(|(seat, _)| seat)
    }

    /// Returns the seats that lost, or went out, by their own faults, each with the fault.
    pub fn faults(&self) -> impl Iterator<Item = (Seat, Termination)> + '_ {
        let lost = self.result.loser().map(|seat| (seat, self.reason));
        let out = self.seats.by_seat().filter_map(|(seat, record)| Some((seat, record.out.as_ref()?.reason)));
        lost.into_iter().chain(out).filter(|(_, reason)| reason.is_fault())
    }
}

impl<T: AsRef<str> + Ord, P, C> GameRecord<T, P, C> {
    /// Returns all options with their values, by name.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        self.options.iter().map(|(key, value)| (key.as_ref(), value.as_ref()))
    }

    /// Returns all options with their values as one text: `max-moves=50 wilds=strict`.
    #[must_use]
    pub fn written_options(&self) -> String {
        let mut text = String::new();
        for (key, value) in self.options() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(key);
            text.push('=');
            text.push_str(value);
        }
        text
    }

    /// Returns whether the game has these options with these values, and no others.
    #[must_use]
    pub fn has_options(&self, options: &BTreeMap<String, String>) -> bool {
        self.options().eq(options.iter().map(|(key, value)| (key.as_str(), value.as_str())))
    }
}

impl GameRecord {
    /// Returns the time control by which the clock of a seat ran: [`SeatRecord::tc`], longer or shorter where a worker of another speed
    /// played; `None` where nothing limits the seat, or this version cannot read it.
    #[must_use]
    pub fn clock_control(&self, seat: Seat) -> Option<TimeControl> {
        let control = self.seats.get(seat.index())?.tc.known()?;
        let factor = self.worker.as_ref().and_then(|worker| worker.factor);
        Some(factor.map_or_else(|| control.clone(), |factor| control.scaled(factor)))
    }
}

impl<T: AsRef<str> + Ord, C> GameRecord<T, Vec<PlyRecord<T>>, C> {
    /// Returns a hash of the start and the plies (FNV-1a, 128 bits), which games with the same plies share, and half of one of the
    /// start and the plies of the opening, which games with the same opening share.
    #[must_use]
    pub fn fingerprints(&self) -> (u128, u64) {
        let (first, rest) = self.plies.split_at(self.plies.len().min(self.opening as usize));
        let mut hash = Fingerprint::of(self.start.as_ref().map(AsRef::as_ref));
        first.iter().for_each(|ply| hash.push(ply.ply.as_ref()));
        let opening = hash.short();
        rest.iter().for_each(|ply| hash.push(ply.ply.as_ref()));
        (hash.whole(), opening)
    }
}

/// The bot in one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRecord<T = String, C = SeatControl> {
    /// The bot's name in the tournament.
    pub bot: T,
    /// Its version: declared in the tournament file, or reported by the bot; empty if neither.
    pub version: T,
    /// Its digest ([`crate::BotConfig::digest`]).
    pub digest: T,
    /// Its time control.
    pub tc: C,
    /// The seed that the arena gave it.
    pub seed: u64,
    /// How often it overran its clock within the margin.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub overruns: u32,
    /// How many of its answers the arena refused before it accepted one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retries: u32,
    /// False claims about its search, one entry per kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// How its process ended, if it ended during the game: `exit 1`, `signal 9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<T>,
    /// Processor time of its process during the game, in milliseconds, if the system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<u64>,
    /// The peak memory of its process so far, in KiB, if the system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_kib: Option<u64>,
    /// How the seat went out before the others, at a table of more than two seats.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub out: Option<SeatExit<T>>,
}

/// How a seat went out while others played on, or as the last one left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatExit<T = String> {
    /// The reason: the rules, a fault, or resignation.
    pub reason: Termination,
    /// What happened, in words, if the reason alone does not say it.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub detail: Option<T>,
    /// The number of the ply that was due next, from 1.
    pub ply: u32,
}

/// The processor that a slot and its bots shared during a game (`pin: auto`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gathered {
    /// The processor, as the system numbers it.
    pub processor: usize,
    /// When they were released, in seconds after the start of the game, `None` if they stayed together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

/// The worker that played a game, and what differed there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRecord<T = String> {
    /// The worker's name.
    pub name: T,
    /// The level of the sandbox, if it was stricter than the run asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<T>,
    /// By how much the times of all seats were longer there than [`SeatRecord::tc`] says, where the worker's speed was measured.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none", with = "time_factor")]
    pub factor: Option<TimeFactor>,
    /// Why the game counts nowhere, in a void line about an attempt of this worker: a word of [`crate::Uncounted`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<T>,
    /// Why the worker got no further pairs after this attempt, where that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<T>,
}

impl WorkerRecord {
    /// Returns a worker of which there is nothing to say but its name.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), sandbox: None, factor: None, uncounted: None, set_aside: None }
    }
}

/// One ply of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyRecord<T = String> {
    /// The ply.
    pub ply: T,
    /// How game logs spell the ply, if the rules define a spelling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub san: Option<T>,
    /// The seat that decided, from 1.
    pub seat: u8,
    /// The number of the turn it belongs to, from 1, counting the turns of all seats.
    pub turn: u32,
    /// The seat whose turn it is, if another seat decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u8>,
    /// The thinking time charged, in microseconds. None for a ply of the opening, for a forced pass, and for every ply after
    /// the first in one answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub us: Option<u64>,
    /// The processor time and waiting time of the decider's process in that period, if a time limits the decision and the
    /// system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<ProcessTimes>,
    /// The decider's clock after the ply, in milliseconds, if there is a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// The bot's last information before its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<InfoRecord<T>>,
    /// Whether the arena chose the ply at random because the bot failed to answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fallback: bool,
}

/// Processor time and waiting time of a process while it decided. In the remaining time the bot slept or the arena was late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessTimes {
    /// Processor time of all its threads, in microseconds.
    pub cpu_us: u64,
    /// Time for which its threads were ready but had no processor, in microseconds.
    pub wait_us: u64,
}

/// A bot's last information about a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InfoRecord<T = String> {
    /// The depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The score from the bot's own point of view, in hundredths of the game's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i64>,
    /// A win, or a loss if negative, in this many of the bot's own turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i64>,
    /// The nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Its last `info string`, escaped and cut to the length that the run's settings allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<T>,
}

/// Reads and writes one value per seat as a list.
mod per_seat {
    use rules::{PerSeat, Seat};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer, T: Serialize>(
        values: &PerSeat<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        deserializer: D,
    ) -> Result<PerSeat<T>, D::Error> {
        PerSeat::try_from(Vec::deserialize(deserializer)?).map_err(|values| {
            D::Error::custom(format!("{} seats, but a table has 2 to {}", values.len(), Seat::MOST))
        })
    }
}

/// Reads and writes a factor as a number.
mod time_factor {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use settings::TimeFactor;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to this")]
    #[expect(clippy::ref_option, reason = "serde hands references to this")]
    pub(super) fn serialize<S: Serializer>(
        factor: &Option<TimeFactor>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        factor.map(TimeFactor::get).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<TimeFactor>, D::Error> {
        let Some(number) = Option::<f64>::deserialize(deserializer)? else { return Ok(None) };
        match TimeFactor::new(number) {
            None => {
                Err(D::Error::custom(format!("a factor of times is from a third to three, not {number}")))
            }
            factor => Ok(factor),
        }
    }
}

/// Reads and writes a seat as its number, from 1.
mod seat_number {
    use rules::Seat;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to this")]
    #[expect(clippy::ref_option, reason = "serde hands references to this")]
    pub(super) fn serialize<S: Serializer>(seat: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
        seat.map(|seat| seat.index() + 1).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Seat>, D::Error> {
        match Option::<u8>::deserialize(deserializer)? {
            None => Ok(None),
            Some(number) => match usize::from(number).checked_sub(1).and_then(Seat::new) {
                Some(seat) => Ok(Some(seat)),
                None => {
                    Err(D::Error::custom(format!("seat {number} does not exist, only 1 to {}", Seat::MOST)))
                }
            },
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to these predicates")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
