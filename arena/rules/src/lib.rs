//! The rules engine: positions, legal plies, when a game is over and who won.
//!
//! The rules have two interfaces. [`Position`] is static and typed, for search and perft. [`Referee`] is object-safe and uses
//! text, for the match loop. [`RefereedPosition`] adapts the first to the second and adds the history that repetition needs.
//! [`GAMES`] is the only list of built-in games; a [`Catalogue`] also contains games of one's own.
//!
//! This crate is pure: no files, clock, environment, randomness or printing.
//!
//! ```
//! use rules::{Seat, find};
//!
//! let setup = find("farook")?.setup(&[("max-moves", "2")])?;
//! let mut game = setup.referee(None)?;
//! assert_eq!((game.seat(), game.legal().len()), (Seat::P1, 16));
//! game.submit("a1")?;
//! assert!(game.submit("a1").is_err(), "the cell is not empty");
//! game.submit("b2")?;
//! assert_eq!(game.outcome().map(|verdict| verdict.outcome), Some(rules::Outcome::Draw));
//!
//! // The same position, typed: `Setup::visit` leads there, and `Setup::perft` counts.
//! assert_eq!(find("fanorona")?.setup(&[("size", "3x3")])?.perft(None, 3)?, 14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dice;
mod fnv;
mod games;
mod look;
mod notation;
mod options;
mod own;
mod position;
mod referee;
mod rules_fault;
mod seat;
mod tree;
mod verdict;

pub use dice::Dice;
pub use fnv::{Fnv64, Fnv128};
pub use games::catalogue::{Catalogue, GameRef, IdTaken, UnknownGame, find};
pub use games::fanorona::{Fanorona, FanoronaOptions, FanoronaPly};
pub use games::farook::{Farook, FarookOptions, FarookPly, Wilds};
pub use games::faust::{
    Block as FaustBlock, Colour as FaustColour, Faust, FaustOptions, FaustPly, Perimeter as FaustPerimeter,
};
pub use games::frenzy::Frenzy;
pub use games::frenzy_table::{FourFrenzy, FrenzyTable, ThreeFrenzy};
pub use games::school::ply::{SchoolOptions, SchoolPly};
pub use games::sophia::{BothLines, Directions, DropSide, Side, Sophia, SophiaOptions, SophiaPly};
pub use games::two_frenzy::TwoFrenzy;
pub use games::two_frenzy::options::{PLAYERS_OPTION, TwoFrenzyOptions};
pub use games::{GAMES, Game, Setup, Visitor};
pub use look::piece::{PieceColour, PieceLook, PieceOwner, PieceShape};
pub use look::placement::{InHand, Placement, PositionView};
pub use look::{
    BoardExtent, BoardGround, BoardKind, BoardLines, BoardTheme, GameLook, HandLook, HandPart, PieceSource,
    PlyEntry, PlyKind,
};
pub use notation::clicks::{Click, clicks};
pub use notation::prompt::{prompt, refusal};
pub use notation::symmetry::{BoardMap, Diagram, canonical, cell_keys};
pub use notation::{Board, Cell, Fields, NotationError};
pub use options::{Given, OptionError, OptionSpec, Options, Values, nearest};
pub use own::{OptionPairs, OwnRules, RulesSource};
pub use position::{Position, Rejection, Turn};
pub use referee::{Referee, RefereedPosition, Successors, refuse_fault};
pub use rules_fault::{RulesFault, StartError};
pub use seat::Seat;
pub use seat::per_seat::PerSeat;
pub use seat::places::{BadPlaces, Places};
pub use tree::benchmark::{
    BENCH_POSITIONS, BenchPosition, TABLE_BENCH_POSITIONS, bench_positions, benchmark_playouts,
    benchmark_signature, fastest,
};
pub use tree::line::longest_line;
pub use tree::perft::{PerftResources, divide, divide_with, perft, perft_with};
pub use tree::playout::{Playouts, playouts};
pub use tree::signature::{signature, table_signature};
pub use verdict::proof::{End, Proof, ProofShape};
pub use verdict::{BadReason, Outcome, OwnReason, Reason, SeatOut, Verdict};
