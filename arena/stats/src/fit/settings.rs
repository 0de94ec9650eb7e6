//! How a table is fitted: what is asked of it.

/// How a table is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitSettings {
    /// What happens when the data hold no finite answer.
    pub prior: Prior,
    /// The player whose rating is given; `None`, or a player without a rating, centres the ratings on the mean
    /// of all players, or where these are not tied together of those of the main component.
    pub anchor: Option<Anchor>,
    /// Whether the first-seat advantage is estimated (it should be) or taken as zero.
    pub advantage: bool,
    /// Where the errors come from.
    pub errors: Errors,
}

/// What keeps ratings finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prior {
    /// Nothing: components are rated separately, each from its own mean, and figures that do not exist are
    /// absent. Games between components give bounds only.
    None,
    /// Every rating is drawn to the mean by a normal prior, and every figure is marked.
    Ridge {
        /// The prior's standard deviation in Elo.
        sigma: f64,
    },
    /// The plain fit where it exists. Otherwise each component is fitted plainly and only its distance from the main one
    /// is held by a prior ([`crate::Method::Linked`]); and where no two players are tied together, or where the results do not
    /// tell strength from the advantage of a seat, the ridge with [`RIDGE_SIGMA`].
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
    /// [`ErrorKind::Clusters`](crate::ErrorKind::Clusters); the inverse Hessian when every figure is regularised, since
    /// the sandwich knows nothing of what the prior hides.
    Auto,
    /// The plain sandwich by colour-swapped pairs.
    PerPair,
    /// The plain sandwich by games.
    PerGame,
    /// The inverse Hessian.
    Hessian,
    /// This number of fits in which every cluster has a random weight.
    Bootstrap {
        /// The number of fits.
        fits: u32,
        /// The seed of the weights.
        seed: u64,
    },
}

/// The standard deviation of the prior that [`Prior::Auto`] falls back on, in Elo.
pub const RIDGE_SIGMA: f64 = 200.0;

impl Default for FitSettings {
    /// The published table: plain where the results allow it, with first-seat advantage, about the main component's mean.
    fn default() -> Self {
        Self { prior: Prior::Auto, anchor: None, advantage: true, errors: Errors::Auto }
    }
}
