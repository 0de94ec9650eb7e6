//! Questions to rules, and their answers as typed values.

use std::sync::Arc;

use protocol::printable_capped;
use rules::RulesFault;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answers::{About, GameAnswer, PositionAnswer, RulesRefusal};
use crate::carrier::RulesCarrier;

/// How much of an answer is shown in a message.
const SHOWN: usize = 400;

/// How many questions are put in one line, and how long it may be in bytes.
const BATCH: (usize, usize) = (256, 256 * 1024);

/// The bytes of the words that are in every question, and more.
const ROOM: usize = 32;

/// Where a question about a position starts, and what was played from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulesQuestion<'a> {
    /// The game with its options, as `dao size=5`.
    pub label: &'a str,
    /// How many seats the table has with these options.
    pub seats: usize,
    /// The position string; `None`: the start of the game.
    pub from: Option<&'a str>,
    /// The plies played from there.
    pub plies: &'a [&'a str],
}

impl RulesQuestion<'_> {
    /// Returns the question as a line. `verb` is `legal`, or `position` where what each ply leads to is wanted.
    #[must_use]
    pub fn line(&self, verb: &str) -> String {
        let plies: usize = self.plies.iter().map(|ply| ply.len() + 1).sum();
        let from = self.from.map_or(0, str::len);
        let mut line = String::with_capacity(verb.len() + self.label.len() + from + plies + ROOM);
        line.push_str(verb);
        line.push(' ');
        line.push_str(self.label);
        match self.from {
            None => line.push_str(" startpos"),
            Some(from) => {
                line.push_str(" fen ");
                line.push_str(from);
            }
        }
        if !self.plies.is_empty() {
            line.push_str(" moves");
        }
        for ply in self.plies {
            line.push(' ');
            line.push_str(ply);
        }
        line
    }
}

/// Asks the rules of games of one's own.
#[derive(Clone, Debug)]
pub struct RulesClient {
    carrier: Arc<dyn RulesCarrier>,
    /// What messages call the rules.
    name: Arc<str>,
}

impl RulesClient {
    /// Returns a client of these rules. `name` is what messages call them: the id of a game, or a file.
    pub fn new(carrier: Arc<dyn RulesCarrier>, name: &str) -> Self {
        Self { carrier, name: name.into() }
    }

    /// Returns a client of the same rules that messages call otherwise.
    #[must_use]
    pub fn named(&self, name: &str) -> Self {
        Self::new(Arc::clone(&self.carrier), name)
    }

    /// Ends the questions in progress: see [`RulesCarrier::interrupt`].
    pub fn interrupt(&self) {
        self.carrier.interrupt();
    }

    /// Asks what the rules are.
    ///
    /// # Errors
    /// When the rules fail, or speak another format.
    pub fn about(&self) -> Result<About, RulesFault> {
        let (about, answer): (About, _) = self.ask("about")?;
        if about.format != 2 {
            return Err(self.fault(
                format!("they speak format {}, not 2", about.format),
                "about",
                Some(&answer),
            ));
        }
        Ok(about)
    }

