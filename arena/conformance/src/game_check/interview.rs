//! Questions to the rules, and what comes back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use own_games::{CarrierFault, CarrierFaultKind, MAX_ANSWER, RulesCarrier};
use protocol::printable_capped;
use serde_json::Value;

use crate::game_check::catalogue::{ANSWERED, KEYS, LIMITS};
use crate::game_check::findings::{Findings, Flaw};

/// How many questions may stay without an answer before the examination ends.
const MOST_LOST: u32 = 3;

/// How many characters of an answer are shown.
const SHOWN: usize = 400;

/// The longest question that is shown in full: nobody pastes longer ones.
const MOST_SHOWN: usize = 4000;

/// The longest question whose time is compared.
const LONG: usize = 64 * 1024;

/// Opens the rules anew: another instance of the module, another process of the program.
pub type Opener<'a> = dyn Fn() -> Result<Arc<dyn RulesCarrier>, CarrierFault> + 'a;

/// Why an examination ends early.
#[derive(Debug)]
pub(super) enum Halt {
    /// Too many questions have no answer, or nothing can be asked; the text says so.
    Futile(String),
    /// The user wants no more of this.
    Interrupted,
    /// The arena or its system failed.
    Carrier(CarrierFault),
}

/// What a part of the examination comes to.
pub(super) type Step<T = ()> = Result<T, Halt>;

/// An answer that is JSON, with its question.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) question: String,
    pub(super) text: String,
    pub(super) value: Value,
}

impl Reply {
    /// Returns the question and the answer as lines to show.
    pub(super) fn lines(&self) -> Vec<String> {
        vec![asked(&self.question), answered(&self.text)]
    }

    /// Returns the code of the error, if the answer is one.
    pub(super) fn error(&self) -> Option<&str> {
        self.value.get("error").map(|code| code.as_str().unwrap_or(""))
    }
}

/// Which instance of the rules is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instance {
    /// The one that is asked nearly everything.
    First,
    /// Another one, which is asked only what is compared.
    Second,
}

/// How much was asked, and what that took.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    pub(super) questions: u64,
    /// The processor time of the rules; where it is not known, the time until the answer.
    pub(super) spent: Duration,
    /// The time until the answers, which a busy machine makes longer.
    pub(super) waited: Duration,
    /// How many questions the processor time is known of.
    pub(super) measured: u64,
    pub(super) slowest: Duration,
    pub(super) slowest_question: String,
    pub(super) longest_answer: usize,
}

/// Asks questions and notes what has no answer, or none that can be read.
pub(super) struct Interview<'a> {
    open: &'a Opener<'a>,
    first: Arc<dyn RulesCarrier>,
    second: Option<Arc<dyn RulesCarrier>>,
    lost: u32,
    pub(super) pace: Pace,
    pub(super) findings: Findings,
}

impl<'a> Interview<'a> {
    /// Opens the rules.
    pub(super) fn new(open: &'a Opener<'a>) -> Result<Self, CarrierFault> {
        Ok(Self {
            open,
            first: open()?,
            second: None,
            lost: 0,
            pace: Pace::default(),
            findings: Findings::default(),
        })
    }

    /// Asks the first instance; `None` where there is no answer that can be read, which is noted.
    pub(super) fn ask(&mut self, game: Option<&str>, question: &str) -> Step<Option<Reply>> {
        self.ask_instance(Instance::First, game, question)
    }

