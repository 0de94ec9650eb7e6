//! The settings of a fit.

/// The settings of a fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitSettings {
    /// What to do if the data determine no finite ratings.
    pub prior: Prior,
    /// The player whose rating is fixed. If it is `None` or a player without a rating, the mean of all players is zero, or that
    /// of the main component if the results do not connect all players.
    pub anchor: Option<Anchor>,
    /// Whether to estimate the first-seat advantage (recommended) or to assume zero.
    pub advantage: bool,
    /// How the errors are estimated.
    pub errors: Errors,
}

/// What keeps ratings finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prior {
    /// No prior. Components are rated separately, each from its own mean, and figures that do not exist are absent. Games
    /// between components give bounds only.
    None,
    /// A normal prior shrinks every rating to the mean, and every figure is marked.
    Ridge {
        /// The prior's standard deviation in Elo.
        sigma: f64,
    },
    /// The plain fit if it exists. Otherwise each component is fitted plainly and a prior determines only its distance from the
    /// main one ([`crate::Method::Linked`]). If no two players are connected, or if the results do not separate strength from
    /// the advantage of a seat, it is the ridge with [`RIDGE_SIGMA`].
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

/// The requested estimate of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// [`ErrorKind::Clusters`](crate::ErrorKind::Clusters), or the inverse Hessian if every figure is regularized, because the
    /// sandwich does not see what the prior hides.
    Auto,
    /// The plain sandwich, clustered by colour-swapped pairs.
    PerPair,
    /// The plain sandwich, clustered by games.
    PerGame,
    /// The inverse Hessian.
    Hessian,
    /// The spread of many fits in which every cluster has a random weight.
    Bootstrap {
        /// The number of fits.
        fits: u32,
        /// The seed of the weights.
        seed: u64,
    },
}

/// The standard deviation of the prior that [`Prior::Auto`] uses, in Elo.
pub const RIDGE_SIGMA: f64 = 200.0;

impl Default for FitSettings {
    /// Returns the settings of the published table: plain if possible, with first-seat advantage, relative to the main
    /// component's mean.
    fn default() -> Self {
        Self { prior: Prior::Auto, anchor: None, advantage: true, errors: Errors::Auto }
    }
}
