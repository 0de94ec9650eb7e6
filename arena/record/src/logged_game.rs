//! What ratings need to know of a game: who played whom at what, and how it ended.

use std::borrow::Cow;

use rules::{PerSeat, Seat};

use crate::GameResult;

/// The outcome of one game, from a journal or from anybody's game log. Texts are as written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedGame<'a> {
    /// The game's id: `fanorona`; `standard` where a log does not say.
    pub game: Cow<'a, str>,
    /// The game's name with the options that are not the defaults: `fanorona size=5x5`.
    pub label: Cow<'a, str>,
    /// Who sat where; White is `p1`.
    pub seats: PerSeat<Contestant<'a>>,
    /// Who won; [`GameResult::None`] where the game does not count or is not finished.
    pub result: GameResult,
    /// Why a log's game tells nothing of strength, where it says more than that there is no result; `result` is
    /// [`GameResult::None`] then.
    pub unrated: Option<Unrated<'a>>,
    /// The seats that lost, or went out, by faults of their own, where the record says so.
    pub faults: Vec<Seat>,
    /// When the game began, as much as is known: `2026-11-21T09:30:05…` in UTC, `2026-11-21`, or empty.
    pub started: Cow<'a, str>,
    /// What the games of a block, with two seats those of a colour-swapped pair, share within their file, beside game and players.
    pub pair: Option<u64>,
    /// [`crate::GameRecord::fingerprint`]: what games share that are the same ply for ply. `None` where no plies are known.
    pub fingerprint: Option<u128>,
    /// [`crate::GameRecord::opening_fingerprint`]: what games share that begin alike. `None` where that is not known.
    pub opening: Option<u64>,
}

/// Who sat at one side of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant<'a> {
    /// The name; empty where a log does not say.
    pub name: Cow<'a, str>,
    /// The version; empty when unknown.
    pub version: Cow<'a, str>,
    /// The digest; empty when unknown: game logs do not tell it.
    pub digest: Cow<'a, str>,
}

/// Why a game of a log tells nothing of strength.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unrated<'a> {
    /// A player had no opponent.
    Bye,
    /// It was given to a player, or to neither, without being played.
    Forfeit,
    /// Its result is none that is known: as written.
    UnknownResult(Cow<'a, str>),
}

/// The game of a log that has no `Variant` tag.
pub(crate) const UNNAMED_GAME: &str = "standard";
