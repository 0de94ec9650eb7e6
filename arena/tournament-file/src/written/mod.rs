//! What was written: a text with its keys and places, and all that is wrong with it.

pub(crate) mod compact;
pub(crate) mod faults;
pub(crate) mod raw;
pub(crate) mod read;
pub(crate) mod schema;
pub(crate) mod source;
