//! What a bot in Rust needs to play any game of the arena: the main loop, time management, a search and
//! evaluations.
//!
//! A bot is a [`Bot`]; [`serve()`] runs it on a pair of pipes. [`BUILTINS`] are the bots that come with the
//! arena, run by `arena bot NAME`.
//!
//! ```
//! use kit::{Bot, Decision, GamePosition, Player, serve};
//! use protocol::Info;
//!
//! /// A bot that plays the first legal ply.
//! struct First;
//!
//! impl Bot for First {
//!     fn name(&self) -> &'static str {
//!         "first"
//!     }
//!
//!     fn abilities(&self) -> &'static [&'static str] {
//!         &[]
//!     }
//!
//!     fn sit_down<P: GamePosition>(&self, _seed: u64) -> Box<dyn Player<P>> {
//!         Box::new(First)
//!     }
//! }
//!
//! impl<P: GamePosition> Player<P> for First {
//!     fn choose(&mut self, decision: &Decision<'_, P>, _say: &mut dyn FnMut(Info)) -> P::Ply {
//!         let mut plies = Vec::new();
//!         decision.position.legal_plies(&mut |ply| plies.push(ply));
//!         plies.swap_remove(0)
//!     }
//! }
//!
//! let lines = "game faust size=2 you=p1\nuginewgame\nisready\nposition startpos\ngo movetime 100\nquit\n";
//! let mut answers = Vec::new();
//! serve(First, lines.as_bytes(), &mut answers)?;
//! let answers = String::from_utf8(answers).expect("answers are text");
//! assert!(answers.starts_with("readyok\nbestmove "), "{answers}");
//! # Ok::<(), std::io::Error>(())
//! ```

mod bot;
mod bots;
mod builtin;
mod evaluation;
mod game;
mod game_position;
mod max_n;
mod output;
mod reader;
mod search;
mod serve;
mod stop_flag;
mod time;
mod transposition_table;

pub use bot::{Bot, Decision, Player, Thinking};
pub use bots::{AlphaBeta, Greedy, Mcts, Random};
pub use builtin::{BUILTINS, Builtin, builtin};
pub use evaluation::evaluate;
pub use game_position::GamePosition;
pub use search::{Iteration, MAX_DEPTH, Search, SearchLimits, WIN, WIN_IN_SIGHT};
pub use serve::{OwnGames, serve};
pub use stop_flag::StopFlag;
