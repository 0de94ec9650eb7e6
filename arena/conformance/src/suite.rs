//! The whole suite, from the greeting to the farewell.

pub(crate) mod catalogue;
mod clocks;
mod decisions;
mod farewell;
mod handshake;
mod memory;
mod optional;
mod sitting;

use std::io;
use std::ops::ControlFlow;
use std::time::Instant;

use protocol::printable_capped;
use thiserror::Error;

use crate::Connector;
use crate::bench::{Bench, Settings};
use crate::fault::Stop;
use crate::report::{Report, Subject, TestReport, Verdict};
use crate::suite::catalogue::{Rule, TESTS, Test};

/// How many characters of a bot's name are shown.
const SHOWN: usize = 120;

/// The number of the test that tells what the flush doctor found.
const FLUSH: u8 = 37;

/// How many tests are waited through in vain before the suite ends.
const MOST_SILENT: usize = 4;

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
}

/// Puts a bot to the tests and hands what came of each to `tell`, which may break off.
///
/// A bot that does not greet is put to no other test: nothing could be told from them.
///
/// # Errors
/// When the bot cannot be started, or the suite is broken off.
pub fn check(
    connector: &dyn Connector,
    settings: &Settings,
    tell: &mut dyn FnMut(&TestReport) -> ControlFlow<()>,
) -> Result<Report, CheckError> {
    let mut run = Run { bench: Bench::new(connector, settings), tests: Vec::new(), tell };
    let stopped = run.all()?;
    run.bench.end();
    let (identity, cases) = (&run.bench.identity, &run.bench.cases);
    let subject = Subject {
        name: identity.name.as_ref().map(|name| printable_capped(name, SHOWN)),
        protocol: identity.protocol(),
        games: cases.iter().map(|case| case.label.clone()).collect(),
    };
    Ok(Report { subject, tests: run.tests, stopped })
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
        if matches!(greeting.verdict, Verdict::Failed(_)) {
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
                "without `protocol 1` the bot is not sent what it asks for: mend that first".to_owned(),
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
            return Ok(Some("the bot holds its output back: mend that first".to_owned()));
        }
        let silent = self.tests.iter().filter(|test| match &test.verdict {
            Verdict::Failed(faults) => faults.iter().any(|fault| fault.is_silence),
            Verdict::Passed(_) | Verdict::Skipped(_) => false,
        });
        let is_futile = silent.count() >= MOST_SILENT;
        Ok(is_futile.then(|| format!("the bot did not answer in {MOST_SILENT} tests: mend that first")))
    }

    fn is_wanted(&self, test: &Test) -> bool {
        let only = &self.bench.settings.only;
        only.is_empty() || only.contains(&test.number)
    }

    fn run(&mut self, test: &Test) -> Result<TestReport, CheckError> {
        let since = Instant::now();
        let verdict = match (test.run)(&mut self.bench) {
            Ok(note) => Verdict::Passed(note),
            Err(Stop::Faults(faults)) => Verdict::Failed(faults),
            Err(Stop::Skip(why)) => Verdict::Skipped(why),
            Err(stop) => return Err(broken_off(stop)),
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

    fn report(&mut self, report: TestReport) -> Result<(), CheckError> {
        let flow = (self.tell)(&report);
        self.tests.push(report);
        if flow.is_break() { Err(CheckError::Interrupted) } else { Ok(()) }
    }
}

pub(crate) fn broken_off(stop: Stop) -> CheckError {
    match stop {
        Stop::Launch(error) => CheckError::Launch(error),
        // Faults and skipped tests do not come here: they are verdicts.
        Stop::Interrupted | Stop::Faults(_) | Stop::Skip(_) => CheckError::Interrupted,
    }
}
