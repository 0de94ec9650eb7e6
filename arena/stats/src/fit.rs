//! The fit of a rating table.

use crate::{Game, Table};

/// How a table is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// What happens when the data hold no finite answer.
    pub prior: Prior,
    /// The player whose rating is given; `None` centres the ratings on the mean of all rated players.
    pub anchor: Option<Anchor>,
    /// Whether the first-seat advantage is estimated (it should be) or taken as zero.
    pub advantage: bool,
    /// Where the errors come from.
    pub errors: Errors,
}

/// What keeps ratings finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prior {
    /// Nothing: components are rated separately, and figures that do not exist are absent.
    None,
    /// Every rating is drawn to the mean by a normal prior, and every figure is marked.
    Ridge {
        /// The prior's standard deviation in Elo.
        sigma: f64,
    },
    /// The plain fit where it exists, otherwise the ridge with [`RIDGE_SIGMA`].
    Auto,
}

/// A player whose rating is fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The player.
    pub player: usize,
    /// Its rating in Elo.
    pub elo: f64,
}

/// Which errors are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// The sandwich, by pairs when the fit has at least [`PAIRS_FOR_CLUSTERS`] of them, by games otherwise;
    /// the inverse Hessian when the fit is regularised.
    Auto,
    /// The sandwich by colour-swapped pairs.
    PerPair,
    /// The sandwich by games.
    PerGame,
    /// The inverse Hessian.
    Hessian,
}

/// The standard deviation of the prior that [`Prior::Auto`] falls back on, in Elo.
pub const RIDGE_SIGMA: f64 = 200.0;

/// From this number of colour-swapped pairs on, pairs are the clusters of the errors.
pub const PAIRS_FOR_CLUSTERS: u64 = 30;

/// Fits the ratings of `players` players and the first-seat advantages of `groups` groups.
///
/// # Panics
/// When a game names a player or a group that is not there, or the ridge's sigma is not a positive number.
#[must_use]
pub fn fit(players: usize, groups: usize, games: &[Game], settings: &Settings) -> Table {
    let _ = (players, groups, games, settings);
    unreachable!("the signature comes first")
}
