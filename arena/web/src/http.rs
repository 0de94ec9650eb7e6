//! What every answer passes: who may ask, how many are connected, and how bodies, pictures and words are sent. Nothing here
//! knows what is served.

pub(crate) mod answer;
pub(crate) mod cached;
pub(crate) mod connections;
pub(crate) mod exchange;
pub(crate) mod feed;
pub(crate) mod guard;
pub(crate) mod token_file;
