//! Games that are played by hand in a browser: [`hand_play::HandGame`] at tables that the server keeps. Anyone with the token
//! begins games and plays them; the bots are the built-in ones and those of `--bot`, never what a browser names.

mod board_history;
mod game_table;
mod offered_bots;
mod open_tables;
mod picture;
mod routes;
mod saved_table;
mod shared_table;
mod table_order;
mod table_request;
mod table_saver;
mod table_store;

pub(crate) use offered_bots::OfferedBots;
pub(crate) use open_tables::OpenTables;
