//! One process of the bot and the conversation with it.

use std::time::{Duration, Instant};

use protocol::{
    Ask, BestMove, Dialogue, Event, Family, GameSetup, Identity, LineError, Pairs, Reject, Timeouts,
    flush_advice, printable,
};

use crate::cause::{self, Asked, Cause, CauseKind};
use crate::fault::{Fault, Step, Stop};
use crate::transcript::Transcript;
use crate::{Connection, Connector, ExitReport, Received, SuiteSettings};

/// How many faulty lines of a handshake are kept.
const MAX_MALFORMED: usize = 16;

/// How long a bot may still answer after a line that looks like a misspelled answer.
const AFTER_WRONG_WORD: Duration = Duration::from_secs(1);

/// The words that end the declarations of other families.
const OTHER_OKS: [&str; 3] = ["uciok", "usiok", "teiok"];

/// How long a bot that does not greet may take to answer the greeting of another family.
const OTHER_FAMILY: Duration = Duration::from_millis(500);

/// One process of the bot.
pub(crate) struct Session<'a> {
    connection: Box<dyn Connection + 'a>,
    dialogue: Dialogue,
    transcript: Transcript,
    settings: &'a SuiteSettings,
    /// The question that was put last, and the plies that were legal in the one before.
    asked: Option<Asked>,
    earlier_legal: Vec<String>,
    /// Why nothing will come any more.
    closed: Option<String>,
    /// Answers that nobody asked for, since they were last taken.
    strays: usize,
    /// Lines of the protocol that are written wrongly, in the handshake.
    malformed: Vec<(String, LineError)>,
}

/// What is heard of the bot.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and nearly always the large one")]
pub(crate) enum Heard {
    /// A line and what it means.
    Said(Event, String, Instant),
    /// Nothing will come any more.
    Closed,
    /// Nothing came until the deadline.
    Silence,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// What the bot decided.
    pub(crate) answer: BestMove,
    /// How long that took.
    pub(crate) spent: Duration,
}

impl<'a> Session<'a> {
    /// Starts a process, to which nothing is said yet.
    pub(crate) fn open(connector: &'a dyn Connector, settings: &'a SuiteSettings) -> Step<Self> {
        let connection = connector.connect().map_err(Stop::Launch)?;
        Ok(Self {
            connection,
            dialogue: Dialogue::new(settings.profile.clone()),
            transcript: Transcript::new(),
            settings,
            asked: None,
            earlier_legal: Vec::new(),
            closed: None,
            strays: 0,
            malformed: Vec::new(),
        })
    }

