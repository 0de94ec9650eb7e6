//! The sequential test: against exact figures, against simulations made elsewhere, and its laws.

mod exact;
mod laws;
mod points;
mod simulated;
mod truth;
mod walks;
