//! The arena's side of the conversation with one bot, without I/O and without a clock.
//!
//! A [`Dialogue`] gives the text to send and takes the lines that come back; which of them answer a question,
//! which are stale and which are only log is decided here and nowhere else. When a wait is over, and what a
//! silence means, is for the caller to say.

mod ask;
mod event;
mod handshake;
mod identity;
mod machine;
mod profile;
mod settings;

pub use ask::Ask;
pub use event::{Event, State};
pub use identity::{Ability, Identity, Want};
pub use machine::Dialogue;
pub use profile::{ClockWords, Family, PositionKeyword, Profile, UnknownWord};
pub use settings::SetOptionError;
