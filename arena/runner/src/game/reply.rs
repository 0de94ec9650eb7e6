//! The result of a question: an answer with the bot's last report, or none.

use std::time::Duration;

use protocol::{AnswerError, BestMove, Info, ScoreValue, printable_capped};
use record::InfoRecord;
use rules::{RulesFault, Seat};
use tokio::time::Instant;

use crate::game::announcements::Announcement;
use crate::player::link::Break;
use crate::player::trouble::TimedTrouble;

/// The result of a question.
#[derive(Debug)]
pub(crate) enum Reply {
    /// An answer.
    Answer(Answer),
    /// No answer before the clock ran out, including the margin.
    Late,
    /// No answer within this limit of real time, although the clock, which counts processor time, has not run out.
    Idle {
        /// The limit.
        limit: Duration,
        /// The processor time used.
        spent: Duration,
    },
    /// The asked bot did not finish pondering.
    Failed(TimedTrouble),
    /// The link to one of the bots broke first.
    Broken {
        /// The seat.
        seat: Seat,
        /// The cause.
        why: Break,
        /// The instant.
        at: Instant,
        /// The answer that the other bot, which was asked, had given by then.
        answer: Option<Answer>,
    },
    /// The rules of the game failed before the question was put.
    Rules(Box<RulesFault>),
}

/// The answer of a bot.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The decision.
    pub(crate) said: Result<BestMove, AnswerError>,
    /// The last report before it.
    pub(crate) info: Option<InfoRecord>,
    /// The last claim before it.
    pub(crate) announcement: Announcement,
    /// The time it took.
    pub(crate) spent: Duration,
    /// The instant at which it was read.
    pub(crate) at: Instant,
}

/// Keeps the last line with a score, the last count of nodes, and at most `info_string` characters of the last text.
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
