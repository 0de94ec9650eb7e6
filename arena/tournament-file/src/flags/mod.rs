//! What the command line says: instead of a tournament file, or without one.

pub mod game_options;
pub(crate) mod lone_bot;
pub(crate) mod names;
pub(crate) mod overrides;
pub(crate) mod shard;
pub(crate) mod typed;
pub(crate) mod words;
