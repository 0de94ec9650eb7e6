//! What a schedule by results is to find out.

use std::fmt;
use std::ops::RangeInclusive;

use super::words::word_enum;
use crate::{Complaint, Reading};

/// The chance of a false verdict, if nothing else is said.
const LEVEL: f64 = 0.05;
/// What it may be.
const LEVELS: RangeInclusive<f64> = 0.000_001..=0.5;

word_enum! {
    /// What a schedule by results is to find out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Goal {
        /// The order of all bots.
        Rank = "rank",
        /// The best bot.
        Best = "best",
    }
}

/// A schedule that follows the results until its goal is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// What is to be found out.
    pub goal: Goal,
    /// How often the verdict may be false.
    pub alpha: f64,
}

impl Schedule {
    /// The text for no such schedule.
    pub const NONE: &str = "round-robin";

    /// A regular expression of all texts that [`Schedule::read`] reads, and of some more.
    pub(crate) const PATTERN: &str = "round-robin|(rank|best)(:[0-9.eE+-]+)?";

    /// Reads how meetings are chosen; `None` is the round robin.
    ///
    /// # Errors
    /// When the text says neither.
    pub fn read(text: &str) -> Reading<Option<Self>> {
        let hint = "allowed: `round-robin`, `rank` (until the order is settled), `best` (until the best bot is), these two \
                    with the chance of a false verdict: `rank:0.01`";
        if text == Self::NONE {
            return Ok(None);
        }
        let (goal, alpha) = text.split_once(':').map_or((text, None), |(goal, alpha)| (goal, Some(alpha)));
        let goal: Goal = goal.parse().map_err(|_| Complaint::not(text, hint))?;
        match alpha.map_or(Some(LEVEL), |alpha| alpha.parse().ok()) {
            Some(alpha) if LEVELS.contains(&alpha) => Ok(Some(Self { goal, alpha })),
            _ => {
                let (least, most) = (LEVELS.start(), LEVELS.end());
                let Complaint { predicate, hint } =
                    Complaint::not(text, format!("for example `{goal}:{LEVEL}`"));
                let wanted = format!("the chance of a false verdict is a number from {least} to {most}");
                Err(Complaint { predicate: format!("{predicate}: {wanted}"), hint })
            }
        }
    }

    /// Writes what [`Schedule::read`] reads.
    #[must_use]
    pub fn write(schedule: Option<&Self>) -> String {
        schedule.map_or_else(|| Self::NONE.to_owned(), Self::to_string)
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.goal, self.alpha)
    }
}
