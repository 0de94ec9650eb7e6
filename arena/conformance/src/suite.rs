//! The whole suite, from the greeting to the farewell.

pub(crate) mod catalogue;
mod clocks;
mod decisions;
mod farewell;
mod handshake;
mod memory;
mod optional;
mod sitting;
#[cfg(test)]
mod tests;

use std::io;
use std::ops::ControlFlow;
use std::time::Instant;

use own_games::CarrierFault;
use protocol::printable_capped;
use rules::RulesFault;
use thiserror::Error;

use crate::Connector;
use crate::bench::Bench;
use crate::fault::{Fault, Stop};
use crate::report::{Subject, SuiteReport, TestReport, TestVerdict};
use crate::session::seconds;
use crate::subject::SuiteSettings;
use crate::suite::catalogue::{Rule, TESTS, Test};

/// How many characters of a bot's name are shown.
const SHOWN: usize = 120;

/// The number of the test that tells what the flush doctor found.
const FLUSH: u8 = 37;

/// How many tests may end without an answer before the suite ends.
const MOST_SILENT: usize = 4;

/// The number of the test that only asks for legal plies.
const PLAYS: u8 = 18;

/// How often a test is run that fails while the arena itself does not run for a time.
const ATTEMPTS: usize = 3;

/// Why the suite came to no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The system cannot start the bot.
    #[error("failed to start the bot")]
    Launch(#[source] io::Error),
    /// Somebody wants no more of this.
    #[error("interrupted")]
    Interrupted,
    /// The rules of a game of one's own failed, which is no fault of the bot.
    #[error(transparent)]
    Rules(Box<RulesFault>),
    /// The arena cannot carry questions to the rules of a game.
    #[error("failed to ask the rules")]
    Carrier(#[source] CarrierFault),
}

/// Puts a bot to the tests and hands what came of each to `tell`, which may break off.
///
/// A bot that does not greet is put to no other test: nothing could be told from them.
///
/// ```
/// use std::io;
/// use std::ops::ControlFlow;
/// use std::time::{Duration, Instant};
///
/// use conformance::{Connection, Connector, ExitReport, Received, SuiteSettings, TestVerdict, check};
///
/// /// A bot that ends before it has said anything.
/// struct Gone;
///
/// impl Connection for Gone {
///     fn send(&mut self, _text: &str) {}
///     fn receive(&mut self, _deadline: Instant) -> (Received, Instant) {
///         (Received::Closed("ended".to_owned()), Instant::now())
///     }
///     fn unfinished(&self) -> Vec<u8> {
///         Vec::new()
///     }
///     fn close_input(&mut self) {}
///     fn ended(&mut self, _deadline: Instant) -> Option<String> {
///         Some("exit 1".to_owned())
///     }
///     fn finish(self: Box<Self>) -> ExitReport {
///         ExitReport { exit: Some("exit 1".to_owned()), stderr: vec!["no such file".to_owned()] }
///     }
/// }
///
/// impl Connector for Gone {
///     fn connect(&self) -> io::Result<Box<dyn Connection + '_>> {
///         Ok(Box::new(Self))
///     }
/// }
///
/// let settings = SuiteSettings {
///     command: "./gone".to_owned(),
///     version: "0.1.0".to_owned(),
///     games: Vec::new(),
///     only: Vec::new(),
///     seed: 1,
///     is_quick: true,
///     margin: Duration::from_millis(100),
///     profile: protocol::Profile::default(),
/// };
/// let report = check(&Gone, &settings, &mut |_| ControlFlow::Continue(()))?;
/// assert!(matches!(report.tests[0].verdict, TestVerdict::Failed(_)));
/// assert!(report.stopped.is_some());
/// # Ok::<(), conformance::CheckError>(())
/// ```
///
/// # Errors
/// When the bot cannot be started, or the suite is broken off.
pub fn check(
    connector: &dyn Connector,
    settings: &SuiteSettings,
    tell: &mut dyn FnMut(&TestReport) -> ControlFlow<()>,
) -> Result<SuiteReport, CheckError> {
    let mut run = Run { bench: Bench::new(connector, settings), tests: Vec::new(), tell };
    let stopped = run.all()?;
    run.bench.end();
    let (identity, cases) = (&run.bench.identity, &run.bench.cases);
    let subject = Subject {
        name: identity.name.as_ref().map(|name| printable_capped(name, SHOWN)),
        protocol: identity.protocol(),
        games: cases.iter().map(|case| case.label.clone()).collect(),
    };
    Ok(SuiteReport { subject, tests: run.tests, stopped })
}

struct Run<'a, 't> {
    bench: Bench<'a>,
    tests: Vec<TestReport>,
    tell: &'t mut dyn FnMut(&TestReport) -> ControlFlow<()>,
}

impl Run<'_, '_> {
    /// Runs the tests and says why it stopped early, if it did.
    fn all(&mut self) -> Result<Option<String>, CheckError> {
        let (hello, others) = TESTS.split_first().expect("there are tests");
        let greeting = self.run(hello)?;
        if matches!(greeting.verdict, TestVerdict::Failed(_)) {
            self.report(greeting)?;
            // What the flush doctor found comes from the greeting then.
            if let Some(why) = self.futility(hello)? {
                return Ok(Some(why));
            }
            return Ok(Some("the bot does not greet: without `ugiok` nothing else can be tested".to_owned()));
        }
        if self.is_wanted(hello) {
            self.report(greeting)?;
        }
        self.bench.choose_games().map_err(broken_off)?;
        for test in others {
            if self.is_wanted(test) {
                let report = self.run(test)?;
                self.report(report)?;
            }
            if let Some(why) = self.futility(test)? {
                return Ok(Some(why));
            }
        }
        Ok(None)
    }

    /// Returns why the tests after this one would tell nothing, if they would not.
    fn futility(&mut self, last: &Test) -> Result<Option<String>, CheckError> {
        let is_failed = self.tests.last().is_some_and(|test| test.number == last.number && test.is_failure());
        if is_failed && last.number == 3 && self.bench.identity.declared_protocol.is_none() {
            return Ok(Some(
                "without `protocol 1` the bot is not sent what it asks for: fix that first".to_owned(),
            ));
        }
        if self.bench.cases.is_empty() && last.number == 11 {
            return Ok(Some("no game can be set up: nothing that is asked in one can be tested".to_owned()));
        }
        if self.bench.unflushed.is_some() && last.number < FLUSH {
            if let Some(flush) = TESTS.iter().find(|test| test.number == FLUSH) {
                let report = self.run(flush)?;
                self.report(report)?;
            }
            return Ok(Some("the bot holds its output back: fix that first".to_owned()));
        }
        if is_failed
            && last.number == PLAYS
            && self.tests.last().is_some_and(|test| is_everywhere(test, self.bench.cases.len()))
        {
            return Ok(Some(
                "this happens in every game and fails most other tests: fix it first".to_owned(),
            ));
        }
        let silent = self.tests.iter().filter(|test| match &test.verdict {
            TestVerdict::Failed(faults) => faults.iter().any(|fault| fault.is_silence),
            TestVerdict::Passed(_) | TestVerdict::Skipped(_) => false,
        });
        let is_futile = silent.count() >= MOST_SILENT;
        Ok(is_futile.then(|| format!("the bot did not answer in {MOST_SILENT} tests: fix that first")))
    }

    fn is_wanted(&self, test: &Test) -> bool {
        let only = &self.bench.settings.only;
        only.is_empty() || only.contains(&test.number)
    }

    fn run(&mut self, test: &Test) -> Result<TestReport, CheckError> {
        let since = Instant::now();
        let mut attempt = 1;
        let verdict = loop {
            let before = self.bench.connector.paused();
            let verdict = self.verdict(test)?;
            let paused = self.bench.connector.paused().saturating_sub(before);
            // The runner plays games again in which the arena itself did not run: nobody read the bot meanwhile.
            if paused.is_zero() || !matches!(verdict, TestVerdict::Failed(_)) {
                break verdict;
            }
            if attempt == ATTEMPTS {
                break TestVerdict::Skipped(format!(
                    "this machine stood still for {} meanwhile, in each of {ATTEMPTS} attempts",
                    seconds(paused)
                ));
            }
            attempt += 1;
            self.bench.end();
            self.bench.unflushed = None;
        };
        let has_seed = self.bench.identity.option("Seed").is_some();
        let rule = match test.rule {
            Rule::MustWithSeed if has_seed => Rule::Must,
            Rule::MustWithSeed => Rule::Should,
            rule => rule,
        };
        let (number, clause, title) = (test.number, test.clause, test.title);
        Ok(TestReport { number, clause, title, rule, verdict, took: since.elapsed() })
    }

    /// Runs a test once.
    fn verdict(&mut self, test: &Test) -> Result<TestVerdict, CheckError> {
        self.bench.begin_test(test.share());
        Ok(match (test.run)(&mut self.bench) {
            Ok(note) if self.bench.is_cut => {
                let cut = "fewer questions, since the bot is slow";
                TestVerdict::Passed(Some(
                    note.map_or_else(|| cut.to_owned(), |note| format!("{note}; {cut}")),
                ))
            }
            Ok(note) => TestVerdict::Passed(note),
            Err(Stop::Faults(faults)) => {
                TestVerdict::Failed(self.bench.attribute(faults).map_err(broken_off)?)
            }
            Err(Stop::Skip(why)) => TestVerdict::Skipped(why),
            Err(stop) => return Err(broken_off(stop)),
        })
    }

    fn report(&mut self, report: TestReport) -> Result<(), CheckError> {
        let flow = (self.tell)(&report);
        self.tests.push(report);
        if flow.is_break() { Err(CheckError::Interrupted) } else { Ok(()) }
    }
}

/// Returns whether a test fails in each of `games` games for one cause. If the bot did not answer in one game, the others are not tried.
fn is_everywhere(test: &TestReport, games: usize) -> bool {
    let TestVerdict::Failed(faults) = &test.verdict else { return false };
    let Some(first) = faults.first().and_then(|fault| fault.cause.as_ref()) else { return false };
    let is_one =
        faults.iter().all(|fault| fault.cause.as_ref().is_some_and(|cause| cause.kind == first.kind));
    let is_all = faults.len() >= games || faults.iter().any(Fault::is_waited_for);
    is_one && is_all
}

pub(crate) fn broken_off(stop: Stop) -> CheckError {
    match stop {
        Stop::Launch(error) => CheckError::Launch(error),
        Stop::Rules(fault) => CheckError::Rules(fault),
        // Faults and skipped tests do not come here: they are verdicts.
        Stop::Interrupted | Stop::Faults(_) | Stop::Skip(_) => CheckError::Interrupted,
    }
}
