//! What workers have played or tried that counts nowhere.

use crate::{GameRecord, GameSummary};

/// Why nothing of an attempt at a pair counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uncounted {
    /// Its result came when the run had stopped, for example by the verdict of a test.
    Late,
    /// Another attempt at the pair had been counted before.
    Duplicate,
    /// It failed, stood still, or what the worker reported of it did not hold.
    Failed,
}

impl Uncounted {
    const WORDS: [(Self, &'static str); 3] =
        [(Self::Late, "late"), (Self::Duplicate, "duplicate"), (Self::Failed, "failed")];

    /// Returns the word for it in the journal ([`crate::WorkerRecord::uncounted`]).
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Late => Self::WORDS[0].1,
            Self::Duplicate => Self::WORDS[1].1,
            Self::Failed => Self::WORDS[2].1,
        }
    }

    /// Returns what a word of the journal means; `None` for the word of a newer version.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(cause, _)| *cause)
    }
}

/// A game of an attempt that counts nowhere, without its plies.
#[derive(Clone, Debug, PartialEq)]
pub struct UncountedGame {
    /// The game, with the worker. Of an attempt that failed it is the first game of the pair, without plies.
    pub game: GameSummary<'static>,
    /// Why it counts nowhere; `None` where a newer version has another reason.
    pub cause: Option<Uncounted>,
    /// What happened, in words; empty where the cause says it all.
    pub detail: String,
    /// Why the worker got no further pairs from then on, where that is so.
    pub set_aside: Option<String>,
}

/// What a void line of the journal is about.
#[derive(Clone, Debug)]
pub(crate) enum VoidSummary {
    /// A game that was void, and played again.
    Replayed(GameSummary<'static>),
    /// A game of an attempt that counts nowhere.
    Uncounted(UncountedGame),
}

impl VoidSummary {
    /// Sorts a void game, of which this is the summary.
    pub(super) fn of(record: &GameRecord, game: GameSummary<'static>) -> Self {
        let worker = record.worker.as_ref();
        match worker.and_then(|worker| Some((worker, worker.uncounted.as_ref()?))) {
            None => Self::Replayed(game),
            Some((worker, word)) => Self::Uncounted(UncountedGame {
                game,
                cause: Uncounted::named(word),
                detail: record.detail.clone().unwrap_or_default(),
                set_aside: worker.set_aside.clone(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for (cause, word) in Uncounted::WORDS {
            assert_eq!((cause.word(), Uncounted::named(word)), (word, Some(cause)));
        }
        assert_eq!(Uncounted::named("of a newer version"), None);
    }
}
