//! What the examination of a game's rules found out.

use std::time::Duration;

use crate::game_check::interview::Pace;
use crate::{LineCounts, PlaySummary, TestReport, TestVerdict};

/// What came of all tests of a game's rules.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The name of the rules and their version, as they say.
    pub name: Option<String>,
    /// The version, as they say.
    pub version: Option<String>,
    /// What came of each test, in order. The clause of each is a section of `protocol-spec/own-games.md`.
    pub tests: Vec<TestReport>,
    /// Why the examination ended before its last test, if it did.
    pub stopped: Option<String>,
    /// What the random games were like, for each game and its options.
    pub play: Vec<PlaySummary>,
    /// Counts of lines, for each game with its defaults.
    pub lines: Vec<LineCounts>,
    /// How fast the rules answer.
    pub pace: QuestionPace,
}

/// How fast questions are answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionPace {
    /// How many were asked.
    pub questions: u64,
    /// The processor time of the rules that one took on average; the time until the answer where the system does not tell.
    pub average: Duration,
    /// The same of the one that took most.
    pub slowest: Duration,
    /// How long the answer took to come on average, which depends on what else the machine was doing.
    pub waited: Duration,
    /// Whether the processor time is known.
    pub is_processor_time: bool,
    /// The longest answer, in bytes.
    pub longest_answer: usize,
}

impl QuestionPace {
    pub(super) fn of(pace: &Pace) -> Self {
        let count = u32::try_from(pace.questions).unwrap_or(u32::MAX);
        let average = |sum: Duration| sum.checked_div(count).unwrap_or_default();
        Self {
            questions: pace.questions,
            average: average(pace.spent),
            slowest: pace.slowest,
            waited: average(pace.waited),
            is_processor_time: pace.measured == pace.questions,
            longest_answer: pace.longest_answer,
        }
    }
}

impl GameReport {
    /// Returns whether the rules conform: whatever they must do, they do, as far as that was tested.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.stopped.is_none() && self.count(TestReport::is_failure) == 0
    }

    /// Returns how many tests are of a kind.
    pub fn count(&self, is_meant: impl Fn(&TestReport) -> bool) -> usize {
        self.tests.iter().filter(|test| is_meant(test)).count()
    }

    /// Returns the verdict on the test of this number.
    #[must_use]
    pub fn verdict(&self, number: u8) -> Option<&TestVerdict> {
        self.tests.iter().find(|test| test.number == number).map(|test| &test.verdict)
    }
}
