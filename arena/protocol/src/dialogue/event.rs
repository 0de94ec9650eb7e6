//! What a line of a bot means at the moment when it is read.

use crate::{AnswerError, BestMove, ErrorNotice, Info, LineError, Reject};

/// What a line of a bot means. A misbehaviour is a value like any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Log output, an empty line, a comment, or an `info` line while no question is open.
    Log,
    /// A line of the handshake, taken into the identity.
    Declared,
    /// The handshake is complete: see [`super::Dialogue::identity`].
    HelloDone,
    /// The awaited `readyok`.
    Ready,
    /// The bot cannot play the game that was set up.
    Rejected(Reject),
    /// The state of the search for the open question.
    Info(Info),
    /// The answer to the open question, which is closed now.
    Answer(BestMove),
    /// An answer that names no ply: `bad-move`. The question is closed now.
    BadAnswer(AnswerError),
    /// The answer to a `query`.
    Response(String),
    /// The bot complains.
    Complaint(ErrorNotice),
    /// An answer to no open question, or one that came before an awaited `readyok`, or a `readyok` after which
    /// another is still awaited: dropped.
    Stale,
    /// A line of the protocol at a moment when it means nothing, or beyond a bound: dropped.
    Unexpected,
    /// A line of the protocol that is written wrongly: dropped.
    Malformed(LineError),
}

/// Where a dialogue stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing was sent.
    Start,
    /// The hello was sent, its end is awaited.
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
