//! The bots that come with the arena, one file each.

mod alphabeta;
mod greedy;
mod mcts;
mod random;

pub use alphabeta::AlphaBeta;
pub use greedy::Greedy;
pub use mcts::Mcts;
pub use random::Random;
