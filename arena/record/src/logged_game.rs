//! What ratings need from a game: who played whom at what, and how it ended.

use std::borrow::Cow;

use rules::{PerSeat, Seat};

use crate::GameResult;

/// The outcome of one game, from a journal or from any game log. Texts are as written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedGame<'a> {
    /// The game's id: `fanorona`; `standard` if a log does not say.
    pub game: Cow<'a, str>,
    /// The game's name with the options that differ from the defaults: `fanorona size=5x5`.
    pub label: Cow<'a, str>,
    /// Who sat where; White is `p1`.
    pub seats: PerSeat<Contestant<'a>>,
    /// Who won; [`GameResult::None`] if the game does not count or is not finished.
    pub result: GameResult,
    /// Why a game of a log does not count, if the log says more than that it has no result. `result` is then
    /// [`GameResult::None`].
    pub unrated: Option<Unrated<'a>>,
    /// The seats that lost, or went out, by their own faults, if the record says so.
    pub faults: Vec<Seat>,
    /// When the game began, as precisely as known: `2026-11-21T09:30:05…` in UTC, `2026-11-21`, or empty.
    pub started: Cow<'a, str>,
    /// A number that the games of one block share within their file, besides game and players. With two seats a block is a
    /// colour-swapped pair.
    pub pair: Option<u64>,
    /// The first of [`crate::GameRecord::fingerprints`]: equal for games with the same plies. `None` if no plies are known.
    pub fingerprint: Option<u128>,
    /// The second of [`crate::GameRecord::fingerprints`]: equal for games with the same opening. `None` if it is not known.
    pub opening: Option<u64>,
}

/// The player in one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant<'a> {
    /// The name; empty if a log does not say.
    pub name: Cow<'a, str>,
    /// The version; empty if unknown.
    pub version: Cow<'a, str>,
    /// The digest; empty if unknown. Game logs do not hold it.
    pub digest: Cow<'a, str>,
}

/// Why a game of a log does not count for ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unrated<'a> {
    /// A player had no opponent.
    Bye,
    /// The point was given to a player, or to neither, without play.
    Forfeit,
    /// The result is not a known one. Holds its text as written.
    UnknownResult(Cow<'a, str>),
}

/// The game of a log without a `Variant` tag.
pub(crate) const UNNAMED_GAME: &str = "standard";
