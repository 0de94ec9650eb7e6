//! The rules engine: what a position is, which plies are legal, when a game is over and who won.
//!
//! Two faces of the same rules: [`Position`] is static and typed, for search and perft; [`Referee`] is
//! object-safe and speaks text, for the match loop. [`Table`] adapts the first to the second and adds the
//! history that repetition needs. [`GAMES`] is the one list of games.
//!
//! This crate is pure: no files, clock, environment, randomness or printing.

mod benchmark;
mod clicks;
mod fanorona;
mod farook;
mod faust;
mod frenzy;
mod games;
mod line;
mod notation;
mod options;
mod perft;
mod playout;
mod position;
mod proof;
mod referee;
mod school;
mod school_ply;
mod seat;
mod signature;
mod sophia;
mod spelling;
mod symmetry;
mod two_frenzy;
mod verdict;

pub use benchmark::{TASKS, Task, benchmark_playouts, benchmark_signature, fastest};
pub use clicks::{Click, clicks};
pub use fanorona::{Fanorona, FanoronaOptions, FanoronaPly};
pub use farook::{Farook, FarookOptions, FarookPly, Wilds};
pub use faust::{
    Block as FaustBlock, Colour as FaustColour, Faust, FaustOptions, FaustPly, Perimeter as FaustPerimeter,
};
pub use frenzy::Frenzy;
pub use games::{GAMES, Game, Setup, UnknownGame, Visitor, find};
pub use line::longest_line;
pub use notation::{Board, Cell, Fields, NotationError};
pub use options::{Given, OptionError, OptionSpec, Options, Values, nearest};
pub use perft::{Effort, divide, divide_with, perft, perft_with};
pub use playout::{Dice, Playouts, playouts};
pub use position::{Position, Rejection, Turn};
pub use proof::{End, Proof, Shape};
pub use referee::{Referee, Table};
pub use school_ply::{SchoolOptions, SchoolPly};
pub use seat::Seat;
pub use signature::signature;
pub use sophia::{BothLines, Directions, DropSide, Side, Sophia, SophiaOptions, SophiaPly};
pub use symmetry::{BoardMap, Diagram, canonical, cell_keys};
pub use two_frenzy::TwoFrenzy;
pub use verdict::{Outcome, Reason, Verdict};
