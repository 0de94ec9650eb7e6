//! Bots with one vice, in memory: the suite names the cause, once.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use protocol::Profile;

use crate::{
    CauseKind, Connection, Connector, ExitReport, Received, SuiteReport, SuiteSettings, TestVerdict, check,
};

/// Starts bots that play the first legal ply, but for one vice.
struct Bots {
    vice: &'static str,
    started: Cell<u32>,
    paused: Cell<Duration>,
}

struct Bot<'a> {
    bots: &'a Bots,
    number: u32,
    lines: VecDeque<String>,
    legal: Vec<String>,
    game: String,
    exit: Option<&'static str>,
}

impl Connector for Bots {
    fn connect(&self) -> io::Result<Box<dyn Connection + '_>> {
        self.started.set(self.started.get() + 1);
        let bot = Bot {
            bots: self,
            number: self.started.get(),
            lines: VecDeque::new(),
            legal: Vec::new(),
            game: String::new(),
            exit: None,
        };
        Ok(Box::new(bot))
    }

    fn paused(&self) -> Duration {
        self.paused.get()
    }
}

impl Bot<'_> {
    fn say(&mut self, line: impl Into<String>) {
        self.lines.push_back(line.into());
    }

    fn read(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        let vice = self.bots.vice;
        match word {
            "ugi" if vice == "uci" => {}
            "uci" if vice == "uci" => self.say("uciok"),
            "ugi" => {
                let want = if vice == "leagl" { "want leagl" } else { "want legal" };
                for line in ["protocol 1", "plays farook fanorona:size=3x3", want, "ugiok"] {
                    self.say(line);
                }
            }
            // The machine stands still while the second process is asked, or whenever a later one is.
            "isready" if (vice == "pause" && self.number == 2) || (vice == "pauses" && self.number > 1) => {
                self.bots.paused.set(self.bots.paused.get() + Duration::from_secs(1));
            }
            "isready" if self.game == "no-such-game" => {
                self.game.clear();
                self.say("reject unknown-game");
            }
            "isready" => self.say("readyok"),
            "game" => self.game = words.next().unwrap_or_default().to_owned(),
            "legal" => {
                self.legal = words.map(str::to_owned).collect();
                if vice == "on-legal" {
                    self.answer();
                }
            }
            "go" if vice != "on-legal" => self.answer(),
            "quit" => self.exit = Some("exit 0"),
            _ => {}
        }
    }

    fn answer(&mut self) {
        let first = self.legal.first().cloned().unwrap_or_else(|| "a1".to_owned());
        match self.bots.vice {
            "capitals" => self.say(format!("bestmove {}", first.to_uppercase())),
            "glued" => self.say(format!("thinking ... bestmove {first}")),
            "few" if self.legal.len() < 8 => self.exit = Some("exit 1"),
            _ => self.say(format!("bestmove {first}")),
        }
    }
}

impl Connection for Bot<'_> {
    fn send(&mut self, text: &str) {
        for line in text.lines() {
            if self.exit.is_none() {
                self.read(line);
            }
        }
    }

    fn receive(&mut self, _deadline: Instant) -> (Received, Instant) {
        let received = match self.lines.pop_front() {
            Some(line) => Received::Line(line),
            None if self.exit.is_some() => Received::Closed("ended".to_owned()),
            None => Received::Silence,
        };
        (received, Instant::now())
    }

    fn unfinished(&self) -> Vec<u8> {
        Vec::new()
    }

    fn close_input(&mut self) {
        self.exit.get_or_insert("exit 0");
    }

    fn ended(&mut self, _deadline: Instant) -> Option<String> {
        self.exit.map(str::to_owned)
    }

    fn finish(self: Box<Self>) -> ExitReport {
        let stderr = if self.exit == Some("exit 1") {
            vec!["ZeroDivisionError: by zero".to_owned()]
        } else {
            Vec::new()
        };
        ExitReport { exit: self.exit.map(str::to_owned), stderr }
    }
}

