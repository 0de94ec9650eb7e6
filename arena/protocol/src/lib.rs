//! ABP/1, the line protocol between the arena and a bot: typed messages, a bounded parser, dialogues
//! without I/O.
//!
//! The crate has both sides. The arena writes [`ArenaMessage`]s and reads [`BotMessage`]s through a [`Dialogue`]; a bot reads
//! [`ArenaMessage`]s through a [`RequestReader`] and writes [`BotMessage`]s. A [`LineBuffer`] splits bytes into lines, and
//! [`printable`] escapes text from a bot.
//!
//! The crate is pure: it reads no clock, file or environment, and prints nothing. A bot's misbehaviour is a value here, never a
//! panic, and everything kept of a bot's output has a bound.

mod advice;
mod dialogue;
mod error;
mod escape;
mod flush;
mod lexical;
mod limits;
mod line;
mod message;
mod meter;
mod moves;
mod request_reader;
mod seat;
mod shell;

pub use advice::{advise, advise_limits};
pub use dialogue::{
    Ability, Ask, ClockWords, Dialogue, Event, Family, Identity, PositionKeyword, Profile, SetOptionError,
    State, UnknownWord, Want,
};
pub use error::LineError;
pub use escape::{last_lines, printable, printable_capped};
pub use flush::flush_advice;
pub use lexical::pair::{Pair, Pairs};
pub use lexical::ply_token::{NotAPly, PlyToken, is_ply_token};
pub use lexical::words::normalise;
pub use limits::{
    MAX_ARENA_LINE, MAX_BOT_LINE, MAX_HANDSHAKE_BYTES, MAX_HANDSHAKE_LINES, MAX_IDENTITY_CHARS,
    MAX_LINES_PER_PLY, MAX_OUTPUT_PER_PLY, MAX_PLY, PROTOCOL, Timeouts,
};
pub use line::{Line, LineBuffer, LineFault};
pub use message::{
    After, AnswerError, ArenaData, ArenaMessage, BestMove, BotMessage, Bound, Choice, Constraint,
    ErrorNotice, GameEnd, GameSetup, GameSpec, Go, GoLimits, IdField, Info, OptionDeclaration, OptionKind,
    OutNotice, Played, PositionMessage, Query, Reject, Score, ScoreValue, SeatClock, SetOption, Start,
};
pub use meter::{Excess, OutputMeter};
pub use moves::Moves;
pub use request_reader::{Question, Request, RequestReader};
pub use seat::{AnnouncedResult, SeatNumber, UnknownResult, UnknownSeat};
pub use shell::shell_word;
