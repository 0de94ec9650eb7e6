//! `bestmove`: the answer to a question.

use std::fmt;

use thiserror::Error;

use crate::lexical::words::Words;
use crate::{Pair, Pairs, PlyToken, is_ply_token, printable_capped};

/// The most characters kept of a token that is not a ply.
const SHOWN: usize = 80;

/// `bestmove`: the bot's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The decision.
    pub choice: Choice,
    /// The reply that the bot expects and would ponder on.
    pub ponder: Option<PlyToken>,
    /// `id` and other pairs.
    pub pairs: Pairs,
}

/// A decision of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Plies to play in this order, never empty.
    Plies(Vec<PlyToken>),
    /// To resign.
    Resign,
}

/// Why a `bestmove` has no answer. Quoted text is already escaped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// Nothing follows the word.
    #[error("`bestmove` without a ply")]
    Missing,
    /// The text that follows does not have the form of a ply.
    #[error("`{found}` is not a ply")]
    NotAPly {
        /// The text found there.
        found: String,
    },
}

impl BestMove {
    /// Returns an answer of one ply.
    #[must_use]
    pub fn new(ply: PlyToken) -> Self {
        Self { choice: Choice::Plies(vec![ply]), ponder: None, pairs: Pairs::new() }
    }

    /// Returns an answer that resigns.
    #[must_use]
    pub const fn resign() -> Self {
        Self { choice: Choice::Resign, ponder: None, pairs: Pairs::new() }
    }

    /// Returns the plies; empty if the bot resigns.
    #[must_use]
    pub fn plies(&self) -> &[PlyToken] {
        match &self.choice {
            Choice::Plies(plies) => plies,
            Choice::Resign => &[],
        }
    }

    // A token may have the form of a ply and of a pair, such as `e8=q`: it is a ply.
    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, AnswerError> {
        let choice = match words.next() {
            None => return Err(AnswerError::Missing),
            Some("resign") => Choice::Resign,
            Some(word) => {
                let not_a_ply = |_| AnswerError::NotAPly { found: printable_capped(word, SHOWN) };
                let mut plies = vec![word.parse().map_err(not_a_ply)?];
                while let Some(ply) = words.peek().and_then(|word| word.parse().ok()) {
                    plies.push(ply);
                    words.next();
                }
                Choice::Plies(plies)
            }
        };
        let mut answer = Self { choice, ponder: None, pairs: Pairs::new() };
        while let Some(word) = words.next() {
            if word == "ponder" {
                answer.ponder = words.peek().and_then(|word| word.parse().ok());
                if answer.ponder.is_some() {
                    words.next();
                }
            } else if !is_ply_token(word)
                && let Some(pair) = Pair::parse(word)
            {
                answer.pairs.push(pair);
            }
        }
        Ok(answer)
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bestmove")?;
        match &self.choice {
            Choice::Plies(plies) => super::text::write_plies(f, plies)?,
            Choice::Resign => f.write_str(" resign")?,
        }
        if let Some(ponder) = &self.ponder {
            write!(f, " ponder {ponder}")?;
        }
        write!(f, "{}", self.pairs)
    }
}