fn report(vice: &'static str, only: &[u8]) -> SuiteReport {
    let bots = Bots { vice, started: Cell::new(0), paused: Cell::default() };
    let settings = SuiteSettings {
        command: "bot".to_owned(),
        version: "1".to_owned(),
        games: Vec::new(),
        only: only.to_vec(),
        seed: 1,
        is_quick: true,
        margin: Duration::from_secs(5),
        profile: Profile::default(),
    };
    check(&bots, &settings, &mut |_| ControlFlow::Continue(())).expect("it is not broken off")
}

fn failing(report: &SuiteReport) -> Vec<u8> {
    let failing = report.tests.iter().filter(|test| matches!(test.verdict, TestVerdict::Failed(_)));
    failing.map(|test| test.number).collect()
}

#[track_caller]
fn is_caused_by(report: &SuiteReport, kind: CauseKind) {
    let causes = report.causes();
    assert_eq!(causes.iter().map(|shared| shared.cause.kind).collect::<Vec<_>>(), [kind], "{report:#?}");
    assert_eq!(causes[0].tests, failing(report));
}

#[test]
fn a_good_bot_passes_and_is_asked_everything() {
    let report = report("", &[]);
    assert!(report.conforms() && failing(&report).is_empty() && report.causes().is_empty(), "{report:#?}");
    assert_eq!(report.tests.len(), crate::TESTS.len());
}

#[test]
fn a_bot_that_fails_in_every_game_for_one_cause_gets_one_report() {
    for (vice, kind) in [("capitals", CauseKind::Spelling), ("glued", CauseKind::WrongWord)] {
        let report = report(vice, &[]);
        is_caused_by(&report, kind);
        assert_eq!(failing(&report), [18], "{vice}");
        assert!(report.stopped.is_some_and(|why| why.contains("in every game")), "{vice}");
    }
}

#[test]
fn a_crash_where_few_plies_are_legal_is_a_crash_and_no_broken_clause() {
    // Without the test that would end the suite.
    let others: Vec<_> = crate::TESTS.iter().map(|test| test.number).filter(|number| *number != 18).collect();
    let report = report("few", &others);
    assert!(failing(&report).contains(&13), "{report:#?}");
    is_caused_by(&report, CauseKind::Crash);
    for test in &report.tests {
        let TestVerdict::Failed(faults) = &test.verdict else { continue };
        assert!(
            faults.iter().all(|fault| fault.advice.contains("`ZeroDivisionError: by zero`")),
            "{test:#?}"
        );
    }
}

#[test]
fn an_answer_before_go_is_a_broken_clause_of_its_own() {
    let report = report("on-legal", &[39]);
    assert_eq!(failing(&report), [39]);
    assert!(report.causes().is_empty());
}

#[test]
fn a_word_that_means_nothing_is_named() {
    let report = report("leagl", &[40]);
    let TestVerdict::Failed(faults) = &report.tests[0].verdict else { panic!("{report:#?}") };
    assert_eq!(
        (faults[0].what.as_str(), faults[0].advice.as_str()),
        ("`want leagl` means nothing", "write `want legal`")
    );
}

#[test]
fn a_bot_of_another_family_is_told_its_key() {
    let report = report("uci", &[]);
    is_caused_by(&report, CauseKind::OtherFamily);
    assert!(report.causes()[0].cause.advice.starts_with("add `hello: uci` to the bot's entry"));
}

#[test]
fn a_test_that_fails_while_the_machine_stands_still_is_run_again() {
    assert!(matches!(report("pause", &[9]).tests[0].verdict, TestVerdict::Passed(_)));
    let always = report("pauses", &[9]);
    let TestVerdict::Skipped(why) = &always.tests[0].verdict else { panic!("{always:#?}") };
    assert!(why.contains("stood still for 1 s"), "{why}");
    assert!(always.conforms());
}
