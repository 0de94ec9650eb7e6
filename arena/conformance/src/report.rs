//! What the suite found out.

use std::time::Duration;

use crate::{Cause, Fault, Rule};

/// What came of the whole suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteReport {
    /// The bot.
    pub subject: Subject,
    /// What came of each test that was run, in order.
    pub tests: Vec<TestReport>,
    /// Why the suite ended before its last test, if it did.
    pub stopped: Option<String>,
}

/// What is known of the bot, fit to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// Its name.
    pub name: Option<String>,
    /// The version of the protocol that is spoken with it; 0 is plain UGI.
    pub protocol: u32,
    /// The games it was tested in, with their options.
    pub games: Vec<String>,
}

/// What came of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestReport {
    /// The number of the test, that of [`crate::Test::number`].
    pub number: u8,
    /// The clause of the protocol, that of [`crate::Test::clause`].
    pub clause: &'static str,
    /// What a bot that passes does.
    pub title: &'static str,
    /// What the test may cost this bot: [`Rule::Must`] or [`Rule::Should`].
    pub rule: Rule,
    /// What came of it.
    pub verdict: TestVerdict,
    /// How long it took.
    pub took: Duration,
}

/// What a test can come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestVerdict {
    /// The bot does what it is to do. The text, if any, says what is worth knowing besides.
    Passed(Option<String>),
    /// It does not; one fault for each game at the most, never none.
    Failed(Vec<Fault>),
    /// It did not declare what the test is about; the text says what.
    Skipped(String),
}

/// A cause, and the tests that it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedCause {
    /// The cause.
    pub cause: Cause,
    /// The numbers of the tests, in the order in which they ran.
    pub tests: Vec<u8>,
    /// The fault that showed it first.
    pub first: Fault,
}

impl SuiteReport {
    /// Returns whether the bot conforms: whatever it must do, it does, as far as that was tested.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.stopped.is_none() && self.count(TestReport::is_failure) == 0
    }

    /// Returns what is behind the tests that failed, each cause once, the one that fails most tests first.
    #[must_use]
    pub fn causes(&self) -> Vec<SharedCause> {
        let mut causes: Vec<SharedCause> = Vec::new();
        for test in &self.tests {
            let TestVerdict::Failed(faults) = &test.verdict else { continue };
            for fault in faults {
                let Some(cause) = &fault.cause else { continue };
                let known = causes.iter_mut().find(|known| known.cause.is_same(cause));
                match known {
                    Some(known) if known.tests.contains(&test.number) => {}
                    Some(known) => known.tests.push(test.number),
                    None => causes.push(SharedCause {
                        cause: cause.clone(),
                        tests: vec![test.number],
                        first: fault.clone(),
                    }),
                }
            }
        }
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.tests.len()));
        causes
    }

    /// Returns how many tests are of a kind.
    pub fn count(&self, is_meant: impl Fn(&TestReport) -> bool) -> usize {
        self.tests.iter().filter(|test| is_meant(test)).count()
    }
}

impl TestReport {
    /// Returns whether the bot does not do what it must.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.rule == Rule::Must && matches!(self.verdict, TestVerdict::Failed(_))
    }

    /// Returns whether the bot does not do what it should.
    #[must_use]
    pub fn is_warning(&self) -> bool {
        self.rule != Rule::Must && matches!(self.verdict, TestVerdict::Failed(_))
    }

    /// Returns the verdict in one word: `ok`, `failed`, `warning` or `skipped`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.verdict {
            TestVerdict::Passed(_) => "ok",
            TestVerdict::Failed(_) if self.is_failure() => "failed",
            TestVerdict::Failed(_) => "warning",
            TestVerdict::Skipped(_) => "skipped",
        }
    }
}
