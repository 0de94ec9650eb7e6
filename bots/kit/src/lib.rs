//! What a bot in Rust needs to play any game of the arena: the main loop, time management, a search and
//! evaluations.
//!
//! A bot is a [`Bot`]; [`serve()`] runs it on a pair of pipes. [`BUILTINS`] are the bots that come with the
//! arena, run by `arena bot NAME`.

mod alphabeta;
mod bot;
mod builtin;
mod evaluation;
mod game;
mod greedy;
mod output;
mod random;
mod reader;
mod search;
mod serve;
mod stop;
mod table;
mod time;

pub use alphabeta::AlphaBeta;
pub use bot::{Bot, Decision, Player, Thinking};
pub use builtin::{BUILTINS, Builtin, builtin};
pub use evaluation::evaluate;
pub use greedy::Greedy;
pub use random::Random;
pub use search::{Limits, MAX_DEPTH, Report, Search, WIN, WIN_IN_SIGHT};
pub use serve::serve;
pub use stop::Stop;
