//! What a line of a bot means when it arrives.

use crate::{AnswerError, BestMove, ErrorNotice, Info, LineError, Reject};

/// What a line of a bot means. A misbehaviour is a value like any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Log output, an empty line, a comment, or an `info` line while no question is open.
    Log,
    /// A line of the handshake, added to the identity.
    Declared,
    /// The handshake is complete: see [`super::Dialogue::identity`].
    HelloDone,
    /// The awaited `readyok`.
    Ready,
    /// The bot cannot play this game.
    Rejected(Reject),
    /// The state of the search for the open question.
    Info(Info),
    /// The answer to the open question, which is closed now.
    Answer(BestMove),
    /// An answer that names no ply: `bad-move`. The question is closed now.
    BadAnswer(AnswerError),
    /// The answer to a `query`.
    Response(String),
    /// The bot reports an error.
    Complaint(ErrorNotice),
    /// A late line, which is dropped: an answer without an open question, an answer before an awaited `readyok`, or a `readyok`
    /// that is followed by another awaited one.
    Stale,
    /// A line of the protocol that means nothing at this moment, or that exceeds a bound. It is dropped.
    Unexpected,
    /// A malformed line of the protocol. It is dropped.
    Malformed(LineError),
}

/// The state of a dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing was sent.
    Start,
    /// The greeting was sent; the end of the handshake is awaited.
    Handshake,
    /// No answer is awaited.
    Idle,
    /// A game was set up, `readyok` is awaited.
    SetUp,
    /// A question is open.
    Thinking,
    /// Everything before `readyok` is dropped.
    Resync,
}