    /// Asks one of the two instances.
    pub(super) fn ask_instance(
        &mut self,
        instance: Instance,
        game: Option<&str>,
        question: &str,
    ) -> Step<Option<Reply>> {
        let asked_of = self.carrier(instance).map(|carrier| {
            let (before, since) = (carrier.cpu(), Instant::now());
            let (answer, waited) = (carrier.ask(question), since.elapsed());
            // A process that has just been started has used all of its time for this answer.
            (answer, waited, carrier.cpu().map(|now| now.saturating_sub(before.unwrap_or_default())))
        });
        let (text, waited, cpu) = match asked_of {
            Ok((Ok(text), waited, cpu)) => (text, waited, cpu),
            Ok((Err(fault), ..)) | Err(fault) => return self.lost(game, question, fault).map(|()| None),
        };
        let took = cpu.unwrap_or(waited);
        let pace = &mut self.pace;
        pace.questions += 1;
        pace.spent += took;
        pace.waited += waited;
        pace.measured += u64::from(cpu.is_some());
        pace.longest_answer = pace.longest_answer.max(text.len());
        // What is too long for any game says nothing of its speed.
        if took > pace.slowest && question.len() <= LONG {
            pace.slowest = took;
            pace.slowest_question = question.to_owned();
        }
        let lines = || vec![asked(question), answered(&text)];
        if text.len() > MAX_ANSWER {
            let what = format!("an answer has {} bytes, more than {MAX_ANSWER}", text.len());
            self.findings.note(game, Flaw::new(LIMITS, what), lines);
            return Ok(None);
        }
        // The answer may be the next line, and then that of each question would be the line before it: another process is asked.
        if !text.trim_start().starts_with(['{', '[']) {
            match instance {
                Instance::First => self.first = (self.open)().map_err(Halt::Carrier)?,
                Instance::Second => self.second = None,
            }
            let what = format!("answer with `{}`, which is not JSON", printable_capped(&text, SHOWN));
            let fault = CarrierFault::new(CarrierFaultKind::NotAnAnswer, what);
            return self.lost(game, question, fault).map(|()| None);
        }
        match serde_json::from_str(&text) {
            Ok(value) => Ok(Some(Reply { question: question.to_owned(), text, value })),
            Err(error) => {
                let what = format!("an answer is not JSON: {error}");
                self.findings.note(
                    game,
                    Flaw::new(KEYS, what).advised("answer with one line of JSON"),
                    lines,
                );
                Ok(None)
            }
        }
    }

    /// Notes a flaw that an answer shows.
    pub(super) fn note(&mut self, game: Option<&str>, flaw: Flaw, reply: &Reply) {
        self.findings.note(game, flaw, || reply.lines());
    }

    /// Notes a flaw that two answers show together.
    pub(super) fn note_both(&mut self, game: Option<&str>, flaw: Flaw, before: &Reply, reply: &Reply) {
        self.findings.note(game, flaw, || [before.lines(), reply.lines()].concat());
    }

    fn carrier(&mut self, instance: Instance) -> Result<&dyn RulesCarrier, CarrierFault> {
        Ok(match instance {
            Instance::First => &*self.first,
            Instance::Second => match &mut self.second {
                Some(second) => &**second,
                none => &**none.insert((self.open)()?),
            },
        })
    }

    fn lost(&mut self, game: Option<&str>, question: &str, fault: CarrierFault) -> Step {
        match fault.kind() {
            CarrierFaultKind::Interrupted => return Err(Halt::Interrupted),
            CarrierFaultKind::Arena => return Err(Halt::Carrier(fault)),
            _ => {}
        }
        self.lost += 1;
        let advice = match fault.kind() {
            CarrierFaultKind::Start => "make the command start, or the module load, on its own first",
            CarrierFaultKind::TooSlow => {
                "answer sooner; a program must flush after every line, and no loop may run for ever"
            }
            CarrierFaultKind::Died => "answer wrong questions with an error instead of ending or trapping",
            CarrierFaultKind::Resources => "use less memory, and free it after each question",
            _ => "answer each question with exactly one line of UTF-8, of at most 1 MiB",
        };
        let flaw = Flaw::new(ANSWERED, format!("the rules {fault}")).advised(advice);
        self.findings.note(game, flaw, || {
            let said = fault.stderr().iter().map(|line| format!("stderr: {line}"));
            [asked(question)].into_iter().chain(said).collect()
        });
        if fault.kind() == CarrierFaultKind::Start || self.lost >= MOST_LOST {
            return Err(Halt::Futile(match fault.kind() {
                CarrierFaultKind::Start => "the rules cannot be started".to_owned(),
                _ => format!("{MOST_LOST} questions have no answer: fix that first"),
            }));
        }
        Ok(())
    }
}

/// Returns a question as a line to show. It can be pasted, unless it is too long for that.
pub(super) fn asked(question: &str) -> String {
    let most = if question.len() > MOST_SHOWN { SHOWN } else { MOST_SHOWN };
    format!("> {}", printable_capped(question, most))
}

/// Returns an answer as a line to show.
pub(super) fn answered(text: &str) -> String {
    format!("< {}", printable_capped(text, SHOWN))
}
