//! Every line of the grammar as a type: how it is read and how it is written.
//!
//! Writers put tokens in the order of the grammar and never let a text break a line. Readers accept pairs in any order, and
//! skip pairs and trailing tokens that they do not know. `parse(display(message))` returns the same message with its texts
//! normalised.

mod after;
mod answer;
mod arena;
mod bot;
mod game;
mod go;
mod info;
mod notice;
mod option;
mod plays;
mod position;
mod text;

pub use after::After;
pub use answer::{AnswerError, BestMove, Choice};
pub use arena::{ArenaData, ArenaMessage, Query, SetOption};
pub use bot::{BotMessage, IdField, Reject};
pub use game::GameSetup;
pub use go::{Go, GoLimits, SeatClock};
pub use info::{Bound, Info, Score, ScoreValue};
pub use notice::{ErrorNotice, GameEnd, OutNotice, Played};
pub use option::{OptionDeclaration, OptionKind};
pub use plays::{Constraint, GameSpec};
pub use position::{PositionMessage, Start};

pub(crate) use go::ClockNames;
pub(crate) use text::one_line;
