//! The arena's side of the conversation with one bot, without I/O and without a clock.
//!
//! A [`Dialogue`] provides the text to send and reads the lines that come back. It alone decides which lines answer a question,
//! which are stale and which are log output. The caller decides when a wait is over and what silence means.

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
