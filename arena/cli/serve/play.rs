//! Games that are played by hand in a browser: [`hand_play::Game`] at tables that the server keeps. Whoever knows the token
//! begins games and plays them; the bots are the built-in ones and those of `--bot`, never what a browser names.

mod hall;
mod keeper;
mod order;
mod picture;
mod place;
mod roster;
mod routes;
mod saved;
mod shelf;
mod table;
mod trail;
mod wish;

pub(super) use hall::Hall;
pub(super) use roster::Roster;
