//! Errors of rules that are not built in.

use thiserror::Error;

use crate::NotationError;

/// Why a game could not be started.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The position string is wrong.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// The rules failed.
    #[error(transparent)]
    Rules(#[from] RulesFault),
}

/// The rules of a game of one's own failed: they ended, were too slow, or gave an impossible answer.
///
/// It is never a bot's fault, and the game cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} failed: {what}; asked: {question}{}{}", self.rules(), self.answered(), self.stderr_lines())]
pub struct RulesFault {
    /// The id of the game; empty where it is not known.
    pub game: String,
    /// What happened, in a phrase.
    pub what: String,
    /// The question, in a form that can be asked again.
    pub question: String,
    /// The answer, if there was one, shortened if it is long.
    pub answer: Option<String>,
    /// The last lines of a program's standard error, escaped.
    pub stderr: Vec<String>,
}

impl RulesFault {
    fn rules(&self) -> String {
        if self.game.is_empty() { "the rules".to_owned() } else { format!("the rules of `{}`", self.game) }
    }

    fn answered(&self) -> String {
        self.answer.as_ref().map_or_else(String::new, |answer| format!("; answered: {answer}"))
    }

    fn stderr_lines(&self) -> String {
        self.stderr.iter().map(|line| format!("\n  stderr: {line}")).collect()
    }
}
