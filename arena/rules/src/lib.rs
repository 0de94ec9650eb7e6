//! The rules engine: what a position is, which plies are legal, when a game is over and who won.
//!
//! Two faces of the same rules: [`Position`] is static and typed, for search and perft; [`Referee`] is
//! object-safe and speaks text, for the match loop. [`Table`] adapts the first to the second and adds the
//! history that repetition needs. [`GAMES`] is the one list of games.
//!
//! This crate is pure: no files, clock, environment, randomness or printing.

mod games;
mod notation;
mod options;
mod position;
mod referee;
mod seat;
mod tree;
mod verdict;

pub use games::fanorona::{Fanorona, FanoronaOptions, FanoronaPly};
pub use games::farook::{Farook, FarookOptions, FarookPly, Wilds};
pub use games::faust::{
    Block as FaustBlock, Colour as FaustColour, Faust, FaustOptions, FaustPly, Perimeter as FaustPerimeter,
};
pub use games::frenzy::Frenzy;
pub use games::school::ply::{SchoolOptions, SchoolPly};
pub use games::sophia::{BothLines, Directions, DropSide, Side, Sophia, SophiaOptions, SophiaPly};
pub use games::two_frenzy::TwoFrenzy;
pub use games::{GAMES, Game, Setup, UnknownGame, Visitor, find};
pub use notation::clicks::{Click, clicks};
pub use notation::symmetry::{BoardMap, Diagram, canonical, cell_keys};
pub use notation::{Board, Cell, Fields, NotationError};
pub use options::{Given, OptionError, OptionSpec, Options, Values, nearest};
pub use position::{Position, Rejection, Turn};
pub use referee::{Referee, Table};
pub use seat::Seat;
pub use tree::benchmark::{TASKS, Task, benchmark_playouts, benchmark_signature, fastest};
pub use tree::line::longest_line;
pub use tree::perft::{Effort, divide, divide_with, perft, perft_with};
pub use tree::playout::{Dice, Playouts, playouts};
pub use tree::signature::signature;
pub use verdict::proof::{End, Proof, Shape};
pub use verdict::{Outcome, Reason, Verdict};
