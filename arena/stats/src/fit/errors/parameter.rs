//! The parameters of a fit, and how often its intervals may miss the truth.

/// The probability that a 95 % interval misses the truth.
pub(crate) const LEVEL95: f64 = 0.05;

/// A parameter of the fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// The rating of a player.
    Rating(usize),
    /// The advantage of the first seat in a group: over the second at tables of two seats, otherwise over the mean of all
    /// seats.
    Advantage(usize),
    /// The advantage of a seat, from 0, over the mean of all seats of a group.
    Seat(usize, usize),
}
