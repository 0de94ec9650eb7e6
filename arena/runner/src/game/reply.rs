//! What comes of a question: an answer with what its bot said before, or none.

use std::time::Duration;

use protocol::{AnswerError, BestMove, Info, ScoreValue, printable_capped};
use record::InfoRecord;
use rules::Seat;
use tokio::time::Instant;

use crate::game::announcements::Announcement;
use crate::player::link::Break;
use crate::player::trouble::TimedTrouble;

/// What a question came to.
#[derive(Debug)]
pub(crate) enum Reply {
    /// An answer.
    Answer(Answer),
    /// None before the clock had run out, margin included.
    Late,
    /// None within this limit of real time, though the clock, which counts processor time, has not run out.
    Idle {
        /// The limit.
        limit: Duration,
        /// The processor time that was used.
        spent: Duration,
    },
    /// The asked bot did not come to rest before.
    Failed(TimedTrouble),
    /// The link to one of the bots broke before that.
    Broken {
        /// Whose.
        seat: Seat,
        /// Why.
        why: Break,
        /// When.
        at: Instant,
        /// The answer that had come by then from the other one, which was asked.
        answer: Option<Answer>,
    },
}

/// What a bot answered.
#[derive(Debug)]
pub(crate) struct Answer {
    /// What it decided.
    pub(crate) said: Result<BestMove, AnswerError>,
    /// What it said last before that.
    pub(crate) info: Option<InfoRecord>,
    /// What it claimed last before that.
    pub(crate) announcement: Announcement,
    /// How long it took.
    pub(crate) spent: Duration,
    /// When it was read.
    pub(crate) at: Instant,
}

/// Keeps the last line that says what the position is worth, the last count of nodes, and at most `info_string` characters of
/// the last words.
pub(crate) fn keep(kept: &mut Option<InfoRecord>, line: &Info, info_string: u32) {
    if line.depth.is_some() || line.score.is_some() {
        let value = line.score.map(|score| score.value);
        let text = kept.take().and_then(|kept| kept.text);
        *kept = Some(InfoRecord {
            depth: line.depth,
            cp: value.and_then(|value| match value {
                ScoreValue::Centipawns(cp) => Some(cp),
                ScoreValue::Mate(_) => None,
            }),
            mate: value.and_then(|value| match value {
                ScoreValue::Mate(turns) => Some(turns),
                ScoreValue::Centipawns(_) => None,
            }),
            nodes: line.nodes,
            text,
        });
    } else if line.nodes.is_some() {
        kept.get_or_insert_default().nodes = line.nodes;
    }
    if let Some(text) = line.text.as_deref().filter(|_| info_string > 0) {
        kept.get_or_insert_default().text = Some(printable_capped(text, info_string as usize));
    }
}
