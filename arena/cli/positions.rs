//! Positions: games, openings and counts, without a bot.

pub(crate) mod game_arguments;
pub(crate) mod games;
pub(crate) mod openings;
pub(crate) mod perft;
pub(crate) mod position;
pub(crate) mod rules_server;
