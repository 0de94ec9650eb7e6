//! What was written: a text with its keys and places, and all that is wrong with it.

pub(crate) mod argument;
pub(crate) mod compact;
pub(crate) mod errors;
pub(crate) mod path;
pub(crate) mod raw;
pub(crate) mod read;
pub(crate) mod schema;
pub(crate) mod source;
pub(crate) mod syntax;
pub(crate) mod unknown_key;
pub(crate) mod wrong_kind;
