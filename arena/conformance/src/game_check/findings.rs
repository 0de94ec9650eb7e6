//! What was found wrong, by test.

use std::collections::BTreeMap;

use crate::Fault;
use crate::game_check::catalogue::test;

/// One thing that is wrong, before it is known where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    /// The number of the test that it fails.
    pub(super) test: u8,
    /// What happened, a fragment.
    pub(super) what: String,
    /// What to do, where that is not the advice of the test.
    pub(super) advice: Option<String>,
}

impl Flaw {
    pub(super) fn new(test: u8, what: impl Into<String>) -> Self {
        Self { test, what: what.into(), advice: None }
    }

    pub(super) fn advised(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }
}

/// The faults of all tests: of each game, the first one of each test.
#[derive(Debug, Default)]
pub(super) struct Findings {
    faults: BTreeMap<u8, Vec<(Fault, u64)>>,
}

impl Findings {
    /// Notes a flaw in a game, with the lines that show it.
    pub(super) fn note(&mut self, game: Option<&str>, flaw: Flaw, lines: impl FnOnce() -> Vec<String>) {
        let known = self.faults.entry(flaw.test).or_default();
        if let Some((_, more)) = known.iter_mut().find(|(fault, _)| fault.game.as_deref() == game) {
            *more += 1;
            return;
        }
        let advice = flaw.advice.unwrap_or_else(|| test(flaw.test).advice.to_owned());
        let fault = Fault {
            game: game.map(str::to_owned),
            what: flaw.what,
            advice,
            lines: lines(),
            ..Fault::default()
        };
        known.push((fault, 0));
    }

    /// Takes the faults of a test.
    pub(super) fn take(&mut self, number: u8) -> Vec<Fault> {
        let faults = self.faults.remove(&number).unwrap_or_default();
        faults.into_iter().map(|(fault, more)| with_count(fault, more)).collect()
    }
}

fn with_count(mut fault: Fault, more: u64) -> Fault {
    if more > 0 {
        fault.what = format!("{} ({more} more like it)", fault.what);
    }
    fault
}