    /// Returns the line that greets a bot of its family.
    pub(crate) fn hello(&self) -> &'a str {
        self.settings.profile.hello.hello()
    }

    /// Greets as usual.
    pub(crate) fn greet_plainly(&mut self) -> Step {
        let hello = format!("{}\n", self.hello());
        self.greet(&hello)
    }

    /// Notes which question is put: a fault may depend on it.
    pub(crate) fn note(&mut self, asked: Asked) {
        self.earlier_legal = self.asked.replace(asked).map(|asked| asked.legal).unwrap_or_default();
    }

    /// Returns the cause of an answer that is not legal, if more is known of it than that.
    pub(crate) fn cause_of(&self, ply: &str) -> Option<Cause> {
        let legal = self.asked.as_ref().map(|asked| asked.legal.as_slice()).unwrap_or_default();
        cause::of_ply(ply, legal, &self.earlier_legal, self.identity())
    }

    /// Begins the conversation without a word: the greeting is sent by [`Session::say`].
    pub(crate) fn begin(&mut self) {
        self.dialogue.hello();
    }

    /// Closes the input once everything that was sent has been written.
    pub(crate) fn close_input(&mut self) {
        self.connection.close_input();
    }

    /// Waits until `deadline` for the end of the process and returns how it ended.
    pub(crate) fn ended(&mut self, deadline: Instant) -> Option<String> {
        self.connection.ended(deadline)
    }

    /// Greets, with the line of greeting written as `hello`, and waits for the end of the declarations.
    pub(crate) fn greet(&mut self, hello: &str) -> Step {
        let limit = Timeouts::SPEC.hello;
        self.dialogue.hello();
        self.say(hello);
        let deadline = Instant::now() + limit;
        loop {
            match self.hear(deadline)? {
                Heard::Said(Event::HelloDone, ..) => return Ok(()),
                Heard::Said(Event::Malformed(error), line, _) if self.malformed.len() < MAX_MALFORMED => {
                    self.malformed.push((line, error));
                }
                Heard::Said(_, line, _) if OTHER_OKS.contains(&line.trim()) => {
                    let ok = printable(line.trim()).into_owned();
                    let (hello, family) = (self.hello(), ok.trim_end_matches("ok"));
                    let what = format!("the bot answers `{hello}` with `{ok}`");
                    let advice = format!(
                        "end the declarations with `{hello}ok`; a bot that speaks only {} needs `hello: {family}` in its entry \
                         (here: `--hello {family}`)",
                        family.to_uppercase()
                    );
                    let cause = Cause::new(CauseKind::OtherFamily, what, advice);
                    return Err(self
                        .fault(format!("`{ok}` instead of `{hello}ok`"), "")
                        .with_cause(cause)
                        .into());
                }
                Heard::Said(..) => {}
                Heard::Closed => return Err(self.died(&format!("before `{}ok`", self.hello())).into()),
                Heard::Silence => return Err(self.unanswered(limit)?.into()),
            }
        }
    }

    /// Introduces the arena.
    pub(crate) fn introduce(&mut self, version: &str) {
        if let Ok(text) = self.dialogue.after_hello(&[], "arena", version) {
            self.say(&text);
        }
    }

    /// Returns what the bot said of itself.
    pub(crate) fn identity(&self) -> &Identity {
        self.dialogue.identity()
    }

    /// Returns the lines of the handshake that are written wrongly and begin with one of these words.
    pub(crate) fn malformed(&self, words: &[&str]) -> Option<&(String, LineError)> {
        self.malformed.iter().find(|(line, _)| words.iter().any(|word| line.split(' ').next() == Some(word)))
    }

    /// Returns whether the bot has refused a game. It may be out of step from then on: see [`Dialogue::has_refused`].
    pub(crate) const fn has_refused(&self) -> bool {
        self.dialogue.has_refused()
    }

    /// Sends lines as they are.
    pub(crate) fn say(&mut self, text: &str) {
        if !text.is_empty() {
            self.transcript.sent(text);
            self.connection.send(text);
        }
    }

    /// Returns what is heard next.
    pub(crate) fn hear(&mut self, deadline: Instant) -> Step<Heard> {
        if self.closed.is_some() {
            return Ok(Heard::Closed);
        }
        match self.connection.receive(deadline) {
            (Received::Line(line), at) => {
                self.transcript.received(&line);
                let event = self.dialogue.receive(&line);
                if event == Event::Stale && line.starts_with("bestmove") {
                    self.strays += 1;
                }
                Ok(Heard::Said(event, line, at))
            }
            (Received::Closed(why), _) => {
                self.closed = Some(why);
                Ok(Heard::Closed)
            }
            (Received::Silence, _) => Ok(Heard::Silence),
            (Received::Interrupted, _) => Err(Stop::Interrupted),
        }
    }

    /// Sends `isready` and waits for `readyok`. Answers that come before it are strays.
    pub(crate) fn ready(&mut self) -> Step {
        let text = self.dialogue.ready_check();
        self.say(&text);
        match self.await_ready(Timeouts::SPEC.ready)? {
            None => Ok(()),
            Some(_) => Err(self
                .fault("it answered `isready` with `reject`", "answer every `isready` with `readyok`")
                .into()),
        }
    }

    /// Sets up a game; returns the refusal if there is one.
    pub(crate) fn set_up(&mut self, game: &GameSetup) -> Step<Option<Reject>> {
        let text = self.dialogue.set_up(game);
        self.say(&text);
        let refusal = self.await_ready(Timeouts::SPEC.set_up)?;
        self.strays = 0;
        Ok(refusal)
    }

    fn await_ready(&mut self, limit: Duration) -> Step<Option<Reject>> {
        let deadline = Instant::now() + limit;
        loop {
            match self.hear(deadline)? {
                Heard::Said(Event::Ready, ..) => return Ok(None),
                Heard::Said(Event::Rejected(reject), ..) => return Ok(Some(reject)),
                Heard::Said(..) => {}
                Heard::Closed => return Err(self.died("before `readyok`").into()),
                Heard::Silence => return Err(self.silent("readyok", limit)?.into()),
            }
        }
    }

    /// Sets one of the declared options.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) {
        // Values come from the declaration, so that they fit it.
        if let Ok(text) = self.dialogue.set_option(name, value) {
            self.say(&text);
        }
    }

    /// Takes what the bot has written by now, and returns how many answers nobody asked for were among it.
    pub(crate) fn settle(&mut self) -> Step<usize> {
        while let Heard::Said(..) = self.hear(Instant::now())? {}
        Ok(self.take_strays())
    }

    /// Returns how many answers nobody asked for were heard since this was asked last.
    pub(crate) const fn take_strays(&mut self) -> usize {
        std::mem::replace(&mut self.strays, 0)
    }

    /// Puts a question and does not wait. Returns when it was put.
    pub(crate) fn put(&mut self, ask: &Ask<'_>) -> Step<Instant> {
        self.settle()?;
        let text = self.dialogue.ask(ask);
        let at = Instant::now();
        self.say(&text);
        Ok(at)
    }

    /// Sends the lines of a question without `go`, which leaves nothing open.
    pub(crate) fn prepare(&mut self, ask: &Ask<'_>) {
        // Another dialogue with the same bot writes the question, so that this one does not wait for an answer.
        let mut other = self.dialogue.clone();
        let text = other.ask(ask);
        let lines: String = text.split_inclusive('\n').filter(|line| !line.starts_with("go")).collect();
        self.say(&lines);
    }

    /// Puts a question and waits for the answer, `limit` at the most.
    pub(crate) fn ask(&mut self, ask: &Ask<'_>, limit: Duration) -> Step<Reply> {
        let since = self.put(ask)?;
        self.answer(since, limit)
    }

    /// Waits for the answer to the question that was put at `since`, until `limit` after the last line sent.
    pub(crate) fn answer(&mut self, since: Instant, limit: Duration) -> Step<Reply> {
        let deadline = Instant::now() + limit;
        match self.listen(since, deadline)? {
            Some(reply) => Ok(reply),
            None => Err(self.silent("bestmove", limit)?.into()),
        }
    }

    /// Listens until `deadline` for the answer to the question that was put at `since`.
    pub(crate) fn listen(&mut self, since: Instant, deadline: Instant) -> Step<Option<Reply>> {
        let (mut deadline, mut misread) = (deadline, None);
        loop {
            match self.hear(deadline)? {
                Heard::Said(Event::Answer(answer), _, at) => {
                    return Ok(Some(Reply { answer, spent: at.saturating_duration_since(since) }));
                }
                Heard::Said(Event::BadAnswer(fault), line, _) => {
                    let advice = "answer with `bestmove` and a ply in the spelling of the game's page";
                    let ply = line.split_whitespace().nth(1).unwrap_or_default();
                    let cause = self.cause_of(ply).unwrap_or_else(|| {
                        let what = format!("the bot answers with a ply that cannot be read: {fault}");
                        Cause::new(CauseKind::IllegalPly, what, advice)
                    });
                    return Err(self.fault(fault.to_string(), advice).with_cause(cause).into());
                }
                Heard::Said(Event::Log | Event::Malformed(_), line, at) if misread.is_none() => {
                    let legal = self.asked.as_ref().map(|asked| asked.legal.as_slice()).unwrap_or_default();
                    misread = cause::of_log_line(&line, legal);
                    if misread.is_some() {
                        deadline = deadline.min(at + AFTER_WRONG_WORD);
                    }
                }
                Heard::Said(..) => {}
                Heard::Closed => return Err(self.died("instead of an answer to `go`").into()),
                Heard::Silence => match misread {
                    None => return Ok(None),
                    Some(cause) => {
                        return Err(self
                            .fault("no line begins with `bestmove`", "")
                            .with_cause(cause)
                            .into());
                    }
                },
            }
        }
    }

    /// Sends `stop`, if the bot can be stopped and a question is open.
    pub(crate) fn stop(&mut self) {
        if let Some(text) = self.dialogue.stop() {
            self.say(&text);
        }
    }

    /// Sends `isready` and leaves an open question open.
    pub(crate) fn ping(&mut self) {
        let text = self.dialogue.ping();
        self.say(&text);
    }

    /// Sends `ponderhit`.
    pub(crate) fn ponder_hit(&mut self) {
        if let Some(text) = self.dialogue.ponder_hit() {
            self.say(&text);
        }
    }

    /// Asks about the rules and returns the answer.
    pub(crate) fn query(&mut self, question: &str, limit: Duration) -> Step<String> {
        if let Some(text) = self.dialogue.query(question) {
            self.say(&text);
        }
        let deadline = Instant::now() + limit;
        loop {
            match self.hear(deadline)? {
                Heard::Said(Event::Response(text), ..) => return Ok(text),
                Heard::Said(..) => {}
                Heard::Closed => return Err(self.died("instead of a `response`").into()),
                Heard::Silence => return Err(self.silent("response", limit)?.into()),
            }
        }
    }

    /// Says which ply was played, if the bot wants to know.
    pub(crate) fn tell_played(&mut self, seat: protocol::SeatNumber, ply: &str) {
        if let Some(text) = self.dialogue.played(seat, ply, &Pairs::new()) {
            self.say(&text);
        }
    }

    /// Ends the game.
    pub(crate) fn game_over(&mut self, outcome: &protocol::AnnouncedResult, code: &str, plies: usize) {
        let text = self.dialogue.game_over(outcome, code, &Pairs::new().with("plies", plies));
        self.say(&text);
    }

    /// Sends `quit`, or only closes the input, and reads the rest of the output. Returns its lines, and how long
    /// the process took to end, or `None` if it did not within `limit`.
    pub(crate) fn farewell(&mut self, quits: bool, limit: Duration) -> Step<(Vec<String>, Option<Duration>)> {
        const MOST: usize = 64;
        self.settle()?;
        let since = Instant::now();
        if quits {
            self.say("quit\n");
        } else {
            self.connection.close_input();
        }
        let deadline = since + limit;
        let mut lines = Vec::new();
        loop {
            match self.hear(deadline)? {
                Heard::Said(_, line, _) if lines.len() < MOST => lines.push(line),
                Heard::Said(..) => {}
                Heard::Closed | Heard::Silence => break,
            }
        }
        let status = self.connection.ended(deadline);
        Ok((lines, status.map(|_| since.elapsed())))
    }

    /// Ends the process.
    pub(crate) fn finish(self) -> ExitReport {
        self.connection.finish()
    }

    /// Makes a fault with what was said last.
    pub(crate) fn fault(&self, what: impl Into<String>, advice: impl Into<String>) -> Fault {
        Fault {
            what: what.into(),
            advice: advice.into(),
            lines: self.transcript.lines(),
            waited: self.transcript.waited(),
            asked: self.asked.clone(),
            ..Fault::default()
        }
    }

    /// Makes the fault of a bot of which nothing will come any more.
    pub(crate) fn died(&mut self, when: &str) -> Fault {
        let why = self.closed.clone().unwrap_or_else(|| "ended".to_owned());
        // On a busy machine its guard may tell late that it has ended.
        let exit = self.connection.ended(Instant::now() + Duration::from_secs(1));
        let how = exit.as_ref().map_or_else(String::new, |exit| format!(" ({exit})"));
        // What it says on standard error is known when its process is gone: see `Fault::with_remains`.
        let cause = match cause::of_broken_bound(&why) {
            Some(cause) => cause,
            None => Cause::crash(exit.as_deref(), &[]),
        };
        let mut fault = self.fault(format!("the bot {why}{how} {when}"), "").with_cause(cause);
        fault.exit = exit;
        fault
    }

    /// Makes the fault of a bot that did not greet. One of another family answers to its own greeting.
    fn unanswered(&mut self, limit: Duration) -> Step<Fault> {
        let (hello, waited) = (self.hello(), self.transcript.waited());
        let ok = format!("{hello}ok");
        let is_begun = starts_with(&self.connection.unfinished(), &ok);
        let others = Family::KNOWN.into_iter().filter(|family| *family != hello && !is_begun);
        for family in others {
            self.say(&format!("{family}\n"));
            let deadline = Instant::now() + OTHER_FAMILY;
            let awaited = format!("{family}ok");
            while let Heard::Said(_, line, _) = self.hear(deadline)? {
                if line.split_whitespace().next() == Some(&awaited) {
                    let what =
                        format!("the bot does not answer `{hello}`, and answers `{family}` with `{awaited}`");
                    let advice = format!(
                        "add `hello: {family}` to the bot's entry (here: `--hello {family}`), or answer `{hello}` with `{ok}`"
                    );
                    let mut fault = self.fault(format!("no `{ok}` within {}", seconds(limit)), "");
                    (fault.waited, fault.is_silence) = (waited, true);
                    return Ok(fault.with_cause(Cause::new(CauseKind::OtherFamily, what, advice)));
                }
            }
        }
        self.silent(&ok, limit)
    }

    /// Makes the fault of a bot that did not say the awaited word, after a look at whether it holds it back: its
    /// input is closed here.
    pub(crate) fn silent(&mut self, awaited: &str, limit: Duration) -> Step<Fault> {
        let limit = seconds(limit);
        let hello = self.hello();
        let advice = match awaited {
            "readyok" => "answer every `isready` with `readyok`, whatever came before it".to_owned(),
            "bestmove" => {
                "answer every `go` with one line `bestmove PLY`, in the time that `budget=` names".to_owned()
            }
            "response" => {
                "answer every `query` with one line `response`, or do not declare `can query`".to_owned()
            }
            // A bot that loads something first may be too slow rather than silent.
            _ => format!(
                "answer the line `{hello}` at once with your declarations and the line `{hello}ok`; load what takes long before \
                 `readyok`"
            ),
        };
        let what = format!("the bot does not write `{awaited}` within {limit}");
        let mut fault = self.fault(format!("no `{awaited}` within {limit}"), "");
        fault = fault.with_cause(Cause::new(CauseKind::Silence, what, advice));
        fault.is_silence = true;
        if starts_with(&self.connection.unfinished(), awaited) {
            fault.what = format!("`{awaited}` came without the line feed that ends a line");
            let advice = "end every line with a line feed (`\\n`)";
            let what = format!("the bot ends no line after `{awaited}`");
            return Ok(fault.with_cause(Cause::new(CauseKind::Unflushed, what, advice)));
        }
        self.connection.close_input();
        let deadline = Instant::now() + Timeouts::SPEC.flush;
        let mut is_found = false;
        while !is_found && self.closed.is_none() {
            match self.connection.receive(deadline) {
                (Received::Line(line), _) => {
                    self.dialogue.receive(&line);
                    is_found = starts_with(line.as_bytes(), awaited);
                }
                (Received::Closed(why), _) => self.closed = Some(why),
                (Received::Silence, _) => break,
                (Received::Interrupted, _) => return Err(Stop::Interrupted),
            }
        }
        if is_found || starts_with(&self.connection.unfinished(), awaited) {
            fault.is_unflushed = true;
            fault.what = format!("the bot wrote `{awaited}` only when its input closed");
            let flush = flush_advice(&self.settings.command, self.identity());
            let cause = Cause::new(
                CauseKind::Unflushed,
                "the bot keeps its output in a buffer",
                format!("flush stdout after every line; {flush}"),
            );
            fault = fault.with_cause(cause);
        }
        Ok(fault)
    }
}

fn starts_with(line: &[u8], word: &str) -> bool {
    let line = line.trim_ascii();
    line.strip_prefix(word.as_bytes()).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Writes a time as messages have it: `100 ms`, `2.5 s`.
pub(crate) fn seconds(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else {
        let text = format!("{:.2}", time.as_secs_f64());
        format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_one_would_write_them() {
        let check = |millis, expected: &str| assert_eq!(seconds(Duration::from_millis(millis)), expected);
        check(0, "0 ms");
        check(150, "150 ms");
        check(1000, "1 s");
        check(10_000, "10 s");
        check(2500, "2.5 s");
        check(1234, "1.23 s");
    }

    #[test]
    fn a_word_is_found_at_the_start_of_a_line_only() {
        assert!(starts_with(b" bestmove a1", "bestmove"));
        assert!(starts_with(b"ugiok", "ugiok"));
        assert!(!starts_with(b"bestmoves a1", "bestmove"));
        assert!(!starts_with(b"info ugiok", "ugiok"));
    }
}