    /// Asks which games there are.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn games(&self) -> Result<Vec<GameAnswer>, RulesFault> {
        Ok(self.ask("games")?.0)
    }

    /// Asks about a position, without what each ply leads to.
    ///
    /// # Errors
    /// When the rules fail. A refusal is an answer.
    pub fn legal(
        &self,
        question: &RulesQuestion<'_>,
    ) -> Result<Result<PositionAnswer, RulesRefusal>, RulesFault> {
        self.one(&question.line("legal"), question.seats)
    }

    /// Asks about a position, and what each ply leads to.
    ///
    /// # Errors
    /// When the rules fail. A refusal is an answer.
    pub fn position(
        &self,
        question: &RulesQuestion<'_>,
    ) -> Result<Result<PositionAnswer, RulesRefusal>, RulesFault> {
        let line = question.line("position");
        let answer = self.one(&line, question.seats)?;
        if let Ok(PositionAnswer { next: None, .. }) = answer {
            return Err(self.fault("the answer to `position` has no `next`", &line, None));
        }
        Ok(answer)
    }

    /// Asks many such questions about one game, several in a line; the answers are in the same order.
    ///
    /// # Errors
    /// When the rules fail. A refusal is an answer.
    pub fn legal_of_each(
        &self,
        questions: &[RulesQuestion<'_>],
    ) -> Result<Vec<Result<PositionAnswer, RulesRefusal>>, RulesFault> {
        let mut answers = Vec::with_capacity(questions.len());
        let seats = questions.first().map_or(2, |question| question.seats);
        let lines: Vec<_> = questions.iter().map(|question| question.line("legal")).collect();
        let mut rest = lines.as_slice();
        while !rest.is_empty() {
            let mut bytes = 0;
            let fit = rest.iter().take(BATCH.0).take_while(|line| {
                bytes += line.len() + 1;
                bytes <= BATCH.1
            });
            let (now, later) = rest.split_at(fit.count().max(1));
            rest = later;
            if let [line] = now {
                answers.push(self.one(line, seats)?);
                continue;
            }
            let line = now.join(";");
            let answer = self.line(&line)?;
            // Usually all of them are positions without a flaw. Else each is read by itself, to tell what is wrong with which.
            if let Ok(positions) = serde_json::from_str::<Vec<PositionAnswer>>(&answer)
                && positions.len() == now.len()
                && positions.iter().all(|position| position.check(seats).is_ok())
            {
                answers.extend(positions.into_iter().map(Ok));
                continue;
            }
            let values: Vec<Value> = self.read(&line, &answer)?;
            if values.len() != now.len() {
                let what = format!("{} answers to {} questions in one line", values.len(), now.len());
                return Err(self.fault(what, &line, Some(&answer)));
            }
            for (line, value) in now.iter().zip(values) {
                answers.push(self.checked(line, &value.to_string(), seats)?);
            }
        }
        Ok(answers)
    }

    /// Returns a fault of these rules.
    pub fn fault(&self, what: impl Into<String>, question: &str, answer: Option<&str>) -> RulesFault {
        RulesFault {
            game: self.name.as_ref().to_owned(),
            what: what.into(),
            question: printable_capped(question, SHOWN),
            answer: answer.map(|answer| printable_capped(answer, SHOWN)),
            stderr: Vec::new(),
        }
    }

    fn one(&self, line: &str, seats: usize) -> Result<Result<PositionAnswer, RulesRefusal>, RulesFault> {
        let answer = self.line(line)?;
        self.checked(line, &answer, seats)
    }

    fn checked(
        &self,
        line: &str,
        answer: &str,
        seats: usize,
    ) -> Result<Result<PositionAnswer, RulesRefusal>, RulesFault> {
        // Answers are refusals seldom: the usual kind is tried first.
        let error = match serde_json::from_str::<PositionAnswer>(answer) {
            Ok(position) => {
                position.check(seats).map_err(|what| self.fault(what, line, Some(answer)))?;
                return Ok(Ok(position));
            }
            Err(error) => error,
        };
        match serde_json::from_str::<RulesRefusal>(answer) {
            Ok(refusal) => Ok(Err(refusal)),
            Err(_) => Err(self.unreadable(&error, line, answer)),
        }
    }

    fn ask<T: DeserializeOwned>(&self, line: &str) -> Result<(T, String), RulesFault> {
        let answer = self.line(line)?;
        Ok((self.read(line, &answer)?, answer))
    }

    fn read<T: DeserializeOwned>(&self, line: &str, answer: &str) -> Result<T, RulesFault> {
        serde_json::from_str(answer).map_err(|error| match serde_json::from_str::<RulesRefusal>(answer) {
            Ok(refusal) => {
                let why = printable_capped(refusal.words(), SHOWN);
                self.fault(format!("they refuse the question: {why}"), line, Some(answer))
            }
            Err(_) => self.unreadable(&error, line, answer),
        })
    }

    fn unreadable(&self, error: &serde_json::Error, line: &str, answer: &str) -> RulesFault {
        self.fault(format!("the answer is not what was asked for: {error}"), line, Some(answer))
    }

    fn line(&self, line: &str) -> Result<String, RulesFault> {
        self.carrier.ask(line).map_err(|fault| RulesFault {
            stderr: fault.stderr().to_vec(),
            ..self.fault(fault.to_string(), line, None)
        })
    }
}
